import { keepsAlive, waits } from './counted-waits';
import { until } from '../../support/until';
import { LoopBench } from './loop-bench';

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

let bench: LoopBench;
beforeEach(async () => {
	bench = await LoopBench.open();
});
afterEach(() => bench.close());

describe('a sync loop', () => {
	it('syncs at once, does what is due, and waits for the interval', async () => {
		expect(bench.demand.isFollowed).toBe(false);
		bench.subscribe();
		expect(bench.demand.isFollowed).toBe(true);
		await until(() => waits.length === 1);
		expect(bench.done).toEqual(['sync', 'maintain', 'next']);
		expect([waits, keepsAlive]).toEqual([[60_000], [false]]);
		expect(bench.loop.lastFailure).toBeUndefined();
		expect(bench.problems).toEqual([]);
	});

	it('skips a sync that another process runs, and passes its signal on', async () => {
		const given: Array<{ signal?: AbortSignal; skipIfBusy?: boolean }> = [];
		bench.more.sync = (options) => {
			given.push(options);
			return Promise.resolve(false);
		};
		bench.more.maintain = (options) => {
			given.push(options);
			return Promise.resolve();
		};
		bench.more.nextDueAt = (options) => {
			given.push(options);
			return Promise.resolve(undefined);
		};
		const { release } = bench.subscribe();
		await until(() => waits.length === 1);
		expect(given.map(({ skipIfBusy }) => skipIfBusy)).toEqual([true, undefined, undefined]);
		expect(given.map(({ signal }) => signal?.aborted)).toEqual([false, false, false]);
		await release();
		expect(given.map(({ signal }) => signal?.aborted)).toEqual([true, true, true]);
	});

	it('uses the shortest interval of its subscribers, from the last sync on', async () => {
		const first = bench.subscribe(60_000);
		await until(() => waits.length === 1);
		bench.clock.advance(10_000);
		const second = bench.subscribe(30_000);
		await until(() => waits.length === 2);
		await second.release();
		await until(() => waits.length === 3);
		expect(waits).toEqual([60_000, 20_000, 50_000]);
		expect(bench.done.filter((step) => step === 'sync')).toHaveLength(1);
		await first.release();
	});

	it('syncs at once if the shorter interval is over', async () => {
		bench.subscribe(60_000);
		await until(() => waits.length === 1);
		bench.clock.advance(30_000);
		bench.subscribe(30_000);
		await until(() => waits.length === 2);
		expect(waits).toEqual([60_000, 30_000]);
		expect(bench.done.filter((step) => step === 'sync')).toHaveLength(2);
	});

	it('syncs again when it is woken up during a sync', async () => {
		let syncs = 0;
		bench.more.sync = () => {
			if (++syncs === 1) bench.demand.request();
			return Promise.resolve(true);
		};
		bench.subscribe();
		await until(() => waits.length === 1);
		expect(syncs).toBe(2);
	});

	it('waits no longer than a timer can', async () => {
		bench.subscribe(2 ** 40);
		await until(() => waits.length === 1);
		expect(waits).toEqual([2 ** 31 - 1]);
	});

	it('ends with its last subscriber, and removes the mark then', async () => {
		const [first, second] = [bench.subscribe(), bench.subscribe()];
		await until(() => waits.length >= 1);
		await first.release();
		expect(bench.demand.isFollowed).toBe(true);
		expect(bench.done).not.toContain('end');
		await second.release();
		expect(bench.demand.isFollowed).toBe(false);
		await second.release();
		expect(bench.done.filter((step) => step === 'end')).toHaveLength(1);
	});

	it('is released by each subscriber once', async () => {
		const first = bench.subscribe();
		bench.subscribe();
		await first.release();
		await first.release();
		expect(bench.demand.isFollowed).toBe(true);
	});

	it('counts subscriptions with the same options apart', async () => {
		const options = { intervalMs: 60_000, push: false, onProblem: () => undefined };
		const first = bench.loop.subscribe(options);
		bench.loop.subscribe(options);
		await first.release();
		expect(bench.demand.isFollowed).toBe(true);
	});

	it('begins anew after its end', async () => {
		const { release } = bench.subscribe();
		await until(() => waits.length === 1);
		await release();
		bench.subscribe();
		await until(() => waits.length === 2);
		expect(bench.done).toEqual(['sync', 'maintain', 'next', 'end', 'sync', 'maintain', 'next']);
	});

	it('that could not remove its mark ends all the same', async () => {
		bench.more.endAsking = () => Promise.reject(new Error('The store is away.'));
		const { release } = bench.subscribe();
		await expect(release()).resolves.toBeUndefined();
	});

	it('has no subscribers after its close', async () => {
		const first = bench.subscribe();
		await until(() => waits.length === 1);
		await bench.loop.close();
		expect(bench.demand.isFollowed).toBe(false);
		const late = bench.subscribe();
		expect(bench.demand.isFollowed).toBe(false);
		await expect(late.release()).resolves.toBeUndefined();
		bench.demand.request();
		await nextTurn();
		await first.release();
		expect(bench.done).toEqual(['sync', 'maintain', 'next']);
	});

	it('is released when the running sync has ended', async () => {
		const syncing = Promise.withResolvers<boolean>();
		bench.more.sync = () => {
			bench.done.push('sync');
			return syncing.promise;
		};
		const { release } = bench.subscribe();
		await until(() => bench.syncs === 1);
		const released = release();
		await nextTurn();
		expect(bench.done).toEqual(['sync']);
		syncing.resolve(true);
		await released;
		expect(bench.done.at(-1)).toBe('end');
	});

	it('follows push if a subscriber wants it', async () => {
		const plain = bench.subscribe(60_000, false);
		await until(() => waits.length === 1);
		expect(bench.push.isConnected).toBe(false);
		expect(bench.server.calls('/api/v1/sse')).toHaveLength(0);
		const { release } = bench.subscribe(60_000, true);
		await until(() => bench.server.calls('/api/v1/sse').length === 1);
		await release();
		await plain.release();
	});

	it('syncs when push is connected', async () => {
		bench.answers.push = (_request, response) => {
			response.writeHead(200, { 'content-type': 'text/event-stream' });
			response.write('event: ConnectionOpened\ndata: _\n\n');
		};
		bench.subscribe(60_000, true);
		await until(() => bench.push.isConnected && bench.syncs === 2);
		expect(bench.push.isConnected).toBe(true);
	});
});
