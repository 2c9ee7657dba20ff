import { createHash } from 'node:crypto';

/*
 * Texts as databases can hold them. PostgreSQL keeps no NUL character, and a search of SQLite stops at
 * one, so it is written as a pair of characters that are none (U+FDD0, U+FDD1); and so is U+FDD0. JSON
 * documents write NUL as an escape of their own.
 */
const mark = '\uFDD0';
const refused = /[\0\uFDD0]/g;
const written = /\uFDD0([\uFDD1\uFDD2])/g;

export function toText(value: string): string {
	if (!value.includes('\0') && !value.includes(mark)) return value;
	return value.replace(refused, (character) => mark + (character === '\0' ? '\uFDD1' : '\uFDD2'));
}

export function fromText(value: string): string {
	if (!value.includes(mark)) return value;
	return value.replace(written, (_pair, kind) => (kind === '\uFDD1' ? '\0' : mark));
}

/** A text of a column, and one that it is compared with. UTF-8 has no halves of characters. */
export function comparedText(value: string): string {
	return toText(value).toWellFormed();
}

const longestInIndex = 250;
const keptOfLonger = 200;

/**
 * The same in an index, where PostgreSQL takes 2,704 bytes for all columns together: a longer text is
 * known by its beginning, by which it is ordered and searched, and by a hash of all of it, written in
 * characters that nobody searches for (U+FDE0 to U+FDEF).
 */
export function indexedText(value: string): string {
	if (value.length <= longestInIndex) return comparedText(value);
	const hash = createHash('sha256').update(comparedText(value)).digest('hex');
	const digits = hash.replace(/./g, (digit) =>
		String.fromCharCode(0xfde0 + Number.parseInt(digit, 16)),
	);
	return comparedText(value.slice(0, keptOfLonger)) + digits;
}
