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
/** pause after an unusable list, until it is requested again */
const afterOddAnswerMs = 3_600_000;

const nothing = { compared: 0, found: 0 };

/**
 * Returns true if the next sync must compare: events may have been lost, or the daily comparison is
 * due.
 */
export function isReconciliationDue(state: SyncState | undefined, now: number): boolean {
	if (state === undefined) return false;
	const dueAt = state.reconciliation?.dueAt ?? '';
	return state.reconciliationNeeded || dueAt <= isoInstant(now);
}

/** Begins the requested comparison with the first kind. */
export function begun(state: ReconciliationState | undefined, now: string): ReconciliationState {
	const { isFullWanted, isAgainWanted: _again, failure: _failure, ...rest } = state ?? {};
	const isFull = isFullWanted === true;
	const progress = { startedAt: now, isFull, kind: reconciledKinds[0], counts: {} };
	return { ...rest, dueAt: now, progress };
}

/**
 * Continues a comparison after a pause; another one follows if events may have been lost since its
 * beginning.
 */
export function continued(
	state: ReconciliationState,
	mayHaveLostEvents: boolean,
	now: string,
): ReconciliationState {
	const { failure: _failure, ...rest } = state;
	return { ...rest, dueAt: now, ...(mayHaveLostEvents ? { isAgainWanted: true } : {}) };
}

/**
 * Returns true if a started comparison is recent enough to continue, because its counts date from
 * its beginning.
 */
export function isFresh({ startedAt }: ReconciliationProgress, now: number): boolean {
	return now - Date.parse(startedAt) < dayMs;
}

/** Detects lost events: then objects without a list are worth a call each. */
export function hasLosses({ isFull, counts }: ReconciliationProgress): boolean {
	return isFull || Object.values(counts).some((count) => (count?.found ?? 0) > 0);
}

/**
 * Advances after a page: to the next page, the next kind, or the end.
 *
 * @param changed number of new changes
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
 * Returns the state after the last kind. If a kind was skipped, the whole comparison is repeated
 * after a pause. Another requested comparison waits until the found events are applied; otherwise
 * it would find them again.
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
		// Changes of peers count as changes of their relationships, which have already been counted as
		// compared.
		relationships: { ...relationships, found: relationships.found + peers.found },
		messages: counts.messages ?? nothing,
		files: counts.files ?? nothing,
		templates: counts.templates ?? nothing,
		deletionProcesses: counts.deletionProcesses ?? nothing,
	};
}
