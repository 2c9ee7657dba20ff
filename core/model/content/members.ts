import type { JsonObject } from '../json';

/** A member that is an object; anything else counts as an empty one. */
export function objectMember(value: JsonObject, name: string): JsonObject {
	const member = Object.hasOwn(value, name) ? value[name] : undefined;
	return typeof member === 'object' && member !== null && !Array.isArray(member) ? member : {};
}

/** A member that is text; anything else counts as empty text. */
export function textMember(value: JsonObject, name: string): string {
	const member = Object.hasOwn(value, name) ? value[name] : undefined;
	return typeof member === 'string' ? member : '';
}
