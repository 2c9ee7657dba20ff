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
	const present: { [Name in keyof Members]?: Exclude<Members[Name], undefined> } = {};
	const entries = Object.entries(members).filter(([, value]) => value !== undefined);
	return Object.assign(present, Object.fromEntries(entries));
}

/** Returns a member of an object or an entry of a list; undefined for any other value. */
export function ownMember(value: unknown, name: PropertyKey): unknown {
	return hasOwnMember(value, name) ? value[name] : undefined;
}

function hasOwnMember<Name extends PropertyKey>(
	value: unknown,
	name: Name,
): value is Readonly<Record<Name, unknown>> {
	return typeof value === 'object' && value !== null && Object.hasOwn(value, name);
}

/**
 * Gives what a person entered the type of an input of the core, which refuses what does not fit.
 */
export function judgedByCore<Input>(entered: unknown): Input {
	// eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- the core judges the input before it uses it
	return entered as Input;
}
