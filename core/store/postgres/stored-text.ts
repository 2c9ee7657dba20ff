/*
 * PostgreSQL keeps no NUL character in a text. Ids, names and titles may hold one, so it is written as
 * a pair that begins with a character that is none (U+FDD0), and so is that character itself.
 * JSON documents write NUL as an escape of their own.
 */
const mark = '\uFDD0';
const refused = /[\0\uFDD0]/g;
const written = /\uFDD0([01])/g;

export function toText(value: string): string {
	if (!value.includes('\0') && !value.includes(mark)) return value;
	return value.replace(refused, (character) => (character === '\0' ? `${mark}0` : `${mark}1`));
}

export function fromText(value: string): string {
	if (!value.includes(mark)) return value;
	return value.replace(written, (_pair, kind) => (kind === '0' ? '\0' : mark));
}
