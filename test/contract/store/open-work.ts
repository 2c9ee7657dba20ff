import type { InboxEvent } from '../../../core/model/record/sync';
import type { RelationshipRecord } from '../../../core/model/record/relationship';
import type { RequestRecord } from '../../../core/model/record/request';
import type { RetryState } from '../../../core/model/record/retry-state';
import type { Store, WriteTransaction } from '../../../core/store/store';
import {
	createdAt,
	intentRecord,
	messageSecrets,
	peerAddress,
	templateRecord,
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
	content: {},
	statusLog: [],
};

const relationship: RelationshipRecord = {
	id: 'REL1',
	status: 'Active',
	peer: peerAddress,
	peerPublicKey: 'key',
	createdByUs: false,
	templateId: 'RLT1',
	template: templateRecord('RLT1'),
	creationContent: {},
	auditLog: [],
	createdAt,
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

const relationshipSecrets = { template: { secretKey: 'key' } };
const objectIntent = { id: 'FIL1', action: 'deleteFile', createdAt } as const;
const process = (status: string) => ({ id: 'IDP1', status });

const syncState = { id: 'sync', phase: 'idle', reconciliationNeeded: false } as const;

type Change = (tx: WriteTransaction) => Promise<unknown>;

/** Records that a sync has to work on, and from when. */
const open: ReadonlyArray<readonly [string, Change, string]> = [
	['an event to apply', (tx) => tx.inbox.insert({ ...event, state: 'pending' }, undefined), ''],
	[
		'an event to apply later',
		(tx) => tx.inbox.insert({ ...event, state: 'pending', notBefore: later }, undefined),
		later,
	],
	['a prepared send', (tx) => tx.sendIntents.insert(intentRecord('1'), messageSecrets), ''],
	[
		'a prepared send that has failed',
		(tx) => tx.sendIntents.insert(intentRecord('1', { retry }), messageSecrets),
		later,
	],
	[
		'a request with an answer to deliver',
		(tx) => tx.requests.insert({ ...request, pending: 'delivery', retry }, undefined),
		later,
	],
	[
		'an object whose change has begun',
		(tx) => tx.objectIntents.insert(objectIntent, undefined),
		'',
	],
	[
		'a relationship whose change has begun',
		(tx) => tx.relationships.insert({ ...relationship, operation: 'accept' }, relationshipSecrets),
		'',
	],
	[
		'a deletion of the identity',
		(tx) => tx.deletionProcesses.insert(process('Approved'), undefined),
		'',
	],
	[
		'a deletion of the identity that could not be read',
		async (tx) => {
			await tx.deletionProcesses.insert(process('WaitingForApproval'), undefined);
			await tx.syncState.insert({ ...syncState, retry }, undefined);
		},
		later,
	],
];

async function fillWithEndedWork(tx: WriteTransaction): Promise<void> {
	await tx.inbox.insert({ ...event, id: 'SYI0' }, undefined);
	await tx.sendIntents.insert(intentRecord('0', { state: 'sent' }), messageSecrets);
	await tx.requests.insert({ ...request, id: 'REQ0' }, undefined);
	await tx.relationships.insert({ ...relationship, id: 'REL0' }, relationshipSecrets);
	await tx.deletionProcesses.insert({ ...process('Cancelled'), id: 'IDP0' }, undefined);
}

export function openWorkPromises(host: HostOfTest): void {
	describe('the overview of open work', () => {
		const dueAt = async (store: Store): Promise<string | undefined> =>
			(await store.read((tx) => tx.syncOverview())).openWorkDueAt;

		it('shows nothing of what has ended', async () => {
			const { store } = host();
			await store.transact(fillWithEndedWork);
			expect(await dueAt(store)).toBeUndefined();
		});

		it.each(open)('shows %s with its time', async (_what, change, time) => {
			const { store } = host();
			await store.transact(fillWithEndedWork);
			await store.transact(change);
			expect(await dueAt(store)).toBe(time);
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
