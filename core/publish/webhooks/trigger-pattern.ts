/**
 * Matches an event name against a trigger: `*` stands for one segment, `**` for any number of
 * segments (docs/protocol/http-api.md 11).
 */
export function matchesTrigger(trigger: string, event: string): boolean {
	return matches(trigger.split('.'), event.split('.'));
}

function matches(
	[wanted, ...otherWanted]: readonly string[],
	segments: readonly string[],
): boolean {
	if (wanted === undefined) return segments.length === 0;
	// Consecutive `**` mean the same as one; collapsing them avoids exponential backtracking.
	if (wanted === '**') {
		if (otherWanted[0] === '**') return matches(otherWanted, segments);
		return (
			segments.some((_, index) => matches(otherWanted, segments.slice(index))) ||
			matches(otherWanted, [])
		);
	}
	const [segment, ...others] = segments;
	if (segment === undefined || (wanted !== '*' && wanted !== segment)) return false;
	return matches(otherWanted, others);
}
