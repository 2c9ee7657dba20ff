import type { InboxEvent } from '../../../core/model/record/sync';
import type { Store, SyncOverview, WriteTransaction } from '../../../core/store/store';
import { createdAt, workRecord } from '../../support/records';
import type { HostOfTest } from '../store.contract';

const later = '2030-01-02T00:00:00.000Z';

const event: InboxEvent = {
	id: 'SYI1',
	runId: 'SYR1',
	type: 'MessageReceived',
	index: 0,
	createdAt,
	payload: {},
	state: 'pending',
	attempts: 0,
};

const syncState = { id: 'sync', phase: 'idle', reconciliationNeeded: false } as const;

type Change = (tx: WriteTransaction) => Promise<unknown>;

/** Records that a sync has to work on, and from when. */
const open: ReadonlyArray<readonly [string, Change, Partial<SyncOverview>]> = [
	['an event to apply', (tx) => tx.inbox.insert(event, undefined), { inboxDueAt: '' }],
	[
		'an event to apply later',
		(tx) => tx.inbox.insert({ ...event, notBefore: later }, undefined),
		{ inboxDueAt: later },
	],
	['work', (tx) => tx.work.insert(workRecord('FIL1', 'deleteFile'), undefined), { workDueAt: '' }],
	[
		'the earliest of all work',
		async (tx) => {
			for (const [id, dueAt] of [
				['FIL1', later],
				['FIL2', createdAt],
			] as const) {
				await tx.work.insert(workRecord(id, 'deleteFile', { dueAt }), undefined);
			}
		},
		{ workDueAt: createdAt },
	],
];

async function fillWithEndedWork(tx: WriteTransaction): Promise<void> {
	await tx.inbox.insert({ ...event, id: 'SYI0', state: 'done' }, undefined);
	await tx.work.insert(workRecord('REQ0', 'acceptRequest', { state: 'parked' }), undefined);
}

export function openWorkPromises(host: HostOfTest): void {
	describe('the overview of open work', () => {
		const overview = (store: Store): Promise<SyncOverview> => store.read((tx) => tx.syncOverview());

		it('shows nothing of what has ended, or waits for a person', async () => {
			const { store } = host();
			await store.transact(fillWithEndedWork);
			expect(await overview(store)).toEqual({ leases: [] });
		});

		it.each(open)('shows %s with its time', async (_what, change, shown) => {
			const { store } = host();
			await store.transact(fillWithEndedWork);
			await store.transact(change);
			expect(await overview(store)).toEqual({ leases: [], ...shown });
		});

		it('shows leases and the state of the sync', async () => {
			const { store } = host();
			await store.transact(async (tx) => {
				await tx.leases.take('sync', 'a', 1_000);
				await tx.syncState.insert(syncState, undefined);
			});
			expect(await overview(store)).toEqual({
				leases: [{ name: 'sync', holder: 'a', isExpired: false }],
				state: syncState,
			});
		});
	});
}
