import type { JsonObject } from '../model/json';

/** Whether the content names one of the types in its `@type`. */
export function isJsonOfType(content: JsonObject, types: readonly string[]): boolean {
	const type = content['@type'];
	return typeof type === 'string' && types.includes(type);
}

/** Content of any other kind is shown inside the arbitrary wrapper (docs/protocol/transport.md 16). */
export function wrapContent(wrapperType: string, content: JsonObject): JsonObject {
	return { '@type': wrapperType, value: content };
}
