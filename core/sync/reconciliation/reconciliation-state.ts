import { isoInstant } from '../../base/clock';
import {
	reconciledKinds,
	type ReconciledKind,
	type ReconciliationProgress,
	type ReconciliationDto,
} from '../../model/record/reconciliation';
import type { SyncState } from '../../model/record/sync';
import type { Compared } from './found-events';

export const dayMs = 24 * 3_600_000;

/** Whether the next sync compares: events may have been lost, or a day is over. */
export function isReconciliationDue(state: SyncState | undefined, now: number): boolean {
	if (state === undefined) return false;
	const dueAt = state.reconciliation?.dueAt ?? '';
	return state.reconciliationNeeded || dueAt <= isoInstant(now);
}

export function begunAt(startedAt: string, isFull: boolean): ReconciliationProgress {
	return { startedAt, isFull, kind: reconciledKinds[0], counts: {} };
}

/** After a page: the place of the next one, the next kind, or the end. */
export function withCounts(
	progress: ReconciliationProgress,
	{ compared, found, next, changed = found.length }: Compared,
	following: ReconciledKind | undefined,
): ReconciliationProgress | { readonly ended: ReconciliationProgress } {
	const { kind, counts } = progress;
	const before = counts[kind] ?? { compared: 0, found: 0 };
	const sum = { compared: before.compared + compared, found: before.found + changed };
	const { position: _position, ...rest } = progress;
	const counted = { ...rest, counts: { ...counts, [kind]: sum } };
	if (next !== undefined) return { ...counted, position: next };
	return following === undefined ? { ended: counted } : { ...counted, kind: following };
}

export function reportOf(
	{ startedAt, isFull, counts }: ReconciliationProgress,
	completedAt: string,
): ReconciliationDto {
	const nothing = { compared: 0, found: 0 };
	return {
		startedAt,
		completedAt,
		isFull,
		relationships: counts.relationships ?? nothing,
		messages: counts.messages ?? nothing,
		files: counts.files ?? nothing,
		templates: counts.templates ?? nothing,
		deletionProcesses: counts.deletionProcesses ?? nothing,
	};
}
