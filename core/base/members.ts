/** Names in a table, which has no others. */
export function keysOf<Key extends string>(table: Readonly<Record<Key, unknown>>): Key[] {
	return Object.keys(table).filter((name) => isKeyOf(table, name));
}

/** Tells whether a name is one of a table. */
export function isKeyOf<Key extends string>(
	table: Readonly<Record<Key, unknown>>,
	name: PropertyKey,
): name is Key {
	return Object.hasOwn(table, name);
}

/** Tells whether a value is an object that has the member or inherits it. */
export function hasMember<Name extends PropertyKey>(
	value: unknown,
	name: Name,
): value is Readonly<Record<Name, unknown>> {
	return typeof value === 'object' && value !== null && name in value;
}

/**
 * A member of a foreign error or of another object whose class says nothing, because it may come
 * from another realm; undefined if there is none.
 */
export function memberOf(value: unknown, name: string): unknown {
	return hasMember(value, name) ? value[name] : undefined;
}

/** Code or name of an error, for logs: its message may contain a secret. */
export function errorCodeOrName(error: unknown): string {
	if (!(error instanceof Error)) return 'unknown';
	return String(errorCodeOf(error) ?? error.name);
}

/** Code that Node or a library gave an error; undefined if there is none. */
export function errorCodeOf(error: unknown): string | number | undefined {
	const code = memberOf(error, 'code');
	return typeof code === 'string' || typeof code === 'number' ? code : undefined;
}
