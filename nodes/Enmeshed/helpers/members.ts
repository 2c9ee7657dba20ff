/** Returns a text member; undefined for any other member. */
export function textMember(object: object, name: string): string | undefined {
	const value = ownMember(object, name);
	return typeof value === 'string' ? value : undefined;
}

/** Returns an object member; an empty object for any other member. */
export function objectMember(object: object, name: string): Readonly<Record<string, unknown>> {
	const value = ownMember(object, name);
	return isObject(value) ? value : {};
}

/** Excludes lists and null. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the members that have a value. */
export function defined<Members extends object>(
	members: Members,
): { [Name in keyof Members]?: Exclude<Members[Name], undefined> } {
	const entries = Object.entries(members).filter(([, value]) => value !== undefined);
	return Object.fromEntries(entries) as ReturnType<typeof defined<Members>>;
}

function ownMember(object: object, name: string): unknown {
	return Object.hasOwn(object, name) ? (object as Record<string, unknown>)[name] : undefined;
}
