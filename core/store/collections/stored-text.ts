import { createHash } from 'node:crypto';

/*
 * Encoding of texts for the databases. PostgreSQL stores no NUL character, and a search of SQLite
 * stops at it, so NUL is written as a pair of noncharacters (U+FDD0, U+FDD1), and U+FDD0 itself as
 * a pair as well. JSON documents already write NUL as an escape sequence.
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

/**
 * Encodes a text for a column or for comparison with a column. Lone surrogates are replaced,
 * because UTF-8 cannot represent them.
 */
export function comparedText(value: string): string {
	return toText(value).toWellFormed();
}

const longestInIndex = 250;
const keptOfLonger = 200;

/**
 * Encodes a text for an index, where PostgreSQL takes 2,704 bytes for all columns together. A
 * longer text is represented by its beginning, which orders and searches use, and by a hash of the
 * whole text in characters that do not occur in searches (U+FDE0 to U+FDEF).
 */
export function indexedText(value: string): string {
	if (value.length <= longestInIndex) return comparedText(value);
	const hash = createHash('sha256').update(comparedText(value)).digest('hex');
	const digits = hash.replace(/./g, (digit) =>
		String.fromCharCode(0xfde0 + Number.parseInt(digit, 16)),
	);
	return comparedText(value.slice(0, keptOfLonger)) + digits;
}
