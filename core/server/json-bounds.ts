const maxDepth = 64;
/** More of them than this, each as small as can be, would take megabytes out of kilobytes. */
const maxValues = 100_000;

const code = (character: string): number => character.charCodeAt(0);
const quote = code('"');
const backslash = code('\\');
const comma = code(',');
const [openList, closeList, openObject, closeObject] = [code('['), code(']'), code('{'), code('}')];

/**
 * What is too much about a JSON text in UTF-8, found by reading its brackets and commas once, before
 * anything is built from it; undefined for a text within bounds, JSON or not.
 */
export function excessOf(text: Uint8Array): string | undefined {
	let depth = 0;
	let values = 1;
	for (let at = 0; at < text.length; at++) {
		const character = text[at];
		if (character === quote) at = endOfString(text, at);
		else if (character === comma) values++;
		else if (character === closeList || character === closeObject) depth--;
		else if (character === openList || character === openObject) {
			values++;
			depth++;
		}
		if (depth > maxDepth) return `it is nested deeper than ${maxDepth} levels`;
		if (values > maxValues) return `it has more than ${maxValues} values`;
	}
	return undefined;
}

/** @returns where the quote stands that ends the string begun at `start` */
function endOfString(text: Uint8Array, start: number): number {
	let at = start + 1;
	while (at < text.length && text[at] !== quote) {
		at += text[at] === backslash ? 2 : 1;
	}
	return at;
}
