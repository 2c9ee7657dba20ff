import { StoreKey } from '../../../../core/crypto/sealing';
import { loadSodium } from '../../../../core/crypto/sodium';
import { systemRandom } from '../../../../core/base/random';
import { isSealed, Sealer } from '../../../../core/store/sql/sealer';

const secret = `RklM${'a'.repeat(80)}`;
const place = { table: 'messages', id: 'MSG1' };
const column = { table: 'messages', column: 'c_subject' };

describe('a sealer', () => {
	beforeAll(loadSodium);

	const key = new StoreKey(new Uint8Array(32).fill(7));
	const sealer = (sealsContents: boolean) => new Sealer(key, systemRandom, sealsContents);

	describe.each([true, false])('of an account whose contents are sealed: %s', (sealsContents) => {
		it.each([
			['small', '{"a":1}'],
			['with a secret', `{"a":"${secret}"}`],
			['large', `{"a":"${'x'.repeat(10_000)}"}`],
		])('gives back a document that is %s, also to another process', (_name, json) => {
			const writer = sealer(sealsContents);
			const stored = writer.toStored(json, place);
			for (const reader of [writer, sealer(sealsContents)]) {
				for (let time = 0; time < 2; time++) expect(reader.fromStored(stored, place)).toBe(json);
			}
			const isHidden = sealsContents || json.includes(secret);
			expect(isSealed(stored)).toBe(isHidden);
			expect(stored === json).toBe(!isHidden);
		});
	});

	it('gives back the newest of two documents of one place', () => {
		const writer = sealer(true);
		const first = writer.toStored('{"a":1}', place);
		const second = writer.toStored('{"a":2}', place);
		expect(writer.fromStored(second, place)).toBe('{"a":2}');
		expect(writer.fromStored(first, place)).toBe('{"a":1}');
	});

	it.each([
		['from another row', { table: 'messages', id: 'MSG2' }],
		['from another table', { table: 'templates', id: 'MSG1' }],
	])('refuses a document %s', (_name, other) => {
		const writer = sealer(true);
		const stored = writer.toStored('{"a":1}', place);
		writer.toStored('{"a":1}', other);
		expect(() => writer.fromStored(stored, other)).toThrow(
			expect.objectContaining({ code: 'error.gateway.store.corruptRow', facts: other }),
		);
	});

	describe('for columns', () => {
		it('leaves a text alone that opens nothing, where contents are in clear', () => {
			expect(sealer(false).toColumn('hello', column)).toBe('hello');
		});

		it('replaces the secrets of a text by marked hashes, where contents are in clear', () => {
			const stored = sealer(false).toColumn(`see ${secret}, please`, column);
			expect(stored).toMatch(/^see \uFDD3[\w-]{22}, please$/);
			const again = sealer(false).toColumn(`or ${secret}`, column);
			expect(again).toBe(`or ${stored.slice(4, 27)}`);
		});

		it.each([
			['a short text', 'hello'],
			['a text as long as what is remembered', 'x'.repeat(100)],
			['a long text', 'x'.repeat(101)],
		])('hashes %s, differently for each column', (_name, text) => {
			const sealed = sealer(true);
			const hash = sealed.toColumn(text, column);
			expect(hash).toMatch(/^[\w-]{22}$/);
			expect(sealed.toColumn(text, column)).toBe(hash);
			expect(sealer(true).toColumn(text, column)).toBe(hash);
			const elsewhere = { table: 'messages', column: 'c_body' };
			expect(sealed.toColumn(text, elsewhere)).not.toBe(hash);
			expect(sealed.toColumn(`${text}!`, column)).not.toBe(hash);
		});
	});
});
