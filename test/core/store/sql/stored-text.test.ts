import { createHash } from 'node:crypto';
import { readJson } from '../../../../core/store/collections/stored-json';
import {
	comparedText,
	fromText,
	indexedText,
	toText,
} from '../../../../core/store/collections/stored-text';

describe('a text in a database', () => {
	it.each([
		['', ''],
		['plain', 'plain'],
		['a\0b\0', 'a\uFDD0\uFDD1b\uFDD0\uFDD1'],
		['\uFDD0', '\uFDD0\uFDD2'],
		['\uFDD0\0', '\uFDD0\uFDD2\uFDD0\uFDD1'],
		['\uFDD1\uFDD2', '\uFDD1\uFDD2'],
	])('has no NUL character, and is given back: %j', (text, stored) => {
		expect(toText(text)).toBe(stored);
		expect(fromText(stored)).toBe(text);
	});

	it('is compared without half characters', () => {
		expect(comparedText('a\uD800\0')).toBe('a\uFFFD\uFDD0\uFDD1');
	});

	describe('with an index', () => {
		it.each([0, 200, 250])('is stored as it is up to %d characters', (length) => {
			expect(indexedText('x'.repeat(length))).toBe('x'.repeat(length));
		});

		it('is stored as its first 200 characters and a hash of all, where it is longer', () => {
			const text = 'x'.repeat(250) + '\0';
			const stored = indexedText(text);
			expect(stored.slice(0, 200)).toBe('x'.repeat(200));
			const digits = Array.from(stored.slice(200), (digit) => digit.charCodeAt(0) - 0xfde0);
			const hash = createHash('sha256').update(toText(text)).digest('hex');
			expect(digits.map((digit) => digit.toString(16)).join('')).toBe(hash);
		});
	});
});

describe('JSON in a database', () => {
	const place = { table: 'messages', id: 'MSG1' };

	it.each(['{"a":1}', '[1]'])('is read: %s', (json) => {
		expect(readJson(json, place)).toEqual(JSON.parse(json));
	});

	it('is refused with the reason when it cannot be parsed', () => {
		const cause = expect.any(SyntaxError) as unknown;
		expect(() => readJson('{', place)).toThrow(expect.objectContaining({ cause }));
	});

	it.each(['{', '', '7', '"text"', 'null', 'true'])('is refused with its place: %s', (json) => {
		expect(() => readJson(json, place)).toThrow(
			expect.objectContaining({ code: 'error.gateway.store.corruptRow', facts: place }),
		);
	});
});
