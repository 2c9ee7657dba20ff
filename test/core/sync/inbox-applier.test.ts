import { silentLogger } from '../../../core/base/logger';
import type { WireMessage } from '../../../core/backbone/dto';
import { RelationshipService } from '../../../core/domain/relationship/relationship-service';
import type { ExternalEventFailure, InboxEvent } from '../../../core/model/record/sync';
import { InboxApplier } from '../../../core/sync/inbox-applier';
import type { ChangedIds, StepServices } from '../../../core/sync/steps/step';
import { SendBench, type SendingProcess } from '../domain/message/send-bench';
import { empty, failureOf, problem, result, type Responder } from '../backbone/fixture-server';

let bench: SendBench;
let started: SendingProcess;
/** Messages that the list shows, and answers to single requests. */
let listed: WireMessage[];
let list: Responder | undefined;
let single: Record<string, Responder>;

const unknown = problem(404, 'error.platform.recordNotFound');

beforeEach(async () => {
	[listed, list, single] = [[], undefined, {}];
	const routes = Array.from({ length: 60 }, (_, index): [string, Responder] => [
		`GET /api/v2/Messages/MSG${index}`,
		(request, response) => (single[`MSG${index}`] ?? unknown)(request, response),
	]);
	bench = await SendBench.open({
		'GET /api/v2/Messages': (request, response) => {
			const ids = request.query.getAll('ids');
			const found = listed.filter(({ id }) => ids.includes(id));
			(list ?? result(found))(request, response);
		},
		...Object.fromEntries(routes),
	});
	started = await bench.start();
});
afterEach(() => bench.close());

const eventOf = (index: number, parts: Partial<InboxEvent> = {}): InboxEvent => ({
	...{ id: `SYI${index}`, runId: 'SYR1', type: 'MessageReceived', index },
	createdAt: new Date(bench.clock.now() - 1_000).toISOString(),
	...{ payload: { id: `MSG${index}` }, state: 'pending', attempts: 0 },
	...parts,
});

const add = async (...events: readonly InboxEvent[]): Promise<void> =>
	await started.store.transact(async (tx) => {
		for (const event of events) await tx.inbox.insert(event, undefined);
	});

const message = (index: number, value: unknown = index): WireMessage =>
	bench.received(`MSG${index}`, {
		content: { '@type': 'ArbitraryMessageContent', value: value as string },
	});

async function apply(options = {}) {
	const { store } = started;
	const backbone = bench.connect();
	const context = { ...{ store, backbone, clock: bench.clock }, logger: silentLogger };
	const relationships = new RelationshipService(
		context as unknown as ConstructorParameters<typeof RelationshipService>[0],
	);
	const services = { messages: started.messages, relationships } as StepServices;
	const touched: ChangedIds[] = [];
	const failures: ExternalEventFailure[] = [];
	const applier = new InboxApplier({ ...context, services });
	const outcome = await applier
		.apply({ touched, failures }, options)
		.then(() => undefined)
		.catch((error: unknown) => error);
	return { outcome, touched, failures: failures.map(({ eventId, code }) => [eventId, code]) };
}

const ids = (...indexes: readonly number[]): ChangedIds[] =>
	indexes.map((index) => ({ messageId: `MSG${index}` }));

const storedIds = async (): Promise<string[]> =>
	(await started.store.read((tx) => tx.messages.list())).map(({ record }) => record.id);

const states = async (): Promise<string[]> =>
	(await started.store.read((tx) => tx.inbox.list())).map(
		({ record: { id, state } }) => `${id} ${state}`,
	);

const calls = (): number[] => [
	bench.callsTo('Messages'),
	...Array.from({ length: 60 }, (_, index) => bench.callsTo(`Messages/MSG${index}`)),
];
const singleCalls = (): number =>
	calls()
		.slice(1)
		.reduce((sum, count) => sum + count, 0);

describe('received messages', () => {
	it('are fetched with one call, and applied in their order', async () => {
		await add(...[0, 1, 2].map((index) => eventOf(index)));
		listed = [2, 0, 1].map((index) => message(index));
		expect(await apply()).toEqual({ outcome: undefined, touched: ids(0, 1, 2), failures: [] });
		expect([calls()[0], singleCalls()]).toEqual([1, 0]);
		expect(await storedIds()).toEqual(['MSG0', 'MSG1', 'MSG2']);
		expect(await states()).toEqual(['SYI0 done', 'SYI1 done', 'SYI2 done']);
	});

	it('are fetched fifty at a time', async () => {
		const all = Array.from({ length: 51 }, (_, index) => index);
		await add(...all.map((index) => eventOf(index)));
		listed = all.map((index) => message(index));
		single = { MSG50: result(message(50)) };
		expect((await apply()).touched).toEqual(ids(...all));
		expect([calls()[0], singleCalls()]).toEqual([1, 1]);
	});

	it('that the list does not show are fetched by themselves', async () => {
		await add(eventOf(0), eventOf(1));
		listed = [message(0)];
		single = { MSG1: result(message(1)) };
		expect((await apply()).touched).toEqual(ids(0, 1));
		expect(singleCalls()).toBe(1);
	});

	it.each([
		['cannot be read', () => result('no list')],
		['has no answer', () => empty(503)],
	])('are fetched by themselves if their list %s', async (_kind, answer) => {
		list = answer();
		await add(eventOf(0), eventOf(1));
		single = { MSG0: result(message(0)), MSG1: result(message(1)) };
		expect((await apply()).touched).toEqual(ids(0, 1));
	});

	it('that fail do not hold up the others', async () => {
		await add(...[0, 1, 2].map((index) => eventOf(index)));
		listed = [message(0), { ...message(1), recipients: [] }, message(2)];
		const { outcome, touched, failures } = await apply();
		expect(outcome).toBeUndefined();
		expect(touched).toEqual(ids(0, 2));
		expect(failures).toEqual([['SYI1', 'error.transport.messages.ownAddressNotInList']]);
		expect(await states()).toEqual(['SYI0 done', 'SYI1 pending', 'SYI2 done']);
	});

	it('that are large are applied like others', async () => {
		await add(...[0, 1, 2].map((index) => eventOf(index)));
		listed = [message(0), message(1, 'x'.repeat(100_000)), message(2)];
		expect((await apply()).touched).toEqual(ids(0, 1, 2));
	});
});

describe('other events', () => {
	it('of an unknown type are done', async () => {
		await add(eventOf(0, { type: 'KindOfLater' }));
		expect(await apply()).toEqual({ outcome: undefined, touched: [{}], failures: [] });
		expect(await states()).toEqual(['SYI0 done']);
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
		await add(eventOf(0, { type, payload }));
		expect((await apply()).failures).toEqual([['SYI0', 'error.transport.unknown']]);
	});

	it('keep their order among messages', async () => {
		await add(eventOf(0), eventOf(1, { type: 'KindOfLater' }), eventOf(2));
		listed = [message(0), message(2)];
		expect((await apply()).touched).toEqual([...ids(0), {}, ...ids(2)]);
	});
});

describe('a Backbone that does not answer', () => {
	const fail = async (count: number) => {
		await add(...Array.from({ length: 5 }, (_, index) => eventOf(index)));
		for (let index = 0; index < 5; index++) {
			single[`MSG${index}`] = index < count ? empty(503) : result(message(index));
		}
		return await apply();
	};

	it.each([
		[1, [1, 2, 3, 4]],
		[2, [2, 3, 4]],
		[3, []],
	])('for %i events fails the sync, after others are applied', async (count, applied) => {
		const { outcome, touched, failures } = await fail(count);
		expect(outcome).toMatchObject({ kind: 'unavailable' });
		expect(touched).toEqual(ids(...applied));
		expect(failures).toEqual([]);
		// The events themselves are not at fault.
		const events = await started.store.read((tx) => tx.inbox.list());
		expect(events.map(({ record }) => record.attempts).slice(0, count)).toEqual(
			Array.from({ length: count }, () => 0),
		);
	});

	it('with a usable form is no reason to end', async () => {
		await add(eventOf(0));
		single = { MSG0: result('no message') };
		expect((await apply()).failures).toEqual([['SYI0', 'error.gateway.backbone.unexpectedAnswer']]);
	});
});

it('an aborted sync ends, and counts no attempt', async () => {
	await add(eventOf(0), eventOf(1));
	const abort = new AbortController();
	list = () => abort.abort();
	const { outcome } = await apply({ signal: abort.signal });
	expect(outcome).toBe(abort.signal.reason);
	expect(await states()).toEqual(['SYI0 pending', 'SYI1 pending']);
});

it('a relationship that is not there yet lets its message wait', async () => {
	await started.store.transact(async (tx) => {
		for (const { record } of await tx.relationships.list())
			await tx.relationships.delete(record.id);
	});
	await add(eventOf(0));
	single = { MSG0: result(message(0)) };
	const { failures, outcome } = await apply();
	expect(outcome).toBeUndefined();
	expect(failures).toEqual([['SYI0', 'error.transport.recordNotFound']]);
	expect(await failureOf(started.messages.get('MSG0'))).toBeDefined();
});
