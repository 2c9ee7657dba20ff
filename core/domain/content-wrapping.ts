import type { JsonObject } from '../model/json';

/** Checks whether the content's `@type` is one of the given types. */
export function isJsonOfType(content: JsonObject, types: readonly string[]): boolean {
	const type = content['@type'];
	return typeof type === 'string' && types.includes(type);
}

/**
 * Wraps content of any other type in the arbitrary-content wrapper, in which callers receive it
 * (docs/protocol/transport.md 16).
 */
export function wrapContent(wrapperType: string, content: JsonObject): JsonObject {
	return { '@type': wrapperType, value: content };
}
