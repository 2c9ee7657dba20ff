import { isJsonObject, ownMember, ownText, type JsonObject } from '../json';

/** Reads a member as an object; any other value counts as an empty object. */
export function objectMember(value: JsonObject, name: string): JsonObject {
	const member = ownMember(value, name);
	return isJsonObject(member) ? member : {};
}

/** Reads a member as text; any other value counts as empty text. */
export function textMember(value: JsonObject, name: string): string {
	return ownText(value, name) ?? '';
}
