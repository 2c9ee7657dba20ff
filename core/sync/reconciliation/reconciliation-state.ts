import { isoInstant } from '../../base/clock';
import {
	reconciledKinds,
	type ReconciliationProgress,
	type ReconciliationDto,
	type ReconciliationState,
} from '../../model/record/reconciliation';
import type { SyncState } from '../../model/record/sync';
import type { Compared } from './found-events';

export const dayMs = 24 * 3_600_000;
/** until a list that was of no use is asked for again */
const afterOddAnswerMs = 3_600_000;

const nothing = { compared: 0, found: 0 };

/** Whether the next sync compares: events may have been lost, or a day is over. */
export function isReconciliationDue(state: SyncState | undefined, now: number): boolean {
	if (state === undefined) return false;
	const dueAt = state.reconciliation?.dueAt ?? '';
	return state.reconciliationNeeded || dueAt <= isoInstant(now);
}

/** A comparison from the first kind on, as it is wanted. */
export function begun(state: ReconciliationState | undefined, now: string): ReconciliationState {
	const { isFullWanted, isAgainWanted: _again, failure: _failure, ...rest } = state ?? {};
	const isFull = isFullWanted === true;
	const progress = { startedAt: now, isFull, kind: reconciledKinds[0], counts: {} };
	return { ...rest, dueAt: now, progress };
}

/** The same after a pause; another follows where events may have been lost since it was begun. */
export function goneOnWith(
	state: ReconciliationState,
	mayHaveLostEvents: boolean,
	now: string,
): ReconciliationState {
	const { failure: _failure, ...rest } = state;
	return { ...rest, dueAt: now, ...(mayHaveLostEvents ? { isAgainWanted: true } : {}) };
}

/** Whether one that was begun is of use: what it has counted is of that time. */
export function isFresh({ startedAt }: ReconciliationProgress, now: number): boolean {
	return now - Date.parse(startedAt) < dayMs;
}

/** Tells that events were lost: then objects without a list are worth a call each. */
export function hasLosses({ isFull, counts }: ReconciliationProgress): boolean {
	return isFull || Object.values(counts).some((count) => (count?.found ?? 0) > 0);
}

/**
 * After a page: the place of the next one, the next kind, or the end.
 *
 * @param changed what was new
 */
export function withCounts(
	progress: ReconciliationProgress,
	{ compared, next }: Compared,
	changed: number,
): ReconciliationProgress | { readonly ended: ReconciliationProgress } {
	const { kind, counts } = progress;
	const before = counts[kind] ?? nothing;
	const sum = { compared: before.compared + compared, found: before.found + changed };
	const { position: _position, ...rest } = progress;
	const counted = { ...rest, counts: { ...counts, [kind]: sum } };
	if (next !== undefined) return { ...counted, position: next };
	const following = reconciledKinds[reconciledKinds.indexOf(kind) + 1];
	return following === undefined ? { ended: counted } : { ...counted, kind: following };
}

/**
 * The state after the last kind. Where one was left out, everything is tried again after a while. Another
 * comparison that is wanted waits until what was found is applied: it would be found again.
 */
export function over(
	state: ReconciliationState,
	ended: ReconciliationProgress,
	now: number,
): ReconciliationState {
	const { progress: _progress, ...rest } = state;
	const { failure, isFull } = ended;
	if (failure !== undefined) {
		const wish = isFull ? { isFullWanted: true as const } : {};
		return { ...rest, ...wish, failure, dueAt: isoInstant(now + afterOddAnswerMs) };
	}
	const pauseMs = state.isAgainWanted === true ? 0 : dayMs;
	return { ...rest, dueAt: isoInstant(now + pauseMs), last: reportOf(ended, isoInstant(now)) };
}

function reportOf(
	{ startedAt, isFull, counts }: ReconciliationProgress,
	completedAt: string,
): ReconciliationDto {
	const { relationships = nothing, peers = nothing } = counts;
	return {
		startedAt,
		completedAt,
		isFull,
		// A peer is asked about because of its relationship, which was compared already.
		relationships: { ...relationships, found: relationships.found + peers.found },
		messages: counts.messages ?? nothing,
		files: counts.files ?? nothing,
		templates: counts.templates ?? nothing,
		deletionProcesses: counts.deletionProcesses ?? nothing,
	};
}
