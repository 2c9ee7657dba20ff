import type { InboxEvent } from '../../../core/model/record/sync';
import type { RelationshipRecord } from '../../../core/model/record/relationship';
import { markDone } from '../../../core/sync/sync-inbox';
import { hashPeerAddress } from '../../../core/domain/left-peer';
import { peers } from '../domain/message/send-bench';
import { empty, failureOf, inTurn, result, type Responder } from '../backbone/fixture-server';
import { changed, InboxBench } from './inbox-bench';

let bench: InboxBench;
beforeEach(async () => {
	bench = await InboxBench.open();
});
afterEach(() => bench.close());

describe('a Backbone that does not answer', () => {
	const fail = async (count: number) => {
		await bench.addFirst(5);
		for (let index = 0; index < 5; index++) {
			bench.answers.single[index] = index < count ? empty(503) : result(bench.message(index));
		}
		return await bench.apply();
	};

	it.each([
		[1, [1, 2, 3, 4]],
		[2, [2, 3, 4]],
		[3, []],
	])('about %i events, but about others, fails these', async (count, applied) => {
		const { outcome, touched, failures } = await fail(count);
		expect(outcome).toBe('applied');
		expect(touched).toEqual(changed(...applied));
		const code = 'error.platform.unexpected';
		const failed = Array.from({ length: count }, (_, index) => index);
		expect(failures).toEqual(failed.map((index) => [`SYI${index}`, code]));
		expect((await bench.states()).slice(0, count)).toEqual(
			failed.map((index) => `SYI${index} pending 1`),
		);
	});

	it('with a usable form is not a reason to end', async () => {
		await bench.addFirst(1);
		bench.answers.single = { 0: result('no message') };
		const { outcome, failures } = await bench.apply();
		expect(outcome).toBe('applied');
		expect(failures).toEqual([['SYI0', 'error.gateway.backbone.unexpectedAnswer']]);
	});
});

describe('an aborted sync', () => {
	it.each([
		['the list of messages', 'list'],
		['one message', 'single'],
	] as const)('ends, and counts no attempt, while %s is fetched', async (_what, kind) => {
		const abort = new AbortController();
		const answer = () => abort.abort();
		await bench.addFirst(kind === 'list' ? 2 : 1);
		if (kind === 'list') bench.answers.list = answer;
		else bench.answers.single = { 0: answer };
		const { outcome, failures } = await bench.apply({ signal: abort.signal });
		expect(outcome).toBe(abort.signal.reason);
		expect(failures).toEqual([]);
		expect((await bench.states())[0]).toBe('SYI0 pending 0');
	});

	it('ends while an event that waited is tried again', async () => {
		const abort = new AbortController();
		await bench.add(waiting(0));
		bench.answers.single = { 0: () => abort.abort() };
		const report = { touched: [{ relationshipId: 'REL1' }], failures: [] };
		const { outcome } = await bench.apply({ signal: abort.signal }, report);
		expect(outcome).toBe(abort.signal.reason);
	});
});

describe('an event that another process handles meanwhile', () => {
	const answerAfter =
		(work: (event: InboxEvent) => Promise<unknown>): Responder =>
		(request, response) =>
			void work(bench.event(0)).then(() => result(bench.message(0))(request, response));

	it.each<[string, (event: InboxEvent) => Promise<unknown>]>([
		['applied', (event) => bench.store.transact((tx) => markDone(tx, event))],
		['removed', (event) => bench.store.transact((tx) => tx.inbox.delete(event.id))],
	])('is not applied again after it was %s', async (_what, handle) => {
		await bench.addFirst(1);
		bench.answers.single = { 0: answerAfter(handle) };
		expect(await bench.apply()).toEqual({
			outcome: 'applied',
			touched: [{}],
			failures: [],
			reasons: [],
		});
		expect(await bench.storedIds()).toEqual([]);
	});
});

describe('a message from a decomposed relationship', () => {
	const left = [hashPeerAddress(peers[0] ?? '')];

	it.each([
		['shows', true],
		['no longer shows', false],
	])('is discarded if the Backbone %s it', async (_what, isShown) => {
		await bench.add(bench.event(0, { leftPeers: left }));
		if (isShown) bench.answers.single = { 0: result(bench.message(0)) };
		const { outcome, touched, failures } = await bench.apply();
		expect([outcome, touched, failures]).toEqual(['applied', [{}], []]);
		expect(await bench.storedIds()).toEqual([]);
		expect(await bench.states()).toEqual(['SYI0 done 1']);
	});
});

it('a message of a peer with a planned deletion asks whether that still holds', async () => {
	await bench.store.transact(async (tx) => {
		const [entry] = await tx.relationships.list({
			where: [{ field: 'peer', op: 'eq', value: peers[0] ?? '' }],
		});
		const deletionDate = '2030-02-01T00:00:00.000Z';
		const peerDeletionInfo = { deletionStatus: 'ToBeDeleted', deletionDate } as const;
		const record = entry?.record as RelationshipRecord;
		await tx.relationships.update({ ...record, peerDeletionInfo });
	});
	await bench.addFirst(1);
	bench.answers.single = { 0: result(bench.message(0)) };
	expect((await bench.apply()).touched).toEqual(changed(0));
	expect(bench.sends.callsTo('Relationships/CanCreate')).toBeGreaterThan(0);
});

it('a failing event with the content of another failed one is not reported', async () => {
	const failed = { attempts: 1, lastFailure: { code: 'error.any', message: '' } };
	await bench.add(
		bench.event(0, { ...failed, notBefore: '2099-01-01T00:00:00.000Z' }),
		bench.event(1, { payload: { id: 'MSG0' } }),
	);
	expect(await bench.apply()).toEqual({
		outcome: 'applied',
		touched: [{}],
		failures: [],
		reasons: [],
	});
	expect(await bench.states()).toEqual(['SYI0 pending 1', 'SYI1 done 1']);
});

/** An event that came before its relationship, and whose next attempt is planned for later. */
const waiting = (index: number): InboxEvent =>
	bench.event(index, {
		attempts: 1,
		notBefore: '2099-01-01T00:00:00.000Z',
		lastFailure: { code: 'error.transport.recordNotFound', message: '' },
	});

describe('a message that came before its relationship', () => {
	const relationshipStored = { relationshipId: 'REL1' };

	it('fails, and is applied after the relationship is stored', async () => {
		const relationships = await bench.store.transact(async (tx) => {
			const entries = await tx.relationships.list();
			for (const { record } of entries) await tx.relationships.delete(record.id);
			return entries.map(({ record, secrets }) => [record, secrets] as const);
		});
		await bench.addFirst(1);
		bench.answers.single = { 0: result(bench.message(0)) };
		const { failures, outcome } = await bench.apply();
		expect(outcome).toBe('applied');
		expect(failures).toEqual([['SYI0', 'error.transport.recordNotFound']]);
		expect(await failureOf(bench.process.messages.get('MSG0'))).toBeDefined();
		await bench.store.transact(async (tx) => {
			for (const [record, secrets] of relationships) {
				await tx.relationships.insert(record as RelationshipRecord, secrets);
			}
		});
		await bench.apply({}, { touched: [relationshipStored], failures: [] });
		expect(await bench.storedIds()).toEqual(['MSG0']);
		expect(await bench.states()).toEqual(['SYI0 done 2']);
	});

	it('is no longer reported as failed once it is applied', async () => {
		const failure = (index: number) => ({
			...{ eventId: `SYI${index}`, type: 'MessageReceived', code: 'error.any', message: '' },
		});
		await bench.add(waiting(0), waiting(1), waiting(2));
		bench.answers.single = { 0: result(bench.message(0)), 2: result(bench.message(2)) };
		const report = {
			touched: [relationshipStored],
			failures: [0, 1, 2, 3].map((index) => failure(index)),
		};
		const { outcome, touched, failures } = await bench.apply({}, report);
		expect(outcome).toBe('applied');
		expect(touched).toEqual([relationshipStored, ...changed(0, 2)]);
		expect(failures.map(([id]) => id)).toEqual(['SYI1', 'SYI3']);
	});

	it('is applied without a former report', async () => {
		await bench.add(waiting(0));
		bench.answers.single = { 0: result(bench.message(0)) };
		const other = { eventId: 'SYI9', type: 'MessageReceived', code: 'error.any', message: '' };
		const report = { touched: [relationshipStored], failures: [other] };
		const { touched, failures } = await bench.apply({}, report);
		expect(touched).toEqual([relationshipStored, ...changed(0)]);
		expect(failures).toEqual([['SYI9', 'error.any']]);
	});

	it('is tried again as long as others succeed, and then keeps its plan', async () => {
		await bench.add(waiting(0), waiting(1), waiting(2));
		bench.answers.single = {
			0: inTurn(empty(404), result(bench.message(0))),
			1: result(bench.message(1)),
		};
		const { outcome, touched, failures } = await bench.apply(
			{},
			{ touched: [relationshipStored], failures: [] },
		);
		expect(outcome).toBe('applied');
		expect(touched).toEqual([relationshipStored, ...changed(1, 0)]);
		expect(failures).toEqual([]);
		expect((await bench.states())[2]).toBe('SYI2 pending 1');
	});
});

it('a defect in the step of an event that waited ends the sync', async () => {
	await bench.add({ ...waiting(0), type: 'FileOwnershipLocked', payload: { fileId: 'FIL1' } });
	const { outcome } = await bench.apply(
		{},
		{ touched: [{ relationshipId: 'REL1' }], failures: [] },
	);
	expect(outcome).toBeInstanceOf(TypeError);
});
