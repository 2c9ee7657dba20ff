import { until } from '../../support/until';
import { failureOf, type Responder } from '../backbone/fixture-server';
import { EngineBench, leaseMs, noEvents, nothing } from './engine-bench';

let bench: EngineBench;
beforeEach(async () => {
	jest.useFakeTimers({ advanceTimers: true, doNotFake: ['nextTick', 'setImmediate', 'Date'] });
	bench = await EngineBench.open();
});
afterEach(async () => {
	await bench.close();
	jest.useRealTimers();
});

const destroyed: Responder = (_request, response) => response.destroy();

/** Lets time pass for the store and for timers, whose work then uses the store. */
const pass = async (durationMs: number): Promise<void> => {
	bench.clock.advance(durationMs);
	jest.advanceTimersByTime(durationMs);
	await bench.stored();
};

describe('the mark of a process that syncs', () => {
	it.each(['endAsking', 'close'] as const)('goes with %s', async (end) => {
		await bench.run();
		await bench.engine[end]();
		expect(await bench.leases()).toEqual([]);
		expect((await bench.stored())?.reconciliationNeeded).toBe(false);
	});

	it('stays until the running sync has ended', async () => {
		const answer = Promise.withResolvers<void>();
		bench.start = (request, response) => {
			void answer.promise.then(() => noEvents(request, response));
		};
		const ended: string[] = [];
		const sync = bench.run().then(() => ended.push('sync'));
		await until(() => bench.asked === 1);
		const end = bench.engine.endAsking().then(() => ended.push('mark'));
		expect(await bench.leases()).toEqual(['sync-run']);
		answer.resolve();
		await Promise.all([sync, end]);
		expect(ended).toEqual(['sync', 'mark']);
		expect(await bench.leases()).toEqual([]);
	});

	it('goes after a sync that failed', async () => {
		bench.start = destroyed;
		const failing = failureOf(bench.run());
		await bench.engine.endAsking();
		await failing;
		expect(await bench.leases()).toEqual([]);
	});

	it('leaves a note if a run may have been lost, which only one process needs', async () => {
		bench.start = destroyed;
		await failureOf(bench.run());
		await bench.engine.endAsking();
		expect(await bench.leases()).toEqual([]);
		expect((await bench.stored())?.reconciliationNeeded).toBe(true);
		// Another process has compared meanwhile.
		await bench.write();
		bench.start = noEvents;
		expect(await bench.doneByRun()).toEqual(['look', 'after']);
	});

	it('that could not be removed lets this process compare', async () => {
		await bench.write();
		bench.start = destroyed;
		await failureOf(bench.run());
		bench.refuseWrites(true);
		await failureOf(bench.engine.endAsking());
		await bench.engine.endAsking();
		bench.refuseWrites(false);
		bench.start = noEvents;
		expect(await bench.doneByRun()).toContain('reconcile');
	});

	it('goes two seconds after the last sync without a follower', async () => {
		bench.isFollowed = false;
		await bench.run();
		await pass(1_500);
		await bench.run();
		await pass(1_999);
		expect(await bench.leases()).toEqual(['sync-run']);
		await pass(1);
		await until(async () => (await bench.leases()).length === 0);
	});

	it('stays while there is a follower', async () => {
		await bench.run();
		await pass(2_000);
		expect(await bench.leases()).toEqual(['sync-run']);
	});
});

describe('the lease of a sync', () => {
	/** Begins a sync, and returns a function that lets it end. */
	const begin = async () => {
		const settled = Promise.withResolvers<never[]>();
		let isSettling = false;
		const settle = () => {
			isSettling = true;
			return settled.promise;
		};
		bench.more = { settle };
		await bench.interruptAction();
		bench.brings('KindOfLater');
		const sync = bench.run();
		await until(() => isSettling);
		return () => {
			settled.resolve([]);
			return sync;
		};
	};

	const isHeld = async (): Promise<boolean> =>
		(await bench.store.read((tx) => tx.leases.list())).some(
			({ name, isExpired }) => name === 'sync' && !isExpired,
		);

	it('is prolonged as long as the sync runs', async () => {
		const end = await begin();
		for (let part = 1; part <= 6; part++) {
			await pass(leaseMs / 3);
			expect(await isHeld()).toBe(true);
		}
		expect(await end()).toEqual({ touched: [{}], failures: [] });
		await pass(leaseMs);
		expect(await bench.leases()).toEqual(['sync-run']);
		expect(bench.warnings).toEqual([]);
	});

	it('is not taken again after another process had it', async () => {
		const end = await begin();
		bench.clock.advance(leaseMs + 1);
		expect(await bench.take('sync')).toBe(true);
		await bench.drop('sync');
		jest.advanceTimersByTime(leaseMs / 3);
		expect(await isHeld()).toBe(false);
		expect(await failureOf(end())).toMatchObject({ code: 'error.gateway.store.leaseLost' });
		bench.more = {};
		expect(await bench.run()).not.toEqual(nothing);
	});
});
