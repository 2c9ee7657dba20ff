import { empty, result } from '../backbone/fixture-server';
import { changed, InboxBench } from './inbox-bench';

let bench: InboxBench;
beforeEach(async () => {
	bench = await InboxBench.open();
});
afterEach(() => bench.close());

/** Number of commits with events while messages are applied. */
const commitsOf = async (apply: () => Promise<unknown>): Promise<number> => {
	let commits = 0;
	const stop = bench.store.onEventsAppended(() => commits++);
	await apply();
	stop();
	return commits;
};

describe('received messages', () => {
	it('are fetched with one call, and applied in their order', async () => {
		await bench.addFirst(3);
		bench.answers.listed = [2, 0, 1].map((index) => bench.message(index));
		expect(await bench.apply()).toEqual({
			...{ outcome: 'applied', touched: changed(0, 1, 2), failures: [], reasons: [] },
		});
		expect([bench.listCalls, bench.singleCalls]).toEqual([1, 0]);
		expect(await bench.storedIds()).toEqual(['MSG0', 'MSG1', 'MSG2']);
		expect(await bench.states()).toEqual(['SYI0 done 1', 'SYI1 done 1', 'SYI2 done 1']);
	});

	it('are fetched fifty at a time', async () => {
		const all = Array.from({ length: 51 }, (_, index) => index);
		await bench.addFirst(51);
		bench.answers.listed = all.map((index) => bench.message(index));
		bench.answers.single = { 50: result(bench.message(50)) };
		expect((await bench.apply()).touched).toEqual(changed(...all));
		expect([bench.listCalls, bench.singleCalls]).toEqual([1, 1]);
	});

	it('that the list does not show are fetched by themselves', async () => {
		await bench.addFirst(2);
		bench.answers.listed = [bench.message(0)];
		bench.answers.single = { 1: result(bench.message(1)) };
		expect((await bench.apply()).touched).toEqual(changed(0, 1));
		expect(bench.singleCalls).toBe(1);
	});

	it.each([
		['cannot be read', () => result('no list')],
		['has no answer', () => empty(503)],
	])('are fetched by themselves if their list %s', async (_kind, answer) => {
		await bench.addFirst(2);
		bench.answers.list = answer();
		bench.answers.single = { 0: result(bench.message(0)), 1: result(bench.message(1)) };
		expect((await bench.apply()).touched).toEqual(changed(0, 1));
	});

	it('are not listed if there is only one besides the delivery of another', async () => {
		await bench.add(bench.event(0), bench.event(1, { type: 'MessageDelivered' }));
		bench.answers.single = { 0: result(bench.message(0)), 1: result(bench.message(1)) };
		expect((await bench.apply()).touched[0]).toEqual(changed(0)[0]);
		expect(bench.listCalls).toBe(0);
	});

	it('are listed without an id that cannot be read', async () => {
		await bench.add(bench.event(0), bench.event(1), bench.event(2, { payload: { id: 7 } }));
		bench.answers.listed = [bench.message(0), bench.message(1)];
		expect((await bench.apply()).touched).toEqual(changed(0, 1));
		expect([bench.listCalls, bench.singleCalls]).toEqual([1, 0]);
	});

	it('that fail do not hold up the others', async () => {
		await bench.addFirst(3);
		bench.answers.listed = [
			bench.message(0),
			{ ...bench.message(1), recipients: [] },
			bench.message(2),
		];
		const { outcome, touched, failures } = await bench.apply();
		expect(outcome).toBe('applied');
		expect(touched).toEqual(changed(0, 2));
		expect(failures).toEqual([['SYI1', 'error.transport.messages.ownAddressNotInList']]);
		expect(await bench.states()).toEqual(['SYI0 done 1', 'SYI1 pending 1', 'SYI2 done 1']);
	});

	it('that fail are requested once', async () => {
		await bench.addFirst(1);
		expect((await bench.apply()).failures).toHaveLength(1);
		expect(bench.singleCalls).toBe(1);
	});

	it.each([
		['ten with one commit', Array.from({ length: 21 }, () => 1), 3],
		['a large one alone', [1, 1, 60_000, 1, 1], 3],
		['two of medium size with one commit', [20_000, 20_000], 1],
		['an event that was fetched by itself alone', [1, undefined, 1], 3],
	])('are stored %s', async (_what, sizes, commits) => {
		await bench.addFirst(sizes.length);
		// Equal texts of one time are one message, which the Backbone shows repeatedly.
		const messages = sizes.map((size = 1, index) =>
			bench.message(index, `${index}${'x'.repeat(size)}`),
		);
		bench.answers.listed = messages.filter((_, index) => sizes[index] !== undefined);
		bench.answers.single = { 1: result(messages[1]) };
		expect(await commitsOf(() => bench.apply())).toBe(commits);
		expect(await bench.storedIds()).toEqual(messages.map(({ id }) => id));
	});
});

describe('other events', () => {
	it('of an unknown type are done', async () => {
		await bench.add(bench.event(0, { type: 'KindOfLater' }));
		expect(await bench.apply()).toEqual({
			outcome: 'applied',
			touched: [{}],
			failures: [],
			reasons: [],
		});
		expect(await bench.states()).toEqual(['SYI0 done 1']);
	});

	it.each([
		['', { id: 'MSG0' }],
		['MessageReceived', {}],
		['RelationshipStatusChanged', { relationshipId: 7 }],
		['PeerDeleted', { relationshipId: 'REL1' }],
		['FileOwnershipClaimed', { fileId: 'FIL1' }],
		['RelationshipTemplateAllocationsExhausted', {}],
		['IdentityDeletionProcessStarted', {}],
	])('of the type "%s" with %j fail', async (type, payload) => {
		await bench.add(bench.event(0, { type, payload }));
		const { failures, reasons } = await bench.apply();
		expect(failures).toEqual([['SYI0', 'error.transport.unknown']]);
		// The reason is the event and not a defect of the gateway.
		expect(reasons).toEqual([expect.stringMatching(/^The Backbone sent /)]);
	});

	it('keep their order among messages', async () => {
		await bench.add(bench.event(0), bench.event(1, { type: 'KindOfLater' }), bench.event(2));
		bench.answers.listed = [bench.message(0), bench.message(2)];
		expect((await bench.apply()).touched).toEqual([...changed(0), {}, ...changed(2)]);
	});
});
