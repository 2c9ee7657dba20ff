type Value = null | boolean | number | string | Value[] | { [name: string]: Value };

/** JSON text that is equal for equal values: members sorted by code unit, no white space. */
export function canonicalJson(value: Value): string {
	if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
	if (typeof value !== 'object' || value === null) return JSON.stringify(value);
	const members = Object.keys(value)
		.sort()
		.map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name] ?? null)}`);
	return `{${members.join(',')}}`;
}
