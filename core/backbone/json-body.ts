const suspicious = /__proto__|\\u00[2-7]/i;

/**
 * Parses JSON of a foreign server without letting a member named `__proto__` through, also where
 * the name is written with escapes. Rejects with the parser's error.
 */
export function parseJson(text: string): unknown {
	if (!suspicious.test(text)) return JSON.parse(text) as unknown;
	return JSON.parse(text, (name, value: unknown) =>
		name === '__proto__' ? undefined : value,
	) as unknown;
}

/** The members of an object; an empty one for anything else. */
export function membersOf(value: unknown): Readonly<Record<string, unknown>> {
	if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
	return value as Record<string, unknown>;
}
