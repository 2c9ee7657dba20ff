import { silentLogger } from '../../../../core/base/logger';
import type { MessageDependencies } from '../../../../core/domain/message/message-dependencies';
import { RestoredBackupGuard } from '../../../../core/domain/message/sending/restored-backup';
import { sealedBodyHash } from '../../../../core/domain/message/sending/sent-messages';
import type { SendIntentRecord } from '../../../../core/model/record/message';
import type { SyncState } from '../../../../core/model/record/sync';
import { intentRecord, messageRecord, messageSecrets } from '../../../support/records';
import { failureOf, result } from '../../backbone/fixture-server';
import { address, relationshipRecord } from '../../sync/reconciliation/comparison-bench';
import { bodyOf, MessagePages } from './message-pages';

const believable = 2 ** 31;
const secondsUntil2030 = (Date.UTC(2030, 0, 1) - Date.UTC(2024, 0, 1)) / 1_000;
const cautious = secondsUntil2030 + 2 ** 16;

let pages: MessagePages;

beforeEach(async () => {
	pages = await MessagePages.open();
	await pages.bench.addRelationships(relationshipRecord('REL1'));
	const state = { id: 'sync', phase: 'idle', reconciliationNeeded: false } as const;
	const { store } = pages.bench;
	await store.transact(async (tx) => {
		await tx.syncState.insert(state, undefined);
		// A counter that was used before.
		await tx.counters.reserve('transmit:REL1', 1);
		await tx.counters.reserve('other', 1);
	});
});
afterEach(() => pages.bench.close());

const newGuard = (): RestoredBackupGuard => {
	const { store, backbone, clock } = pages.bench;
	const context = { ...{ store, backbone, clock }, account: { address }, logger: silentLogger };
	return new RestoredBackupGuard(context as unknown as MessageDependencies);
};

const check = (): Promise<void> => newGuard().check({});

const counter = (name = 'transmit:REL1'): Promise<number> =>
	pages.bench.store.transact((tx) => tx.counters.reserve(name));

const stored = async (): Promise<SyncState | undefined> =>
	(await pages.bench.store.read((tx) => tx.syncState.get('sync')))?.record;

const storeMessage = (index: number): Promise<void> =>
	pages.bench.store.transact((tx) =>
		tx.messages.insert(messageRecord(`MSG${index}`, { isOwn: true }), messageSecrets),
	);

const isBackup = async (): Promise<boolean | undefined> => (await stored())?.reconciliationNeeded;

describe('a store that knows its newest message', () => {
	it('is not an old backup, and notes how far it was checked', async () => {
		pages.all = [pages.message(0), pages.message(1)];
		await storeMessage(1);
		await check();
		expect(await stored()).toMatchObject({
			...{ reconciliationNeeded: false, ownMessagesCheckedTo: pages.bench.now },
		});
		expect(await counter()).toBe(2);
	});

	it('knows it by its open send, too', async () => {
		pages.all = [pages.message(0), pages.message(1)];
		const record = intentRecord('SND1', { bodyHash: sealedBodyHash(bodyOf(1)) });
		await pages.bench.store.transact((tx) => tx.sendIntents.insert(record, messageSecrets));
		await check();
		expect(await isBackup()).toBe(false);
	});

	it('is checked once for each connection to the database', async () => {
		pages.all = [pages.message(0)];
		await storeMessage(0);
		const guard = newGuard();
		await guard.check({});
		const before = pages.requested.length;
		await guard.check({});
		expect(pages.requested).toHaveLength(before);
	});

	it.each([
		['without messages', 0],
		['with messages of peers only', 2],
	])('at a Backbone %s is not an old backup', async (_situation, count) => {
		pages.all = Array.from({ length: count }, (_, index) => pages.message(index, { isOwn: false }));
		await check();
		expect(await isBackup()).toBe(false);
		expect((await stored())?.ownMessagesCheckedTo).toBe(count === 0 ? undefined : pages.bench.now);
	});

	it('does not know it by the open send of another message, or by a send that has ended', async () => {
		pages.all = [pages.message(0)];
		const { store } = pages.bench;
		const add = (record: SendIntentRecord): Promise<void> =>
			store.transact((tx) => tx.sendIntents.insert(record, messageSecrets));
		await add(intentRecord('SND1', { bodyHash: sealedBodyHash(bodyOf(1)) }));
		const bodyHash = sealedBodyHash(bodyOf(0));
		await add(intentRecord('SND2', { state: 'failed', idempotencyKey: 'once', bodyHash }));
		await check();
		expect(await isBackup()).toBe(true);
	});

	it('asks nothing without a relationship', async () => {
		await pages.bench.store.transact((tx) => tx.relationships.delete('REL1'));
		await check();
		expect(pages.requested).toEqual([]);
	});
});

describe('a store that lacks messages of this account', () => {
	it('moves its counters on, and compares with the Backbone', async () => {
		pages.all = [
			pages.message(0, { counter: 900 }),
			pages.message(1, { counter: 41 }),
			pages.message(2, { counter: 40 }),
			pages.message(3, { isOwn: false, counter: 800 }),
		];
		await storeMessage(0);
		await check();
		expect(await stored()).toMatchObject({
			...{ reconciliationNeeded: true, ownMessagesCheckedTo: pages.bench.now },
		});
		expect(await counter()).toBe(42);
		// All counters go on in the same new block.
		expect(await counter('other')).toBe(42);
	});

	it('is not a backup for messages before the last check', async () => {
		pages.all = [
			pages.message(0, { agoMs: 2 }),
			pages.message(1, { agoMs: 1, isOwn: false }),
			pages.message(2, { isOwn: false }),
		];
		const state = (await stored()) as SyncState;
		const checkedTo = new Date(pages.bench.clock.now() - 1).toISOString();
		await pages.bench.store.transact((tx) =>
			tx.syncState.update({ ...state, ownMessagesCheckedTo: checkedTo }),
		);
		await check();
		expect(await isBackup()).toBe(false);
		expect((await stored())?.ownMessagesCheckedTo).toBe(pages.bench.now);
		pages.all.splice(0, 1, pages.message(0, { agoMs: 1 }));
		await check();
		expect(await isBackup()).toBe(false);
	});

	it('is one for a message of the instant of the last check', async () => {
		pages.all = [pages.message(0, { agoMs: 1 })];
		const state = (await stored()) as SyncState;
		const checkedTo = new Date(pages.bench.clock.now() - 1).toISOString();
		await pages.bench.store.transact((tx) =>
			tx.syncState.update({ ...state, ownMessagesCheckedTo: checkedTo }),
		);
		await check();
		expect(await isBackup()).toBe(true);
	});

	it.each([
		[believable - 1, believable],
		[believable, 3],
	])('believes the counter %i: the next is %i', async (given, next) => {
		pages.all = [pages.message(0, { counter: given })];
		await check();
		expect(await isBackup()).toBe(true);
		expect(await counter()).toBe(next);
	});

	it('takes no counter from a form that it does not write', async () => {
		const [recipient] = (pages.message(0) as { recipients: object[] }).recipients;
		pages.all = [
			{ ...pages.message(0), recipients: [{ ...recipient, encryptedKey: 'A'.repeat(60) }] },
		];
		await check();
		expect(await isBackup()).toBe(true);
		expect(await counter()).toBe(3);
	});

	it('estimates the counter of a message that it cannot read', async () => {
		pages.all = [{ id: 'MSG0', createdBy: address }];
		await check();
		expect(await counter()).toBe(cautious);
	});

	it('takes an unreadable message without a sender for its own, unless it is stored', async () => {
		pages.all = [{ id: 'MSG0' }];
		await storeMessage(0);
		await check();
		expect(await isBackup()).toBe(false);
		pages.all = [{ id: 'MSG1' }];
		await check();
		expect(await isBackup()).toBe(true);
	});

	it('compares no unreadable message with open sends, and keeps the time of the last check', async () => {
		pages.all = [{ id: 'MSG0' }];
		const state = (await stored()) as SyncState;
		await pages.bench.store.transact(async (tx) => {
			await tx.syncState.update({ ...state, ownMessagesCheckedTo: pages.bench.now });
			await tx.sendIntents.insert(intentRecord('SND1'), messageSecrets);
		});
		await check();
		expect(await stored()).toMatchObject({
			...{ reconciliationNeeded: true, ownMessagesCheckedTo: pages.bench.now },
		});
	});

	// The messages of the first, short page are read twice.
	it.each([
		[1_994, false],
		[1_995, true],
	])('may hide behind %i messages of peers: %s', async (count, mayHide) => {
		pages.all = Array.from({ length: count }, (_, index) => pages.message(index, { isOwn: false }));
		await check();
		expect(await isBackup()).toBe(mayHide);
		expect(await counter()).toBe(mayHide ? cautious : 2);
	});

	it('estimates the counters after two thousand messages', async () => {
		pages.all = Array.from({ length: 2_020 }, (_, index) =>
			pages.message(index, { isOwn: index % 2 === 0, counter: 50 }),
		);
		await check();
		expect(await counter()).toBe(cautious);
		expect(pages.requested.at(-1)).not.toBe('1/20');
	});

	it('moves its counters without a state of sync', async () => {
		await pages.bench.store.transact((tx) => tx.syncState.delete('sync'));
		pages.all = [pages.message(0, { counter: 41 })];
		await check();
		expect(await stored()).toBeUndefined();
		expect(await counter()).toBe(42);
	});
});

describe('a check that fails', () => {
	it('is repeated, and holds up no sync', async () => {
		pages.total = 10;
		const guard = newGuard();
		await pages.bench.backbone.close();
		expect((await failureOf(guard.check({})))['code']).toBe('error.gateway.backbone.closed');
		await guard.checkIfPossible({});
		expect(await isBackup()).toBe(false);
	});

	it('because it is aborted ends the sync', async () => {
		const { signal } = new AbortController();
		const reason = new Error('aborted');
		const aborted = AbortSignal.abort(reason);
		expect(await failureOf(newGuard().checkIfPossible({ signal: aborted }))).toBe(reason);
		pages.all = [pages.message(0)];
		await newGuard().checkIfPossible({ signal });
		expect(await isBackup()).toBe(true);
	});
});

describe('a list that cannot be read', () => {
	beforeEach(() => {
		pages.answer = result('no list');
	});

	it('lets sends go on, with estimated counters, and is not read at once again', async () => {
		const guard = newGuard();
		await guard.check({});
		expect(await counter()).toBe(cautious);
		const before = pages.requested.length;
		await guard.check({});
		expect(pages.requested).toHaveLength(before);
		expect(await counter()).toBe(cautious + 1);
	});

	it('is read later, down to the last check: what was sent meanwhile hides nothing', async () => {
		const guard = newGuard();
		await guard.check({});
		pages.answer = undefined;
		pages.all = [pages.message(0), pages.message(1)];
		await storeMessage(1);
		pages.bench.clock.advance(3_000);
		await guard.check({});
		expect(await stored()).toMatchObject({ reconciliationNeeded: true, hasLostMessages: true });
	});
});
