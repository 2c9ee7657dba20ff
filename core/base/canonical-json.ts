/** Any JSON value. */
export type JsonValue =
	null | boolean | number | string | JsonValue[] | { [name: string]: JsonValue };

/**
 * JSON text that is equal for equal values: members are sorted by code unit, without white space.
 */
export function canonicalJson(value: JsonValue): string {
	if (typeof value !== 'object' || value === null) return JSON.stringify(value);
	if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
	let members = '';
	for (const name of sortedNames(value)) {
		if (members !== '') members += ',';
		members += `${JSON.stringify(name)}:${canonicalJson(value[name] ?? null)}`;
	}
	return `{${members}}`;
}

/** Member names sorted by code unit; most objects already have them in that order. */
export function sortedNames(value: object): string[] {
	const names = Object.keys(value);
	return names.every((name, place) => place === 0 || (names[place - 1] ?? '') < name)
		? names
		: names.sort();
}
