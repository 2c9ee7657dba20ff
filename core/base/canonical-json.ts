type Value = null | boolean | number | string | Value[] | { [name: string]: Value };

/** JSON text that is equal for equal values: members sorted by code unit, no white space. */
export function canonicalJson(value: Value): string {
	if (typeof value !== 'object' || value === null) return JSON.stringify(value);
	if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
	let members = '';
	for (const name of sortedNames(value)) {
		if (members !== '') members += ',';
		members += `${JSON.stringify(name)}:${canonicalJson(value[name] ?? null)}`;
	}
	return `{${members}}`;
}

/** Names of the members by code unit; most objects have them in that order already. */
export function sortedNames(value: object): string[] {
	const names = Object.keys(value);
	return names.every((name, place) => place === 0 || (names[place - 1] ?? '') < name)
		? names
		: names.sort();
}
