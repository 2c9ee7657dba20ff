type Value = null | boolean | number | string | Value[] | { [name: string]: Value };

/** JSON text that is equal for equal values: members sorted by code unit, no white space. */
export function canonicalJson(value: Value): string {
	if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
	if (typeof value !== 'object' || value === null) return JSON.stringify(value);
	const members = sortedNames(value).map(
		(name) => `${JSON.stringify(name)}:${canonicalJson(value[name] ?? null)}`,
	);
	return `{${members.join(',')}}`;
}

/** Names of the members by code unit; most objects have them in that order already. */
export function sortedNames(value: object): string[] {
	const names = Object.keys(value);
	return names.every((name, place) => place === 0 || (names[place - 1] ?? '') < name)
		? names
		: names.sort();
}
