import type { ConsumerRecord } from '../model/record/event';

type Range = readonly [from: number, to: number];
type Progress = Pick<ConsumerRecord, 'position' | 'settled'>;

/**
 * Adds to what is stored that a consumer has settled everything up to a position, apart from some
 * events. Never takes back what is stored: two consumers of one name overlap while a trigger is
 * replaced.
 *
 * @param unsettled in ascending order
 */
export function withSettled(
	stored: Progress,
	readUpTo: number,
	unsettled: Iterable<number>,
): Progress {
	const own = rangesBetween(unsettled, readUpTo);
	const merged = merge([[0, stored.position], ...own, ...(stored.settled ?? [])]);
	const [[, position] = [0, stored.position], ...settled] = merged;
	return { position, settled: settled.length === 0 ? undefined : settled };
}

export function isSettled({ position, settled = [] }: Progress, sequence: number): boolean {
	return sequence <= position || settled.some(([from, to]) => from <= sequence && sequence <= to);
}

/** Ranges up to a number without the given numbers. */
function rangesBetween(without: Iterable<number>, last: number): Range[] {
	const ranges: Range[] = [];
	let from = 0;
	for (const number of without) {
		if (number > from) ranges.push([from, number - 1]);
		from = number + 1;
	}
	if (from <= last) ranges.push([from, last]);
	return ranges;
}

function merge(ranges: readonly Range[]): Array<[number, number]> {
	const merged: Array<[number, number]> = [];
	for (const [from, to] of [...ranges].sort((a, b) => a[0] - b[0])) {
		const last = merged.at(-1);
		if (last !== undefined && from <= last[1] + 1) last[1] = Math.max(last[1], to);
		else merged.push([from, to]);
	}
	return merged;
}
