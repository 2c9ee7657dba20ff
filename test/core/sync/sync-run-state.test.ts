import { silentLogger } from '../../../core/base/logger';
import type { SyncState } from '../../../core/model/record/sync';
import type { Store } from '../../../core/store/store';
import { SyncRunFetcher } from '../../../core/sync/sync-run';
import { TestClock } from '../../support/clock';
import { openMemoryStore } from '../../support/store';
import { FixtureServer } from '../backbone/fixture-server';
import { dayMs } from './engine-bench';

let clock: TestClock;
let store: Store;
let server: FixtureServer;
let fetcher: SyncRunFetcher;
beforeEach(async () => {
	clock = new TestClock();
	store = await openMemoryStore(clock);
	server = await FixtureServer.open();
	fetcher = new SyncRunFetcher({
		...{ store, backbone: server.connect(), clock, logger: silentLogger },
		push: { eventsFound: () => undefined },
	});
});
afterEach(async () => {
	await store.close();
	await server.close();
});

const at = (passedMs: number): string => new Date(clock.now() + passedMs).toISOString();

const stateOf = (parts: Partial<SyncState> = {}): SyncState => ({
	...({ id: 'sync', phase: 'idle', reconciliationNeeded: false } as const),
	...parts,
});

const stored = async (): Promise<SyncState | undefined> =>
	(await store.read((tx) => tx.syncState.get('sync')))?.record;

const put = (state: SyncState): Promise<unknown> =>
	store.transact(async (tx) => {
		await tx.syncState.delete('sync');
		await tx.syncState.insert(state, undefined);
	});

const begin = (runId: string | undefined, mayHaveLostEvents: boolean): Promise<SyncState> =>
	store.transact((tx) => fetcher.begin(tx, { runId, mayHaveLostEvents }));

const end = (state: SyncState): Promise<SyncState> =>
	store.transact((tx) => fetcher.end(tx, state));

const planned = { dueAt: '2030-01-01T06:00:00.000Z' };

describe('the state of the first sync', () => {
	it.each([false, true])('plans a comparison after a day; events lost: %s', async (isLost) => {
		const state = await begin(undefined, isLost);
		expect(state).toStrictEqual(
			stateOf({ reconciliationNeeded: isLost, reconciliation: { dueAt: at(dayMs) } }),
		);
		expect(await stored()).toEqual(state);
	});

	it('plans a comparison after a day if there are no events', async () => {
		await store.transact((tx) => fetcher.noteEmptySync(tx));
		expect(await stored()).toEqual(
			stateOf({ lastCompletedAt: at(0), reconciliation: { dueAt: at(dayMs) } }),
		);
	});
});

describe('the state at the beginning of a sync', () => {
	it.each([
		[false, false, false],
		[true, false, true],
		[false, true, true],
		[true, true, true],
	])('knows about lost events: now %s, before %s', async (now, before, expected) => {
		const former = stateOf({ reconciliationNeeded: before, reconciliation: planned });
		await put(former);
		const state = await begin(undefined, now);
		expect(state).toEqual({ ...former, reconciliationNeeded: expected });
		expect(await stored()).toEqual(state);
	});

	it('continues an unfinished run', async () => {
		const unfinished = stateOf({ phase: 'finalizing', runId: 'SYR1', reconciliation: planned });
		await put(unfinished);
		expect(await begin(undefined, false)).toEqual(unfinished);
	});

	it('replaces an unfinished run by a new one', async () => {
		await put(stateOf({ phase: 'finalizing', runId: 'SYR1', reconciliation: planned }));
		const state = await begin('SYR2', false);
		expect(state).toEqual(stateOf({ phase: 'fetching', runId: 'SYR2', reconciliation: planned }));
		expect(await stored()).toEqual(state);
	});
});

describe('the state at the end of a sync', () => {
	it.each([
		[false, false, false],
		[true, false, true],
		[false, true, true],
	])('knows about lost events: this sync %s, another process %s', async (own, other, expected) => {
		// Another process has planned the next comparison meanwhile.
		await put(stateOf({ reconciliationNeeded: other, reconciliation: planned }));
		const running = stateOf({ phase: 'finalizing', runId: 'SYR1', reconciliationNeeded: own });
		const state = await end({ ...running, reconciliation: { dueAt: at(0) } });
		expect(state).toEqual(
			stateOf({
				reconciliationNeeded: expected,
				reconciliation: planned,
				lastCompletedAt: at(0),
			}),
		);
		expect(state).not.toHaveProperty('runId');
		expect(await stored()).toEqual(state);
	});

	it.each([
		['of this sync', { reconciliation: planned }, { reconciliation: planned }],
		['that is not known', {}, {}],
	])('keeps the plan %s', async (_what, parts, expected) => {
		await put(stateOf());
		expect(await end(stateOf(parts))).toStrictEqual(
			stateOf({ ...expected, lastCompletedAt: at(0) }),
		);
	});

	it('without events keeps everything but the time', async () => {
		const former = stateOf({ reconciliationNeeded: true, reconciliation: planned });
		await put({ ...former, lastCompletedAt: at(-dayMs) });
		await store.transact((tx) => fetcher.noteEmptySync(tx));
		expect(await stored()).toEqual({ ...former, lastCompletedAt: at(0) });
	});
});
