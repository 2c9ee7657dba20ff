import type { JsonValue } from './canonical-json';

/** Limits for the JSON of another party; absent members set no limit. */
export interface JsonLimits {
	/** nesting depth of objects and lists */
	readonly maxDepth?: number;
	readonly maxValues?: number;
}

export interface ReadingOptions extends JsonLimits {
	/** true to refuse a text with a member named `__proto__` instead of omitting the member */
	readonly refusesPrototypes?: boolean;
	/**
	 * true to refuse what cannot be kept as it is: numbers beyond the range, which would become null,
	 * and halves of surrogate pairs, which change when they are sent
	 */
	readonly refusesLossyValues?: boolean;
}

/** Describes why a JSON text that could be parsed is refused. */
export class JsonRefusal extends Error {
	override readonly name = 'JsonRefusal';
}

/** Tells whether a text may contain the name, which can also be written with escapes. */
function mayNamePrototype(text: string): boolean {
	return text.includes('__proto__') || (text.includes('\\u00') && /\\u00[2-7]/.test(text));
}

/**
 * Parses the JSON of another party. Limits are checked before parsing, and members named
 * `__proto__` are removed or refused, so that later copies cannot change a prototype.
 *
 * @throws {JsonRefusal} when the text exceeds a limit; `SyntaxError` when it is not JSON
 */
export function parseUntrustedJson(text: string, options: ReadingOptions = {}): JsonValue {
	requireWithin(text, options);
	const value = parseWithoutPrototypes(text, options);
	if (options.refusesLossyValues === true && mayBeLossy(text)) requireLossless(value);
	return value;
}

function parseWithoutPrototypes(text: string, options: ReadingOptions): JsonValue {
	if (!mayNamePrototype(text)) return JSON.parse(text);
	return JSON.parse(text, (name, value: unknown) => {
		if (name !== '__proto__') return value;
		if (options.refusesPrototypes !== true) return undefined;
		throw new JsonRefusal("it has a member named '__proto__'");
	});
}

/** Tells whether a text may contain an escaped surrogate or a number beyond the range. */
function mayBeLossy(text: string): boolean {
	return /\\u[dD][89a-fA-F]|\d{200}|\d[eE]\+?\d{3}/.test(text);
}

function requireLossless(value: unknown): void {
	const open: unknown[] = [value];
	while (open.length > 0) {
		const next = open.pop();
		if (next === Infinity || next === -Infinity) {
			throw new JsonRefusal('it has a number that is too large');
		}
		if (typeof next === 'string' && !next.isWellFormed()) {
			throw new JsonRefusal('it has a text with half of a surrogate pair');
		}
		if (typeof next !== 'object' || next === null) continue;
		open.push(...Object.values(next));
		if (!Array.isArray(next)) open.push(...Object.keys(next));
	}
}

/**
 * Parses JSON like {@link parseUntrustedJson}, with `undefined` for an unusable text, for callers
 * that do not need the reason.
 */
export function readUntrustedJson(
	text: string,
	options: ReadingOptions = {},
): JsonValue | undefined {
	try {
		return parseUntrustedJson(text, options);
	} catch {
		return undefined;
	}
}

/** Scans the quotes, brackets and commas of the text once; text that is not JSON may pass. */
function requireWithin(text: string, { maxDepth, maxValues }: JsonLimits): void {
	if (maxDepth === undefined && maxValues === undefined) return;
	let depth = 0;
	let values = 1;
	for (let at = 0; at < text.length; at++) {
		const character = text.charCodeAt(at);
		if (character === quote) at = endOfString(text, at);
		else if (character === comma) values++;
		else if (character === closeList || character === closeObject) depth--;
		else if (character === openList || character === openObject) {
			values++;
			depth++;
			if (maxDepth !== undefined && depth > maxDepth) {
				throw new JsonRefusal(`it is nested deeper than ${maxDepth} levels`);
			}
		}
		if (maxValues !== undefined && values > maxValues) {
			throw new JsonRefusal(`it has more than ${maxValues} values`);
		}
	}
}

const code = (character: string): number => character.charCodeAt(0);
const quote = code('"');
const backslash = code('\\');
const comma = code(',');
const [openList, closeList, openObject, closeObject] = [code('['), code(']'), code('{'), code('}')];

/** @returns position of the quote that ends the string begun at `start` */
function endOfString(text: string, start: number): number {
	for (let from = start + 1; ;) {
		const end = text.indexOf('"', from);
		if (end < 0) return text.length;
		let before = end - 1;
		while (before >= from && text.charCodeAt(before) === backslash) before--;
		const isEscaped = (end - before) % 2 === 0;
		if (!isEscaped) return end;
		from = end + 1;
	}
}

/**
 * Checks the limits of a value that has already been parsed. A value that JSON cannot express is
 * beyond them; only programs can have one. Works without recursion, so that deep
 * nesting cannot overflow the stack.
 *
 * @param limits `maxTextLength` limits each text, including the names of members
 */
export function isWithinLimits(
	value: unknown,
	limits: JsonLimits & { readonly maxTextLength?: number },
): boolean {
	const { maxDepth = Infinity, maxValues = Infinity, maxTextLength = Infinity } = limits;
	const open: Array<{ readonly value: unknown; readonly depth: number }> = [{ value, depth: 0 }];
	let seen = 0;
	for (let next = open.pop(); next !== undefined; next = open.pop()) {
		if (++seen > maxValues) return false;
		if (typeof next.value === 'string' && next.value.length > maxTextLength) return false;
		if (typeof next.value === 'bigint') return false;
		if (typeof next.value !== 'object' || next.value === null) continue;
		const depth = next.depth + 1;
		if (depth > maxDepth) return false;
		if (hasLongName(next.value, maxTextLength)) return false;
		for (const member of Object.values(next.value)) {
			open.push({ value: member, depth });
			if (open.length > maxValues) return false;
		}
	}
	return true;
}

function hasLongName(value: object, maxLength: number): boolean {
	if (maxLength === Infinity || Array.isArray(value)) return false;
	return Object.keys(value).some((name) => name.length > maxLength);
}
