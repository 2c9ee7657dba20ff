import { loosely } from '../../support/loosely';
import type { InboxEvent } from '../../../core/model/record/sync';
import type { RequestRecord } from '../../../core/model/record/request';
import type { RetryState } from '../../../core/model/record/retry-state';
import type { Store, SyncOverview, WriteTransaction } from '../../../core/store/store';
import {
	createdAt,
	intentRecord,
	messageSecrets,
	peerAddress,
	relationshipRecord,
	relationshipSecrets,
} from '../../support/records';
import type { HostOfTest } from '../store.contract';

const later = '2030-01-02T00:00:00.000Z';
const retry: RetryState = { attempts: 1, firstFailedAt: createdAt, notBefore: later };

const request: RequestRecord = {
	id: 'REQ1',
	isOwn: false,
	peer: peerAddress,
	createdAt,
	status: 'Decided',
	content: loosely({}),
	statusLog: [],
};

const event: InboxEvent = {
	id: 'SYI1',
	runId: 'SYR1',
	type: 'MessageReceived',
	index: 0,
	createdAt,
	payload: {},
	state: 'done',
	attempts: 0,
};

const objectIntent = { id: 'FIL1', action: 'deleteFile', createdAt } as const;
const process = (status: string) => ({ id: 'IDP1', status });

const syncState = { id: 'sync', phase: 'idle', reconciliationNeeded: false } as const;

type Change = (tx: WriteTransaction) => Promise<unknown>;

/** Records that a sync has to work on, from when, and their table. */
const open: ReadonlyArray<readonly [string, Change, string, string]> = [
	[
		'an event to apply',
		(tx) => tx.inbox.insert({ ...event, state: 'pending' }, undefined),
		'',
		'inbox',
	],
	[
		'an event to apply later',
		(tx) => tx.inbox.insert({ ...event, state: 'pending', notBefore: later }, undefined),
		later,
		'inbox',
	],
	[
		'a prepared send',
		(tx) => tx.sendIntents.insert(intentRecord('1'), messageSecrets),
		'',
		'send_intents',
	],
	[
		'a prepared send that has failed',
		(tx) => tx.sendIntents.insert(intentRecord('1', { retry }), messageSecrets),
		later,
		'send_intents',
	],
	[
		'a request with an answer to deliver',
		(tx) => tx.requests.insert({ ...request, pending: 'delivery', retry }, undefined),
		later,
		'requests',
	],
	[
		'an object whose change has begun',
		(tx) => tx.objectIntents.insert(objectIntent, undefined),
		'',
		'object_intents',
	],
	[
		'a relationship whose change has begun',
		(tx) =>
			tx.relationships.insert(
				relationshipRecord('REL1', { operation: 'accept' }),
				relationshipSecrets,
			),
		'',
		'relationships',
	],
	[
		'a deletion of the identity',
		(tx) => tx.deletionProcesses.insert(process('Approved'), undefined),
		'',
		'deletion_processes',
	],
	[
		'a deletion of the identity that could not be read',
		async (tx) => {
			await tx.deletionProcesses.insert(process('WaitingForApproval'), undefined);
			await tx.syncState.insert({ ...syncState, retry }, undefined);
		},
		later,
		'deletion_processes',
	],
];

async function fillWithEndedWork(tx: WriteTransaction): Promise<void> {
	await tx.inbox.insert({ ...event, id: 'SYI0' }, undefined);
	await tx.sendIntents.insert(intentRecord('0', { state: 'sent' }), messageSecrets);
	await tx.requests.insert({ ...request, id: 'REQ0' }, undefined);
	await tx.relationships.insert(relationshipRecord('REL0'), relationshipSecrets);
	await tx.deletionProcesses.insert({ ...process('Cancelled'), id: 'IDP0' }, undefined);
}

export function openWorkPromises(host: HostOfTest): void {
	describe('the overview of open work', () => {
		const overview = (store: Store): Promise<SyncOverview> => store.read((tx) => tx.syncOverview());
		const dueAt = async (store: Store): Promise<string | undefined> =>
			(await overview(store)).openWorkDueAt;

		it('shows nothing of what has ended', async () => {
			const { store } = host();
			await store.transact(fillWithEndedWork);
			expect(await overview(store)).toEqual({ leases: [], openCollections: [] });
		});

		it.each(open)('shows %s with its time', async (_what, change, openWorkDueAt, table) => {
			const { store } = host();
			await store.transact(fillWithEndedWork);
			await store.transact(change);
			expect(await overview(store)).toMatchObject({ openWorkDueAt, openCollections: [table] });
		});

		it('shows nothing beside leases and the state of the sync', async () => {
			const { store } = host();
			await store.transact(async (tx) => {
				await tx.leases.take('sync', 'a', 1_000);
				await tx.syncState.insert(syncState, undefined);
			});
			expect(await store.read((tx) => tx.syncOverview())).toEqual({
				leases: [{ name: 'sync', holder: 'a', isExpired: false }],
				state: syncState,
				openWorkDueAt: undefined,
				openCollections: [],
			});
		});

		it('shows a deletion of the identity at once when the state holds no time', async () => {
			const { store } = host();
			await store.transact(async (tx) => {
				await tx.deletionProcesses.insert(process('Approved'), undefined);
				await tx.syncState.insert(syncState, undefined);
			});
			expect(await dueAt(store)).toBe('');
		});

		it('shows the earliest time of all', async () => {
			const { store } = host();
			await store.transact(async (tx) => {
				await tx.requests.insert({ ...request, pending: 'automation', retry }, undefined);
				await tx.objectIntents.insert(
					{ ...objectIntent, retry: { ...retry, notBefore: createdAt } },
					undefined,
				);
			});
			expect(await dueAt(store)).toBe(createdAt);
		});
	});
}
