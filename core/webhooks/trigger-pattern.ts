/**
 * Whether an event fits a trigger: `*` stands for one segment of its name, `**` for any number of them
 * (docs/protocol/http-api.md 11).
 */
export function fitsTrigger(trigger: string, event: string): boolean {
	return fits(trigger.split('.'), event.split('.'));
}

function fits([wanted, ...otherWanted]: readonly string[], segments: readonly string[]): boolean {
	if (wanted === undefined) return segments.length === 0;
	// Several of them in a row mean the same as one.
	if (wanted === '**') {
		if (otherWanted[0] === '**') return fits(otherWanted, segments);
		return (
			segments.some((_, index) => fits(otherWanted, segments.slice(index))) || fits(otherWanted, [])
		);
	}
	const [segment, ...others] = segments;
	if (segment === undefined || (wanted !== '*' && wanted !== segment)) return false;
	return fits(otherWanted, others);
}
