import { silentLogger } from '../../../core/base/logger';
import { systemRandom } from '../../../core/base/random';
import type { SyncState } from '../../../core/model/record/sync';
import { SyncEngine, type SyncEngineDependencies } from '../../../core/sync/sync-engine';
import type { Store } from '../../../core/store/store';
import { TestClock } from '../../support/clock';
import { openMemoryStore } from '../../support/store';
import { until } from '../../support/until';
import {
	failureOf,
	FixtureServer,
	problem,
	result,
	type Responder,
} from '../backbone/fixture-server';

const dayMs = 24 * 3_600_000;
const leaseMs = 30_000;

const noEvents = result({ status: 'NoNewEvents', syncRun: null });
const anotherRunIsOpen = problem(
	400,
	'error.platform.validation.syncRun.cannotStartSyncRunWhenAnotherSyncRunIsRunning',
);

let clock: TestClock;
let store: Store;
let server: FixtureServer;
let engine: SyncEngine;
/** What the engine did besides asking, in order. */
let done: string[];
let isFollowed: boolean;
let start: Responder;
let events: object[];
let more: Partial<SyncEngineDependencies>;

const newEngine = (): SyncEngine => {
	const step = (name: string) => (): Promise<never[]> => {
		done.push(name);
		return Promise.resolve([]);
	};
	return new SyncEngine({
		...{ store, backbone: server.connect(), clock, random: systemRandom, logger: silentLogger },
		...{ leaseMs, services: {} as SyncEngineDependencies['services'] },
		eventsFound: (createdAt) => done.push(`found ${createdAt.length}`),
		lookAtStore: async () => void (await step('look')()),
		settle: (options) => more.settle?.(options) ?? step('settle')(),
		reconcile: (options) => more.reconcile?.(options) ?? step('reconcile')(),
		followUp: async () => void (await step('followUp')()),
		isFollowed: () => isFollowed,
		afterSync: () => done.push('after'),
	});
};

beforeEach(async () => {
	clock = new TestClock();
	store = await openMemoryStore(clock);
	[done, events, more, isFollowed, start] = [[], [], {}, true, noEvents];
	server = await FixtureServer.open({
		'POST /api/v2/SyncRuns': (request, response) => start(request, response),
		'GET /api/v2/SyncRuns/SYR1/ExternalEvents': (request, response) =>
			result(events)(request, response),
		'PUT /api/v2/SyncRuns/SYR1/FinalizeExternalEventSync': (request, response) => {
			start = noEvents;
			result({ newUnsyncedExternalEventsExist: false })(request, response);
		},
	});
	engine = newEngine();
});
afterEach(async () => {
	await engine.close();
	await store.close();
	await server.close();
});

const brings = (...types: readonly unknown[]): void => {
	start = result({ status: 'Created', syncRun: { id: 'SYR1' } }, 201);
	events = types.map((type, index) => ({
		...{ id: `SYI${index}`, type, index, payload: {} },
		createdAt: new Date(clock.now() - 1_000).toISOString(),
	}));
};

const stored = async (): Promise<SyncState | undefined> =>
	(await store.read((tx) => tx.syncState.get('sync')))?.record;

const write = async (parts: Partial<SyncState>): Promise<void> => {
	const idle = { id: 'sync', phase: 'idle', reconciliationNeeded: false } as const;
	const reconciliation = { dueAt: new Date(clock.now() + dayMs).toISOString() };
	await store.transact((tx) =>
		tx.syncState.insert({ ...idle, reconciliation, ...parts }, undefined),
	);
};

const leases = async (): Promise<string[]> =>
	(await store.read((tx) => tx.leases.list())).map(({ name, holder }) =>
		holder === 'other' ? `${name} of another` : name.replace(/:.*/, ''),
	);

const take = (name: string, ms = leaseMs): Promise<boolean> =>
	store.transact((tx) => tx.leases.take(name, 'other', ms));

const asked = (): number => server.calls('/api/v2/SyncRuns').length;

const run = (skipIfBusy = true) => engine.run({ skipIfBusy });

const nothing = { touched: [], failures: [] };

describe('a sync without events', () => {
	it('asks once, and does nothing else', async () => {
		expect(engine.lastCompletedAt).toBeUndefined();
		expect(await run()).toEqual(nothing);
		expect(asked()).toBe(1);
		expect(done).toEqual(['look', 'after']);
		expect(engine.lastCompletedAt).toBe(clock.now());
		expect(await leases()).toEqual(['sync-run']);
	});

	it('stores its time once a minute', async () => {
		await run();
		const first = (await stored())?.lastCompletedAt;
		expect(first).toBe(new Date(clock.now()).toISOString());
		clock.advance(59_999);
		await run();
		expect((await stored())?.lastCompletedAt).toBe(first);
		expect(engine.lastCompletedAt).toBe(clock.now());
		clock.advance(1);
		await run();
		expect((await stored())?.lastCompletedAt).toBe(new Date(clock.now()).toISOString());
	});

	it('plans the first comparison a day later', async () => {
		await run();
		expect((await stored())?.reconciliation?.dueAt).toBe(
			new Date(clock.now() + dayMs).toISOString(),
		);
	});

	it('is shared by callers at the same time', async () => {
		const [one, other] = await Promise.all([run(), run()]);
		expect(one).toBe(other);
		expect(asked()).toBe(1);
	});

	it('leaves no time for a next attempt', async () => {
		await run();
		expect(await engine.nextDueAt({})).toBeUndefined();
	});
});

describe('a sync with events', () => {
	it('stores and applies them, and goes on with other work', async () => {
		brings('KindOfLater', 'AnotherKind');
		expect(await run()).toEqual({ touched: [{}, {}], failures: [] });
		expect(done).toEqual(['look', 'found 2', 'settle', 'followUp', 'after']);
		expect(await stored()).toMatchObject({
			...{ phase: 'idle', reconciliationNeeded: false },
			lastCompletedAt: new Date(clock.now()).toISOString(),
		});
		expect((await stored())?.runId).toBeUndefined();
		expect(await leases()).toEqual(['sync-run']);
		expect(engine.lastCompletedAt).toBe(clock.now());
	});

	it('reports those that failed, and tries them again when that is due', async () => {
		brings(7);
		const report = await run();
		expect(report?.touched).toEqual([]);
		expect(report?.failures).toMatchObject([{ eventId: 'SYI0', code: 'error.transport.unknown' }]);
		// The comparison finds what an event without a readable type was about.
		expect(done).toEqual(['look', 'found 1', 'settle', 'reconcile', 'followUp', 'after']);
		expect(await engine.nextDueAt({})).toBe(clock.now() + 2_000);
		await store.transact(async (tx) => {
			const state = (await tx.syncState.get('sync'))?.record as SyncState;
			const reconciliation = { dueAt: new Date(clock.now() + dayMs).toISOString() };
			await tx.syncState.update({ ...state, reconciliationNeeded: false, reconciliation });
		});
		[done, events] = [[], []];
		clock.advance(1_999);
		await run();
		expect(done).toEqual(['look', 'after']);
		clock.advance(1);
		done = [];
		expect((await run())?.failures).toHaveLength(1);
		expect(done).toEqual(['look', 'settle', 'followUp', 'after'].filter((step) => step !== ''));
	});

	it('ends after the events if no work is left', async () => {
		brings();
		expect(await run()).toEqual(nothing);
		expect(done).toEqual(['look', 'found 0', 'after']);
		expect(await leases()).toEqual(['sync-run']);
	});

	it('gives its lease back when it fails', async () => {
		brings('KindOfLater');
		more = { settle: () => Promise.reject(new Error('failed')) };
		expect((await failureOf(run())).message).toBe('failed');
		expect(await leases()).toEqual(['sync-run']);
		expect(engine.lastCompletedAt).toBeUndefined();
		expect(done).not.toContain('after');
	});

	it('reports what others have changed', async () => {
		brings('KindOfLater');
		more = {
			settle: () => Promise.resolve([{ messageId: 'MSG1' }]),
			reconcile: () => Promise.resolve([{ deletionProcessId: 'IDP1' }]),
		};
		await write({ reconciliationNeeded: true });
		expect((await run())?.touched).toEqual([
			...[{ messageId: 'MSG1' }, {}],
			{ deletionProcessId: 'IDP1' },
		]);
	});
});

describe('work that is left', () => {
	it.each<[string, Partial<SyncState>]>([
		['a comparison that is needed', { reconciliationNeeded: true }],
		['a comparison that is due', { reconciliation: { dueAt: '2029-12-31T00:00:00.000Z' } }],
	])('is found before asking: %s', async (_kind, state) => {
		await write(state);
		await run();
		expect(done).toEqual(['look', 'settle', 'reconcile', 'followUp', 'after']);
		expect(asked()).toBe(1);
	});

	it('is a run that was not finished', async () => {
		events = [];
		await write({ phase: 'fetching', runId: 'SYR1' });
		await run();
		expect(done).toEqual(['look', 'found 0', 'after']);
		expect(server.calls('/api/v2/SyncRuns/SYR1/FinalizeExternalEventSync')).toHaveLength(1);
		expect(asked()).toBe(0);
	});

	it('is the mark of a process that is gone, which is removed', async () => {
		await write({});
		await take('sync-run:other');
		await run();
		expect(done).toEqual(['look', 'after']);
		clock.advance(leaseMs + 1);
		done = [];
		await run();
		expect(done).toEqual(['look', 'settle', 'reconcile', 'followUp', 'after']);
		expect(await leases()).toEqual(['sync-run']);
		expect((await stored())?.reconciliationNeeded).toBe(true);
	});
});

describe('a sync beside another process', () => {
	it('is left to it if the caller wants that', async () => {
		await take('sync');
		expect(await run()).toBeUndefined();
		expect(asked()).toBe(0);
		expect(done).toEqual(['look']);
		clock.advance(leaseMs + 1);
		expect(await run()).toEqual(nothing);
	});

	it('waits for its end', async () => {
		await take('sync');
		const waiting = run(false);
		await until(() => done.length >= 2);
		await store.transact((tx) => tx.leases.drop('sync', 'other'));
		expect(await waiting).toEqual(nothing);
	});

	it('fails after half a minute', async () => {
		await take('sync', dayMs);
		const waiting = failureOf(run(false));
		await until(() => done.length >= 2);
		clock.advance(30_000);
		expect(await waiting).toMatchObject({ code: 'error.gateway.sync.busyElsewhere' });
		expect(done).not.toContain('after');
	});

	it('whose run is open waits for it three times, and takes the lease the fourth time', async () => {
		start = anotherRunIsOpen;
		for (let times = 1; times <= 3; times++) expect(await run()).toBeUndefined();
		expect(asked()).toBe(3);
		let asksUnderLease = 0;
		start = (request, response) => {
			const answer = ++asksUnderLease === 1 ? anotherRunIsOpen : noEvents;
			answer(request, response);
		};
		expect(await run()).toEqual(nothing);
		expect(asksUnderLease).toBe(2);
	});

	it('counts open runs from the beginning after an answer', async () => {
		start = anotherRunIsOpen;
		for (let times = 1; times <= 3; times++) await run();
		start = noEvents;
		await run();
		start = anotherRunIsOpen;
		for (let times = 1; times <= 3; times++) expect(await run()).toBeUndefined();
	});
});

describe('the mark of a process that syncs', () => {
	it('goes when it ends', async () => {
		await run();
		await engine.endAsking();
		expect(await leases()).toEqual([]);
		expect((await stored())?.reconciliationNeeded).toBe(false);
	});

	it('leaves a note if a run may have been lost', async () => {
		start = (_request, response) => response.destroy();
		await failureOf(run());
		await engine.endAsking();
		expect(await leases()).toEqual([]);
		expect((await stored())?.reconciliationNeeded).toBe(true);
	});

	it('lets the next sync compare if a run may have been lost', async () => {
		await write({});
		start = (_request, response) => response.destroy();
		await failureOf(run());
		start = noEvents;
		done = [];
		await run();
		expect(done).toEqual(['look', 'settle', 'reconcile', 'followUp', 'after']);
	});

	it('goes two seconds after a sync without a follower', async () => {
		jest.useFakeTimers({ advanceTimers: true, doNotFake: ['nextTick', 'setImmediate', 'Date'] });
		try {
			isFollowed = false;
			await run();
			expect(await leases()).toEqual(['sync-run']);
			jest.advanceTimersByTime(2_000);
			await until(async () => (await leases()).length === 0);
			isFollowed = true;
			await run();
			jest.advanceTimersByTime(2_000);
			expect(await leases()).toEqual(['sync-run']);
		} finally {
			jest.useRealTimers();
		}
	});
});
