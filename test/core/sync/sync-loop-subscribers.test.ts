import { waits } from './counted-waits';
import { silentLogger } from '../../../core/base/logger';
import type { GatewayError } from '../../../core/base/errors';
import { systemRandom, type Random } from '../../../core/base/random';
import { backboneErrors } from '../../../core/backbone/backbone-errors';
import { SyncLoop, type SyncLoopDependencies } from '../../../core/sync/sync-loop';
import type { GatewayProblem } from '../../../core';
import type { Store } from '../../../core/store/store';
import { empty, FixtureServer } from '../backbone/fixture-server';
import { TestClock } from '../../support/clock';
import { openMemoryStore } from '../../support/store';
import { until } from '../../support/until';

type Writable<Type> = { -readonly [Name in keyof Type]: Type[Name] };

let clock: TestClock;
let store: Store;
let server: FixtureServer;
let loop: SyncLoop;
/** What the loop did, in order. */
let done: string[];
let problems: Array<GatewayProblem | undefined>;
let dependencies: Partial<
	Writable<Pick<SyncLoopDependencies, 'sync' | 'maintain' | 'nextDueAt' | 'endAsking'>>
>;

/** Always the longest jitter. */
const random: Random = {
	bytes: (count) => Buffer.alloc(count, 255),
	text: (length, alphabet) => systemRandom.text(length, alphabet),
};

beforeEach(async () => {
	waits.length = 0;
	clock = new TestClock();
	store = await openMemoryStore(clock);
	server = await FixtureServer.open({ 'GET /api/v1/sse': empty(403) });
	[done, problems, dependencies] = [[], [], {}];
	const sync = () => {
		done.push('sync');
		return Promise.resolve(true);
	};
	const step = (name: string) => () => {
		done.push(name);
		return Promise.resolve(undefined);
	};
	const steps = {
		sync,
		maintain: step('maintain'),
		nextDueAt: step('next'),
		endAsking: step('end'),
	};
	const call =
		<Name extends keyof typeof steps>(name: Name) =>
		(...given: unknown[]) =>
			((dependencies[name] ?? steps[name]) as (...all: unknown[]) => never)(...given);
	loop = new SyncLoop({
		...{ store, backbone: server.connect(), clock, random, logger: silentLogger },
		...{ sync: call('sync'), maintain: call('maintain') },
		...{ nextDueAt: call('nextDueAt'), endAsking: call('endAsking') },
	});
});
afterEach(async () => {
	await loop.close();
	await store.close();
	await server.close();
});

const subscribe = (intervalMs = 60_000, push = false) =>
	loop.subscribe({ intervalMs, push, onProblem: (problem) => problems.push(problem) });

const error = (kind: GatewayError['kind']): GatewayError => {
	const name = kind === 'unavailable' ? 'pushSilent' : 'forbidden';
	const created = backboneErrors.create(name, { message: `It is ${kind}.` });
	expect(created.kind).toBe(kind);
	return created;
};

const shown = ({ code, message, remedy }: GatewayError) => ({ code, message, remedy });

describe('a sync loop', () => {
	it('syncs at once, does what is due, and waits for the interval', async () => {
		expect(loop.isFollowed).toBe(false);
		subscribe();
		expect(loop.isFollowed).toBe(true);
		await until(() => waits.length === 1);
		expect(done).toEqual(['sync', 'maintain', 'next']);
		expect(waits).toEqual([60_000]);
		expect(loop.lastFailure).toBeUndefined();
		expect(problems).toEqual([]);
	});

	it('skips a sync that another process runs, and passes its signal on', async () => {
		const given: Array<{ signal?: AbortSignal; skipIfBusy?: boolean }> = [];
		dependencies.sync = (options) => {
			given.push(options);
			return Promise.resolve(false);
		};
		dependencies.maintain = (options) => {
			given.push(options);
			return Promise.resolve();
		};
		dependencies.nextDueAt = (options) => {
			given.push(options);
			return Promise.resolve(undefined);
		};
		const { release } = subscribe();
		await until(() => waits.length === 1);
		expect(given.map(({ skipIfBusy }) => skipIfBusy)).toEqual([true, undefined, undefined]);
		expect(given.map(({ signal }) => signal?.aborted)).toEqual([false, false, false]);
		await release();
		expect(given.map(({ signal }) => signal?.aborted)).toEqual([true, true, true]);
	});

	it('uses the shortest interval of its subscribers, from the last sync on', async () => {
		const first = subscribe(60_000);
		await until(() => waits.length === 1);
		clock.advance(10_000);
		const second = subscribe(30_000);
		await until(() => waits.length === 2);
		await second.release();
		await until(() => waits.length === 3);
		expect(waits).toEqual([60_000, 20_000, 50_000]);
		expect(done.filter((step) => step === 'sync')).toHaveLength(1);
		await first.release();
	});

	it('syncs at once if the shorter interval is over', async () => {
		subscribe(60_000);
		await until(() => waits.length === 1);
		clock.advance(30_000);
		subscribe(30_000);
		await until(() => waits.length === 2);
		expect(waits).toEqual([60_000, 30_000]);
		expect(done.filter((step) => step === 'sync')).toHaveLength(2);
	});

	it('syncs again when it is woken up during a sync', async () => {
		let syncs = 0;
		dependencies.sync = () => {
			if (++syncs === 1) loop.wake();
			return Promise.resolve(true);
		};
		subscribe();
		await until(() => waits.length === 1);
		expect(syncs).toBe(2);
	});

	it('waits no longer than a timer can', async () => {
		subscribe(2 ** 40);
		await until(() => waits.length === 1);
		expect(waits).toEqual([2 ** 31 - 1]);
	});

	it('ends with its last subscriber, and removes the mark then', async () => {
		const [first, second] = [subscribe(), subscribe()];
		await until(() => waits.length >= 1);
		await first.release();
		expect(loop.isFollowed).toBe(true);
		expect(done).not.toContain('end');
		await second.release();
		expect(loop.isFollowed).toBe(false);
		await second.release();
		expect(done.filter((step) => step === 'end')).toHaveLength(1);
	});

	it('is released by each subscriber once', async () => {
		const first = subscribe();
		subscribe();
		await first.release();
		await first.release();
		expect(loop.isFollowed).toBe(true);
	});

	it('counts subscriptions with the same options apart', async () => {
		const options = { intervalMs: 60_000, push: false, onProblem: () => undefined };
		const first = loop.subscribe(options);
		loop.subscribe(options);
		await first.release();
		expect(loop.isFollowed).toBe(true);
	});

	it('begins anew after its end', async () => {
		const { release } = subscribe();
		await until(() => waits.length === 1);
		await release();
		subscribe();
		await until(() => waits.length === 2);
		expect(done).toEqual(['sync', 'maintain', 'next', 'end', 'sync', 'maintain', 'next']);
	});

	it('that could not remove its mark ends all the same', async () => {
		dependencies.endAsking = () => Promise.reject(new Error('The store is away.'));
		const { release } = subscribe();
		await expect(release()).resolves.toBeUndefined();
	});

	it('has no subscribers after its close', async () => {
		const first = subscribe();
		await until(() => waits.length === 1);
		await loop.close();
		expect(loop.isFollowed).toBe(false);
		const late = subscribe();
		expect(loop.isFollowed).toBe(false);
		await late.release();
		await first.release();
		expect(done).not.toContain('end');
	});

	it('follows push if a subscriber wants it', async () => {
		const plain = subscribe(60_000, false);
		await until(() => waits.length === 1);
		expect(loop.push.isConnected).toBe(false);
		expect(server.calls('/api/v1/sse')).toHaveLength(0);
		const { release } = subscribe(60_000, true);
		await until(() => server.calls('/api/v1/sse').length === 1);
		await release();
		await plain.release();
	});
});

describe('a sync loop that fails', () => {
	it('tries again later and later, and tells a person after the fifth time', async () => {
		const away = error('unavailable');
		dependencies.sync = () => Promise.reject(away);
		subscribe();
		for (let tries = 1; tries <= 5; tries++) {
			await until(() => waits.length === tries);
			expect(problems).toEqual(tries < 5 ? [] : [shown(away)]);
			if (tries < 5) loop.wake();
		}
		expect(waits).toEqual([2_000, 4_000, 8_000, 16_000, 32_000]);
		for (let tries = 6; tries <= 10; tries++) {
			loop.wake();
			await until(() => waits.length === tries);
		}
		expect(Math.max(...waits)).toBe(300_000);
		expect(problems).toHaveLength(1);
		expect(loop.lastFailure).toEqual({
			...{ code: away.code, message: away.message },
			at: new Date(clock.now()).toISOString(),
		});
	});

	it('tells each new subscriber, and everyone when the problem ends', async () => {
		const refused = error('forbidden');
		dependencies.sync = () => Promise.reject(refused);
		subscribe();
		await until(() => waits.length === 1);
		expect(problems).toEqual([shown(refused)]);
		subscribe();
		expect(problems).toEqual([shown(refused), shown(refused)]);
		// A new subscriber is a reason to try again.
		await until(() => waits.length === 2);
		delete dependencies.sync;
		loop.wake();
		await until(() => waits.length === 3);
		expect(problems.slice(2)).toEqual([undefined, undefined]);
		expect(loop.lastFailure).toBeUndefined();
	});

	it('counts from the beginning after a success', async () => {
		const away = error('unavailable');
		let syncs = 0;
		dependencies.sync = () => (++syncs === 2 ? Promise.resolve(true) : Promise.reject(away));
		subscribe();
		for (let tries = 1; tries <= 3; tries++) {
			await until(() => waits.length === tries);
			if (tries < 3) loop.wake();
		}
		expect(waits).toEqual([2_000, 60_000, 2_000]);
	});

	it('because of a defect shows that, and tells no person', async () => {
		dependencies.sync = () => Promise.reject(new TypeError('A defect'));
		subscribe();
		await until(() => waits.length === 1);
		expect(loop.lastFailure).toMatchObject({
			code: 'error.transport.unknown',
			message: 'An unexpected failure; see the log.',
		});
		expect(problems).toEqual([]);
	});

	it('in what is due after a sync fails as a whole', async () => {
		const away = error('unavailable');
		dependencies.maintain = () => Promise.reject(away);
		subscribe();
		await until(() => waits.length === 1);
		expect(waits).toEqual([2_000]);
		expect(loop.lastFailure?.code).toBe(away.code);
	});

	it('because it ends has no failure', async () => {
		dependencies.sync = ({ signal }) =>
			new Promise((_resolve, reject) => {
				signal.addEventListener('abort', () => reject(signal.reason as Error));
			});
		const { release } = subscribe();
		await release();
		expect(loop.lastFailure).toBeUndefined();
		expect(waits).toEqual([]);
	});
});
