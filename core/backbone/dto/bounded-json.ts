export interface JsonBounds {
	readonly maxValues: number;
	readonly maxDepth: number;
	/** characters of one text, names of members included */
	readonly maxTextLength: number;
}

/**
 * Whether foreign JSON stays within bounds. Counts without recursion, so that deep nesting cannot
 * overflow the stack of what comes after.
 */
export function isBoundedJson(value: unknown, bounds: JsonBounds): boolean {
	const open: Array<{ value: unknown; depth: number }> = [{ value, depth: 0 }];
	let seen = 0;
	for (let next = open.pop(); next !== undefined; next = open.pop()) {
		seen++;
		if (seen > bounds.maxValues || next.depth > bounds.maxDepth) return false;
		if (typeof next.value === 'string' && next.value.length > bounds.maxTextLength) return false;
		if (typeof next.value !== 'object' || next.value === null) continue;
		const members = Array.isArray(next.value) ? next.value.entries() : Object.entries(next.value);
		for (const [name, member] of members) {
			if (typeof name === 'string' && name.length > bounds.maxTextLength) return false;
			open.push({ value: member, depth: next.depth + 1 });
			if (open.length > bounds.maxValues) return false;
		}
	}
	return true;
}
