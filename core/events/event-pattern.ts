import { mostSimilar } from '../base/similar-names';
import { eventErrors } from './event-errors';
import { eventNamesIn, type AnyEventName, type EventVersion } from './event-names';

/**
 * Matches an event name against a pattern: `*` stands for one segment, `**` for any number of
 * segments (docs/protocol/http-api.md 11).
 */
export function matchesPattern(pattern: string, event: string): boolean {
	return matches(pattern.split('.'), event.split('.'));
}

/** Events that names and patterns select. */
export interface SelectedEvents {
	readonly names: readonly AnyEventName[];
	/** names and patterns that match no event of the version */
	readonly unmatched: readonly string[];
}

/** Selects the events of a version by names and patterns. */
export function selectEventNames(
	patterns: readonly string[],
	version: EventVersion,
): SelectedEvents {
	const known = eventNamesIn(version);
	const names = known.filter((name) => patterns.some((one) => matchesPattern(one, name)));
	const unmatched = patterns.filter((one) => !known.some((name) => matchesPattern(one, name)));
	return { names, unmatched };
}

/**
 * Refuses names that no event has. A pattern with a wildcard may match none, because another version
 * may have its events.
 *
 * @param field field of the caller's input, for the error
 * @throws `error.gateway.events.unknownName`
 */
export function requireKnownPatterns(
	patterns: readonly string[],
	version: EventVersion,
	field: string,
): void {
	const { unmatched } = selectEventNames(patterns, version);
	const unknown = unmatched.find((pattern) => !pattern.includes('*'));
	if (unknown !== undefined) throw unknownName(unknown, version, field);
}

/** Warnings about patterns that match no event. */
export function patternWarnings(patterns: readonly string[], version: EventVersion): string[] {
	return selectEventNames(patterns, version).unmatched.map(
		(pattern) => `No event of version ${version} matches '${pattern}'.`,
	);
}

/** Error for a name that no event of the version has; it names a similar one. */
export function unknownName(name: string, version: EventVersion, field: string): Error {
	const similar = mostSimilar(name, eventNamesIn(version));
	const hint = similar === undefined ? '' : ` Did you mean '${similar}'?`;
	return eventErrors.create('unknownName', {
		message: `There is no event '${name.slice(0, 100)}'.${hint}`,
		facts: { field },
	});
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
