import { simulation, waits } from './simulated-waits';
import { silentLogger } from '../../../core/base/logger';
import type { InboxEvent, SyncState } from '../../../core/model/record/sync';
import type { Store } from '../../../core/store/store';
import { SyncRunFetcher } from '../../../core/sync/sync-run';
import { TestClock } from '../../support/clock';
import { openMemoryStore } from '../../support/store';
import {
	empty,
	failureOf,
	FixtureServer,
	inTurn,
	problem,
	result,
	type Responder,
} from '../backbone/fixture-server';
import { anotherRunIsOpen, created, noEvents } from './engine-bench';

const path = '/api/v2/SyncRuns';
const alreadyFinalized = problem(400, 'error.platform.validation.syncRun.syncRunAlreadyFinalized');
const finalized = (newUnsyncedExternalEventsExist: boolean): Responder =>
	result({ newUnsyncedExternalEventsExist });

let clock: TestClock;
let store: Store;
let server: FixtureServer;
let fetcher: SyncRunFetcher;
let start: Responder;
let events: Responder;
let finalize: Responder;
let found: number[][];

beforeEach(async () => {
	clock = new TestClock();
	store = await openMemoryStore(clock);
	[start, events, finalize, found] = [noEvents, result([]), finalized(false), []];
	server = await FixtureServer.open({
		[`POST ${path}`]: (request, response) => start(request, response),
		[`GET ${path}/SYR1/ExternalEvents`]: (request, response) => events(request, response),
		[`PUT ${path}/SYR1/FinalizeExternalEventSync`]: (request, response) =>
			finalize(request, response),
	});
	fetcher = new SyncRunFetcher({
		...{ store, backbone: server.connect(), clock, logger: silentLogger },
		push: { eventsFound: (createdAt) => void found.push([...createdAt]) },
	});
	waits.length = 0;
	simulation.onWait = (durationMs) => clock.advance(durationMs);
});
afterEach(async () => {
	await store.close();
	await server.close();
});

const at = (passedMs: number): string => new Date(clock.now() + passedMs).toISOString();

/** An event as the Backbone shows it. */
const shown = (id: string, parts: object = {}): object => ({
	...{ id, type: 'MessageReceived', index: 3, createdAt: at(-1_000), payload: { id: 'MSG1' } },
	...parts,
});

const received = (id: string, parts: Partial<InboxEvent> = {}): InboxEvent => ({
	...{ id, runId: 'SYR1', type: 'MessageReceived', index: 3, createdAt: at(-1_000) },
	...{ payload: { id: 'MSG1' }, state: 'pending', attempts: 0 },
	...parts,
});

const stored = async (): Promise<SyncState | undefined> =>
	(await store.read((tx) => tx.syncState.get('sync')))?.record;

const inbox = async (): Promise<InboxEvent[]> =>
	(await store.read((tx) => tx.inbox.list())).map(({ record }) => record);

const begin = (runId?: string, mayHaveLostEvents = false): Promise<SyncState> =>
	store.transact((tx) => fetcher.begin(tx, { runId, mayHaveLostEvents }));

const fetchAll = async (runId?: string): Promise<SyncState> =>
	await fetcher.fetchAll(await begin(runId), {});

/** Ids of events that runs have reported as processed. */
const reported = (): string[][] =>
	server.calls(`${path}/SYR1/FinalizeExternalEventSync`).map(({ body }) => {
		const { externalEventResults } = JSON.parse(body) as {
			externalEventResults: Array<{ externalEventId: string }>;
		};
		return externalEventResults.map(({ externalEventId }) => externalEventId);
	});

const asked = (): number => server.calls(path).length;

describe('fetching events', () => {
	it('stores the run before its events, and the events before the run is finalised', async () => {
		const states: unknown[] = [];
		const afterLook =
			(answer: Responder): Responder =>
			(request, response) =>
				void Promise.all([stored(), inbox()]).then(([state, known]) => {
					states.push([state?.phase, state?.runId, known.length]);
					answer(request, response);
				});
		start = inTurn(created, noEvents);
		events = afterLook(result([shown('SYI1')]));
		finalize = afterLook(finalized(true));
		const state = await fetchAll();
		expect(states).toEqual([
			['fetching', 'SYR1', 0],
			['finalizing', 'SYR1', 1],
		]);
		expect(state).toMatchObject({ phase: 'idle', reconciliationNeeded: false });
		expect(await stored()).toEqual(state);
		expect(JSON.parse(server.calls(path)[0]?.body ?? '')).toEqual({ type: 'ExternalEventSync' });
	});

	it('begins with a run that was created before', async () => {
		events = result([shown('SYI1')]);
		const begun = await begin('SYR1');
		expect(begun).toMatchObject({ phase: 'fetching', runId: 'SYR1' });
		expect(await fetcher.fetchAll(begun, {})).toMatchObject({ phase: 'idle' });
		expect(await inbox()).toEqual([received('SYI1')]);
		expect(found).toEqual([[clock.now() - 1_000]]);
		expect([asked(), reported()]).toEqual([0, [['SYI1']]]);
	});

	it('ends after twenty runs, even if there are ever more events', async () => {
		start = created;
		finalize = finalized(true);
		await fetchAll();
		expect([asked(), reported().length]).toEqual([20, 20]);
	});

	it.each([
		[true, 2],
		[false, 1],
	])('goes on if the Backbone has more events: %s', async (hasMore, runs) => {
		start = inTurn(created, noEvents);
		finalize = finalized(hasMore);
		await fetchAll();
		expect(asked()).toBe(runs);
	});

	it('keeps what can be read of an event', async () => {
		const createdAt = at(3_600_000);
		events = result([shown('SYI1', { createdAt: 7, type: 7 }), shown('SYI2', { createdAt })]);
		await fetchAll('SYR1');
		expect(await inbox()).toEqual([
			received('SYI1', { type: '', createdAt: at(0) }),
			// The clock of the Backbone may be ahead.
			received('SYI2', { createdAt: at(0) }),
		]);
		expect(found).toEqual([[clock.now() + 3_600_000]]);
	});

	it('recognises stored events, and reports them with the new run', async () => {
		await store.transact(async (tx) => {
			const former = { runId: 'SYR0', attempts: 1 };
			await tx.inbox.insert(received('SYI1', { ...former, state: 'parked' }), undefined);
			await tx.inbox.insert(received('SYI9', former), undefined);
		});
		events = result([shown('SYI1'), shown('SYI2')]);
		await fetchAll('SYR1');
		expect(reported()).toEqual([['SYI1', 'SYI2']]);
		expect(await inbox()).toEqual([
			received('SYI1', { attempts: 1, state: 'parked' }),
			received('SYI9', { runId: 'SYR0', attempts: 1 }),
			received('SYI2'),
		]);
	});

	it.each([
		['readable', [{}], false, 2],
		['without a type', [{ type: 7 }], true, 2],
		['without an id', [{}, { id: 7 }], true, 1],
	])('compares unless all events are readable: %s', async (_what, parts, isNeeded, runs) => {
		start = inTurn(created, noEvents);
		events = result(parts.map((part, index) => shown(`SYI${index}`, part)));
		finalize = finalized(true);
		expect((await fetchAll()).reconciliationNeeded).toBe(isNeeded);
		// The next offer of omitted events is left to the next sync.
		expect(asked()).toBe(runs);
	});
});

describe('a run that ended before', () => {
	it.each(['events', 'finalize'] as const)(
		'is over, as its answer to "%s" says, and another one follows',
		async (call) => {
			if (call === 'events') events = alreadyFinalized;
			finalize = alreadyFinalized;
			const state = await fetchAll('SYR1');
			expect(state).toMatchObject({ phase: 'idle', reconciliationNeeded: false });
			expect(state.runId).toBeUndefined();
			expect(asked()).toBe(1);
		},
	);

	it('is only finalised if its events were stored', async () => {
		const begun = await begin('SYR1');
		await fetcher.fetchAll({ ...begun, phase: 'finalizing' }, {});
		expect(server.calls(`${path}/SYR1/ExternalEvents`)).toEqual([]);
		expect([asked(), reported()]).toEqual([0, [[]]]);
	});

	it.each(['fetching', 'finalizing'] as const)(
		'may have cost an offer if the Backbone does not know it while %s',
		async (phase) => {
			const unknown = problem(404, 'error.platform.recordNotFound');
			[events, finalize] = [unknown, unknown];
			const begun = await begin('SYR1');
			const state = await fetcher.fetchAll({ ...begun, phase }, {});
			expect(state).toMatchObject({ phase: 'idle', reconciliationNeeded: true });
			expect(state.runId).toBeUndefined();
			expect(asked()).toBe(1);
		},
	);

	it.each(['events', 'finalize'] as const)(
		'is continued later if "%s" fails for another reason',
		async (call) => {
			if (call === 'events') events = empty(403);
			else finalize = empty(403);
			expect(await failureOf(fetchAll('SYR1'))).toMatchObject({ kind: 'forbidden' });
			expect(await stored()).toMatchObject({ runId: 'SYR1' });
		},
	);
});

describe('an open run whose id has not arrived', () => {
	it('is waited for up to twelve seconds, and lets the account compare', async () => {
		start = anotherRunIsOpen;
		const error = await failureOf(fetchAll());
		expect(String(error['code'])).toContain('AnotherSyncRunIsRunning');
		expect(waits).toEqual(Array.from({ length: 12 }, () => 1_000));
		expect(await stored()).toMatchObject({ phase: 'idle', reconciliationNeeded: true });
		expect(fetcher.mayHaveLostRun).toBe(false);
	});

	it('is followed by the next run', async () => {
		start = inTurn(anotherRunIsOpen, anotherRunIsOpen, created, noEvents);
		events = result([shown('SYI1')]);
		const state = await fetchAll();
		expect(state).toMatchObject({ phase: 'idle', reconciliationNeeded: true });
		expect(await inbox()).toEqual([received('SYI1', { createdAt: at(-3_000) })]);
		expect(waits).toHaveLength(2);
	});

	it('is not waited for after another failure', async () => {
		start = empty(403);
		expect(await failureOf(fetchAll())).toMatchObject({ kind: 'forbidden' });
		expect(waits).toEqual([]);
	});
});

describe('asking for a run', () => {
	it.each<[string, boolean, Responder]>([
		['has no answer', true, (_request, response) => response.destroy()],
		['is refused', false, empty(403)],
		['is refused because a run is open', false, anotherRunIsOpen],
	])('that %s may have created one: %s', async (_what, mayHaveLostRun, answer) => {
		start = answer;
		await failureOf(fetcher.ask({}));
		expect(fetcher.mayHaveLostRun).toBe(mayHaveLostRun);
		start = noEvents;
		expect(await fetcher.ask({})).toBeUndefined();
		expect(fetcher.mayHaveLostRun).toBe(mayHaveLostRun);
		fetcher.markLossRecorded();
		expect(fetcher.mayHaveLostRun).toBe(false);
	});

	it('is not begun for a caller that has given up', async () => {
		await failureOf(fetcher.ask({ signal: AbortSignal.abort() }));
		expect([asked(), fetcher.mayHaveLostRun]).toEqual([0, false]);
	});

	it('returns the id of a run that is created while the caller gives up', async () => {
		const abort = new AbortController();
		start = (request, response) => {
			abort.abort();
			created(request, response);
		};
		expect(await fetcher.ask({ signal: abort.signal })).toBe('SYR1');
	});
});
