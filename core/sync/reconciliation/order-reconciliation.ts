import type { Cancellable } from '../../base/abort';
import { parseInput } from '../../domain/validation';
import { reconcileInputSchema, type ReconciliationDto } from '../../model/record/reconciliation';
import type { SyncState } from '../../model/record/sync';
import type { Store } from '../../store/store';
import { syncErrors } from '../sync-errors';

/** limit of syncs, because a running sync may already be past its comparison */
const mostSyncs = 3;

/**
 * Requests a comparison with the Backbone in the next sync and waits for it.
 *
 * @throws `error.gateway.sync.notReconciled`
 */
export async function orderReconciliation(
	store: Store,
	sync: () => Promise<unknown>,
	input: unknown,
	options: Cancellable,
): Promise<ReconciliationDto> {
	const { full = false } = parseInput(reconcileInputSchema, input ?? {}, (message, field) =>
		syncErrors.create('invalidReconcileInput', { message, facts: { field } }),
	);
	const stateOf = async (): Promise<SyncState | undefined> =>
		(await store.read((tx) => tx.syncState.get('sync'), options))?.record;
	// The first sync creates the state that the request is written to.
	if ((await stateOf()) === undefined) await sync();
	const before = (await stateOf())?.reconciliation?.last;
	await store.transact((tx) => order(tx, full), options);
	for (let syncs = 0; syncs < mostSyncs; syncs++) {
		await sync();
		const { reconciliation, reconciliationNeeded } = (await stateOf()) ?? {};
		if (reconciliationNeeded === true) continue;
		const { last, failure, progress, isAgainWanted = false } = reconciliation ?? {};
		if (failure !== undefined) throw notReconciled(`${failure.code}: ${failure.message}`);
		if (isAgainWanted || progress !== undefined || last === undefined) continue;
		if (last.startedAt !== before?.startedAt || last.completedAt !== before.completedAt)
			return last;
	}
	throw notReconciled('another process is synchronising this account.');
}

async function order(tx: Parameters<Parameters<Store['transact']>[0]>[0], isFull: boolean) {
	const state = (await tx.syncState.get('sync'))?.record;
	if (state === undefined) return;
	const { dueAt = '', ...rest } = state.reconciliation ?? {};
	const reconciliation = { dueAt, ...rest, ...(isFull ? { isFullWanted: true as const } : {}) };
	await tx.syncState.update({ ...state, reconciliationNeeded: true, reconciliation });
}

function notReconciled(reason: string): Error {
	return syncErrors.create('notReconciled', {
		message: `The account could not be compared with the Backbone: ${reason}`,
	});
}
