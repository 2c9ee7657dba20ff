import type { SyncState } from '../../../core/model/record/sync';
import { empty, failureOf } from '../backbone/fixture-server';
import { dayMs, EngineBench, leaseMs, nothing } from './engine-bench';

let bench: EngineBench;
beforeEach(async () => {
	bench = await EngineBench.open();
});
afterEach(() => bench.close());

describe('a sync without events', () => {
	it('asks once, and does nothing else', async () => {
		expect(bench.engine.lastCompletedAt).toBeUndefined();
		expect(await bench.run()).toEqual(nothing);
		expect(bench.asked).toBe(1);
		expect(bench.done).toEqual(['look', 'after']);
		expect(bench.engine.lastCompletedAt).toBe(bench.clock.now());
		expect(await bench.leases()).toEqual(['sync-run']);
	});

	it('stores its time once a minute', async () => {
		await bench.run();
		const first = (await bench.stored())?.lastCompletedAt;
		expect(first).toBe(new Date(bench.clock.now()).toISOString());
		bench.clock.advance(59_999);
		await bench.run();
		expect((await bench.stored())?.lastCompletedAt).toBe(first);
		expect(bench.engine.lastCompletedAt).toBe(bench.clock.now());
		bench.clock.advance(1);
		await bench.run();
		expect((await bench.stored())?.lastCompletedAt).toBe(new Date(bench.clock.now()).toISOString());
	});

	it('plans the first comparison a day later', async () => {
		await bench.run();
		expect((await bench.stored())?.reconciliation?.dueAt).toBe(
			new Date(bench.clock.now() + dayMs).toISOString(),
		);
	});

	it('is shared by callers at the same time', async () => {
		const [one, other] = await Promise.all([bench.run(), bench.run()]);
		expect(one).toBe(other);
		expect(bench.asked).toBe(1);
	});

	it('leaves no time for a next attempt, which is known without the store', async () => {
		await bench.run();
		await bench.engine.endAsking();
		await bench.store.close();
		expect(await bench.engine.nextDueAt({})).toBeUndefined();
	});
});

describe('a sync with events', () => {
	it('stores and applies them, and goes on with other work', async () => {
		bench.brings('KindOfLater', 'AnotherKind');
		expect(await bench.run()).toEqual({ touched: [{}, {}], failures: [] });
		expect(bench.done).toEqual(['look', 'found 2', 'followUp', 'after']);
		expect(await bench.stored()).toMatchObject({
			...{ phase: 'idle', reconciliationNeeded: false },
			lastCompletedAt: new Date(bench.clock.now()).toISOString(),
		});
		expect((await bench.stored())?.runId).toBeUndefined();
		expect(await bench.leases()).toEqual(['sync-run']);
		expect(bench.engine.lastCompletedAt).toBe(bench.clock.now());
	});

	it('reports those that failed, and tries them again when that is due', async () => {
		bench.brings(7);
		const report = await bench.run();
		expect(report?.touched).toEqual([]);
		expect(report?.failures).toMatchObject([{ eventId: 'SYI0', code: 'error.transport.unknown' }]);
		// The comparison finds what an event without a readable type was about.
		expect(bench.done).toEqual(['look', 'found 1', 'reconcile', 'followUp', 'after']);
		expect(await bench.engine.nextDueAt({})).toBe(bench.clock.now() + 2_000);
		await bench.store.transact(async (tx) => {
			const state = (await tx.syncState.get('sync'))?.record as SyncState;
			const reconciliation = { dueAt: new Date(bench.clock.now() + dayMs).toISOString() };
			await tx.syncState.update({ ...state, reconciliationNeeded: false, reconciliation });
		});
		[bench.done, bench.events] = [[], []];
		bench.clock.advance(1_999);
		await bench.run();
		expect(bench.done).toEqual(['look', 'after']);
		expect(await bench.engine.nextDueAt({})).toBe(bench.clock.now() + 1);
		expect(await bench.newEngine().nextDueAt({})).toBe(bench.clock.now() + 1);
		bench.clock.advance(1);
		bench.done = [];
		expect((await bench.run())?.failures).toHaveLength(1);
		expect(bench.done).toEqual(['look', 'followUp', 'after']);
	});

	it('ends after the events if no work is left', async () => {
		bench.brings();
		expect(await bench.run()).toEqual(nothing);
		expect(bench.done).toEqual(['look', 'found 0', 'after']);
		expect(await bench.leases()).toEqual(['sync-run']);
	});

	it('completes interrupted actions only if there are any', async () => {
		await bench.interruptAction();
		bench.brings('KindOfLater');
		await bench.run();
		expect(bench.done).toEqual(['look', 'found 1', 'settle', 'followUp', 'after']);
		await bench.completeAction();
		bench.brings();
		bench.events = [{ ...bench.eventOf('KindOfLater', 0), id: 'SYI9' }];
		expect(await bench.doneByRun()).toEqual(['look', 'found 1', 'followUp', 'after']);
	});

	it('gives its lease back when it fails', async () => {
		bench.brings('KindOfLater');
		bench.more = { followUp: () => Promise.reject(new Error('failed')) };
		expect((await failureOf(bench.run())).message).toBe('failed');
		expect(await bench.leases()).toEqual(['sync-run']);
		expect(bench.engine.lastCompletedAt).toBeUndefined();
		expect(bench.done).not.toContain('after');
	});

	it('gives its lease back when it cannot fetch events', async () => {
		bench.brings('KindOfLater');
		bench.eventsAnswer = empty(403);
		await failureOf(bench.run());
		expect(await bench.leases()).toEqual(['sync-run']);
	});

	it('is not held up by an own lease that could not be given back', async () => {
		bench.brings('KindOfLater');
		await bench.interruptAction();
		const settle = () => {
			bench.refuseWrites(true);
			return Promise.reject(new Error('failed'));
		};
		bench.more = { settle };
		expect((await failureOf(bench.run())).message).toBe('failed');
		bench.refuseWrites(false);
		expect(await bench.leases()).toEqual(['sync-run', 'sync']);
		bench.more = {};
		expect((await bench.run())?.touched).toEqual([{}]);
		expect(await bench.leases()).toEqual(['sync-run']);
	});

	it('reports what others have changed', async () => {
		bench.brings('KindOfLater');
		bench.more = {
			settle: () => Promise.resolve([{ messageId: 'MSG1' }]),
			reconcile: () => Promise.resolve([{ deletionProcessId: 'IDP1' }]),
		};
		await bench.write({ reconciliationNeeded: true });
		await bench.interruptAction();
		expect((await bench.run())?.touched).toEqual([
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
		await bench.write(state);
		await bench.run();
		expect(bench.done).toEqual(['look', 'reconcile', 'followUp', 'after']);
		expect(bench.asked).toBe(1);
	});

	it('is a run that was not finished', async () => {
		bench.events = [];
		await bench.write({ phase: 'fetching', runId: 'SYR1' });
		await bench.run();
		expect(bench.done).toEqual(['look', 'found 0', 'after']);
		expect(bench.server.calls('/api/v2/SyncRuns/SYR1/FinalizeExternalEventSync')).toHaveLength(1);
		expect(bench.asked).toBe(0);
	});

	it('is the mark of a process that is gone, which is removed', async () => {
		await bench.write({});
		await bench.take('sync-run:other');
		await bench.run();
		expect(bench.done).toEqual(['look', 'after']);
		bench.clock.advance(leaseMs + 1);
		bench.done = [];
		await bench.run();
		expect(bench.done).toEqual(['look', 'reconcile', 'followUp', 'after']);
		expect(await bench.leases()).toEqual(['sync-run']);
		expect((await bench.stored())?.reconciliationNeeded).toBe(true);
	});
});
