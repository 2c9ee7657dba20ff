import { simulation, waits } from './simulated-waits';
import { identityErrors } from '../../../core/domain/identity/identity-errors';
import type { Store } from '../../../core/store/store';
import type { SyncEngineDependencies } from '../../../core/sync/sync-engine';
import { failureOf, inTurn, problem, type Responder } from '../backbone/fixture-server';
import {
	anotherRunIsOpen,
	created,
	dayMs,
	EngineBench,
	leaseMs,
	noEvents,
	nothing,
} from './engine-bench';

let bench: EngineBench;
beforeEach(async () => {
	bench = await EngineBench.open();
	waits.length = 0;
	simulation.onWait = (durationMs) => bench.clock.advance(durationMs);
});
afterEach(() => bench.close());

/** Lets work happen before the Backbone answers. */
const after =
	(work: () => unknown, answer: Responder): Responder =>
	(request, response) =>
		void Promise.resolve(work()).then(() => answer(request, response));

describe('a sync beside another process', () => {
	it('is left to it if the caller wants that', async () => {
		await bench.take('sync');
		expect(await bench.run()).toBeUndefined();
		expect(bench.asked).toBe(0);
		expect(bench.done).toEqual(['look']);
		bench.clock.advance(leaseMs + 1);
		expect(await bench.run()).toEqual(nothing);
	});

	it('waits for its end', async () => {
		await bench.take('sync');
		simulation.onWait = () => (waits.length === 3 ? bench.drop('sync') : undefined);
		expect(await bench.run(false)).toEqual(nothing);
		expect(waits).toEqual([100, 100, 100]);
	});

	it('fails after half a minute', async () => {
		await bench.take('sync', dayMs);
		expect(await failureOf(bench.run(false))).toMatchObject({
			code: 'error.gateway.sync.busyElsewhere',
		});
		expect(waits).toHaveLength(300);
		expect(bench.done).not.toContain('after');
	});

	it('whose run is open waits for it three times, and takes the lease the fourth time', async () => {
		bench.start = anotherRunIsOpen;
		for (let times = 1; times <= 3; times++) expect(await bench.run()).toBeUndefined();
		expect(bench.asked).toBe(3);
		bench.start = inTurn(anotherRunIsOpen, noEvents);
		expect(await bench.run()).toEqual(nothing);
		expect(bench.asked).toBe(5);
	});

	it('counts open runs from the beginning after an answer', async () => {
		bench.start = anotherRunIsOpen;
		for (let times = 1; times <= 3; times++) await bench.run();
		bench.start = noEvents;
		await bench.run();
		bench.start = anotherRunIsOpen;
		for (let times = 1; times <= 3; times++) expect(await bench.run()).toBeUndefined();
	});

	it('with a new run waits up to five seconds for a process that is about to finish', async () => {
		bench.brings('KindOfLater');
		bench.start = after(() => bench.take('sync'), created);
		simulation.onWait = (durationMs) => {
			bench.clock.advance(durationMs);
			return waits.length === 50 ? bench.drop('sync') : undefined;
		};
		expect((await bench.run())?.touched).toEqual([{}]);
		expect(waits).toHaveLength(50);
		bench.brings('AnotherKind');
		bench.start = after(() => bench.take('sync', dayMs), created);
		simulation.onWait = (durationMs) => bench.clock.advance(durationMs);
		waits.length = 0;
		expect(await bench.run()).toBeUndefined();
		expect(waits).toHaveLength(50);
		expect(await bench.leases()).toEqual(['sync-run', 'sync of another']);
	});

	it('without a new run does not wait for a process that has become faster', async () => {
		bench.start = anotherRunIsOpen;
		for (let times = 1; times <= 3; times++) await bench.run();
		bench.start = after(() => bench.take('sync', dayMs), anotherRunIsOpen);
		expect(await bench.run()).toBeUndefined();
		expect(waits).toEqual([]);
	});
});

describe('a sync that may have lost a run', () => {
	const looseConnection: Responder = (_request, response) => response.destroy();

	const loseRun = async (): Promise<void> => {
		bench.start = looseConnection;
		await failureOf(bench.run());
		bench.start = noEvents;
	};

	it('compares once, and leaves that to the store afterwards', async () => {
		await bench.write();
		await loseRun();
		const compared = ['look', 'reconcile', 'followUp', 'after'];
		expect(await bench.doneByRun()).toEqual(compared);
		// The comparison has succeeded.
		await bench.write();
		expect(await bench.doneByRun()).toEqual(['look', 'after']);
	});

	it('keeps that in mind while another process has the lease', async () => {
		await bench.write();
		// The other process takes the lease right after this process has looked at the store.
		let isFaster = false;
		const read: Store['read'] = async (work, options) => {
			const seen = await bench.store.read(work, options);
			if (isFaster) await bench.take('sync');
			return seen;
		};
		const store = Object.assign(Object.create(bench.store) as Store, { read });
		bench.engine = bench.newEngine(store);
		await loseRun();
		isFaster = true;
		expect(await bench.run()).toBeUndefined();
		isFaster = false;
		await bench.drop('sync');
		expect(await bench.doneByRun()).toContain('reconcile');
	});
});

describe('an aborted sync', () => {
	const abortDuring = (answer: Responder): AbortSignal => {
		const abort = new AbortController();
		bench.start = after(() => abort.abort(), answer);
		return abort.signal;
	};

	it('keeps a run that the Backbone has created meanwhile', async () => {
		bench.brings('KindOfLater');
		const signal = abortDuring(created);
		expect(await failureOf(bench.engine.run({ signal }))).toBe(signal.reason);
		expect(await bench.stored()).toMatchObject({ phase: 'fetching', runId: 'SYR1' });
		expect(await bench.leases()).toEqual(['sync-run']);
		expect((await bench.run())?.touched).toEqual([{}]);
	});

	it('stores nothing without a run', async () => {
		bench.start = anotherRunIsOpen;
		for (let times = 1; times <= 3; times++) await bench.run();
		const signal = abortDuring(anotherRunIsOpen);
		expect(await failureOf(bench.engine.run({ signal }))).toBe(signal.reason);
		expect(await bench.stored()).toBeUndefined();
	});
});

describe('a sync that is refused because of a planned deletion', () => {
	const toBeDeleted = problem(400, identityErrors.toBeDeleted.code);
	type IdentityDeletion = SyncEngineDependencies['services']['identityDeletion'];

	/** An account whose deletion is planned, or was cancelled a moment ago. */
	const deletionIs = (planned: 'planned' | 'cancelled'): void => {
		const process = planned === 'planned' ? { id: 'IDP1', status: 'Approved' } : undefined;
		const identityDeletion = {
			refresh: () => Promise.resolve(),
			ending: () => Promise.resolve(process),
		} as unknown as IdentityDeletion;
		bench.more = { services: { identityDeletion } as SyncEngineDependencies['services'] };
		bench.engine = bench.newEngine();
	};

	it('is repeated until the Backbone has noticed the cancellation', async () => {
		deletionIs('cancelled');
		bench.start = inTurn(toBeDeleted, toBeDeleted, toBeDeleted, noEvents);
		expect(await bench.run()).toEqual(nothing);
		expect(waits).toEqual([0, 500, 1_500]);
	});

	it('fails if the Backbone does not notice the cancellation for two seconds', async () => {
		deletionIs('cancelled');
		bench.start = toBeDeleted;
		expect(await failureOf(bench.run())).toMatchObject({ kind: 'unavailable' });
		expect(bench.asked).toBe(4);
	});

	it('fails at once while the deletion is planned', async () => {
		deletionIs('planned');
		bench.start = toBeDeleted;
		const error = await failureOf(bench.run());
		expect(error).toMatchObject({ code: identityErrors.toBeDeleted.code, kind: 'conflict' });
		expect(bench.asked).toBe(1);
	});
});
