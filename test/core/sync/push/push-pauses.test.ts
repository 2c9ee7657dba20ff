import { keepsAlive, waits } from '../counted-waits';
import { DatabaseSync } from 'node:sqlite';
import type { ServerResponse } from 'node:http';
import { silentLogger } from '../../../../core/base/logger';
import { systemRandom } from '../../../../core/base/random';
import { backboneErrors } from '../../../../core/backbone/backbone-errors';
import type { Backbone } from '../../../../core/backbone/port/backbone';
import type { PushStatusDto } from '../../../../core/model/record/sync';
import type { Store } from '../../../../core/store/store';
import { PushFollower } from '../../../../core/sync/push/push-follower';
import { TestClock } from '../../../support/clock';
import { openMemoryStore } from '../../../support/store';
import { until } from '../../../support/until';
import { empty, FixtureServer, type Responder } from '../../backbone/fixture-server';

const path = '/api/v1/sse';

let clock: TestClock;
let database: DatabaseSync;
let store: Store;
let server: FixtureServer;
let streams: ServerResponse[];
let warnings: unknown[];
let wakes: number;
const stops: Array<() => Promise<void>> = [];

beforeEach(async () => {
	// Waits of this thread end by signals only; the renewal of the lease goes on by jumps.
	jest.useFakeTimers({ advanceTimers: true, doNotFake: ['nextTick', 'setImmediate', 'Date'] });
	waits.length = keepsAlive.length = 0;
	clock = new TestClock();
	database = new DatabaseSync(':memory:');
	store = await openMemoryStore(clock, database);
	[streams, warnings, wakes] = [[], [], 0];
});
afterEach(async () => {
	await stop();
	await server.close();
	await store.close();
	jest.useRealTimers();
});

const stop = async (): Promise<void> => {
	for (const one of stops.splice(0)) await one();
};

const stream: Responder = (_request, response) => {
	response.writeHead(200, { 'content-type': 'text/event-stream' });
	response.write('event: ConnectionOpened\ndata: _\n\n');
	streams.push(response);
};

const newFollower = (backbone: Backbone): PushFollower =>
	new PushFollower({
		...{ store, backbone, clock, random: systemRandom, wake: () => wakes++ },
		logger: { ...silentLogger, warn: (_text, facts) => warnings.push(facts) },
	});

function follow(backbone: Backbone): PushFollower {
	const follower = newFollower(backbone);
	const abort = new AbortController();
	const ended = follower.follow(abort.signal);
	stops.push(() => {
		abort.abort();
		return ended;
	});
	return follower;
}

const statusOf = (follower: PushFollower): Promise<PushStatusDto> =>
	store.read((tx) => follower.status(tx));

const isIn = (follower: PushFollower, state: PushStatusDto['state']) => async () =>
	(await statusOf(follower)).state === state;

const take = (holder: string, name = 'push', leaseMs = 60_000): Promise<boolean> =>
	store.transact((tx) => tx.leases.take(name, holder, leaseMs));

const holders = async (): Promise<string[]> =>
	(await store.read((tx) => tx.leases.list())).map(({ holder }) => holder);

describe('the pause of push', () => {
	it('after a refusal is five minutes', async () => {
		server = await FixtureServer.open({ [`GET ${path}`]: empty(403) });
		const follower = follow(server.connect());
		await until(() => waits.length === 1);
		expect([waits, keepsAlive]).toEqual([[300_000], [false]]);
		const { state, code } = await statusOf(follower);
		expect(state).toBe('unavailable');
		expect(warnings).toEqual([{ code, reason: expect.any(String) }]);
		expect(follower.isConnected).toBe(false);
	});

	it('after a change of settings is one second, and no failure', async () => {
		server = await FixtureServer.open({ [`GET ${path}`]: stream });
		const backbone = server.connect();
		const follower = follow(backbone);
		await until(() => follower.isConnected);
		await backbone.close();
		await until(() => waits.length === 1);
		expect(waits).toEqual([1_000]);
		expect(warnings).toEqual([]);
		expect((await statusOf(follower)).state).not.toBe('unavailable');
	});

	it('after a failure of the store is twenty seconds', async () => {
		server = await FixtureServer.open();
		const away = await openMemoryStore(clock);
		await away.close();
		const backbone = server.connect();
		const follower = new PushFollower({
			...{ store: away, backbone, clock, random: systemRandom, wake: () => undefined },
			logger: { ...silentLogger, warn: (_text, facts) => warnings.push(facts) },
		});
		const abort = new AbortController();
		const ended = follower.follow(abort.signal);
		await until(() => waits.length === 1);
		abort.abort();
		await ended;
		expect(waits).toEqual([20_000]);
		expect(warnings).toHaveLength(1);
	});

	it('ends at once when it is stopped, and the lease is free then', async () => {
		server = await FixtureServer.open({ [`GET ${path}`]: stream });
		const follower = follow(server.connect());
		await until(() => follower.isConnected);
		expect(await holders()).toHaveLength(1);
		await stop();
		expect(waits).toEqual([]);
		expect(await holders()).toEqual([]);
		expect((await statusOf(follower)).state).toBe('off');
		expect(follower.isConnected).toBe(false);
		expect(warnings).toEqual([]);
	});
});

/** The Backbone, with a member that the test replaces. */
const backboneWith = (member: keyof Backbone, value: unknown): Backbone =>
	Object.create(server.connect(), { [member]: { value } }) as Backbone;

describe('a failure of push', () => {
	/** A Backbone whose push connection fails at once. */
	const failingWith = (error: unknown): Backbone => {
		const subscribe = (): AsyncIterable<never> => ({
			[Symbol.asyncIterator]: () => ({ next: () => Promise.reject(error as Error) }),
		});
		return backboneWith('push', { subscribe });
	};

	it.each<[string, number, unknown]>([
		['pushEnded', 20_000, new TypeError('The reason')],
		[
			'identityDeleted',
			2 ** 31 - 1,
			backboneErrors.create('identityDeleted', { message: 'The reason' }),
		],
	] as const)('of the kind %s is followed by a pause of %i ms', async (name, pauseMs, error) => {
		server = await FixtureServer.open();
		const follower = follow(failingWith(error));
		await until(() => waits.length === 1);
		expect(waits).toEqual([pauseMs]);
		const { code } = backboneErrors[name as 'pushEnded'];
		const message = expect.stringContaining('The reason');
		expect(await statusOf(follower)).toMatchObject({ state: 'unavailable', code, message });
	});

	it('is shown even if another process has the connection then', async () => {
		server = await FixtureServer.open({ [`GET ${path}`]: empty(403) });
		const follower = follow(server.connect());
		await until(() => waits.length === 1);
		clock.advance(60_001);
		expect(await take('another process')).toBe(true);
		expect((await statusOf(follower)).state).toBe('unavailable');
	});
});

describe('a push connection', () => {
	it('is being opened until the service answers', async () => {
		server = await FixtureServer.open({ [`GET ${path}`]: () => undefined });
		const follower = follow(server.connect());
		await until(() => server.calls(path).length === 1);
		expect((await statusOf(follower)).state).toBe('connecting');
	});

	it('leaves no syncs, renewals and leases after its end', async () => {
		server = await FixtureServer.open({ [`GET ${path}`]: stream });
		const follower = follow(server.connect());
		await until(() => wakes === 1);
		follower.eventsFound([clock.now() + 5_000]);
		await stop();
		jest.advanceTimersByTime(60_000);
		expect([wakes, warnings]).toEqual([1, []]);
		expect(await holders()).toEqual([]);
	});

	it('is not shown as open elsewhere if its lease could not be given back', async () => {
		server = await FixtureServer.open({ [`GET ${path}`]: stream });
		const follower = follow(server.connect());
		await until(() => follower.isConnected);
		database.exec('pragma query_only = on');
		await stop();
		database.exec('pragma query_only = off');
		expect(await holders()).toHaveLength(1);
		expect((await statusOf(follower)).state).toBe('off');
	});

	it.each([
		[-10_000, 'connected'],
		[10_000, 'unavailable'],
	] as const)(
		'with an event %i ms after its opening, by the clock of the Backbone, is %s',
		async (laterMs, state) => {
			server = await FixtureServer.open({ [`GET ${path}`]: stream });
			const clockSkewMs = 60_000;
			const follower = follow(backboneWith('clockSkewMs', clockSkewMs));
			await until(() => follower.isConnected);
			follower.eventsFound([clock.now() + clockSkewMs + laterMs]);
			jest.advanceTimersByTime(10_000);
			expect((await statusOf(follower)).state).toBe(state);
		},
	);
});

describe('the lease of push', () => {
	it('of another process is waited for', async () => {
		server = await FixtureServer.open({ [`GET ${path}`]: stream });
		await take('another process');
		const follower = follow(server.connect());
		await until(() => waits.length === 1);
		expect(waits).toEqual([20_000]);
		expect((await statusOf(follower)).state).toBe('elsewhere');
		expect(streams).toEqual([]);
	});

	it('is prolonged while the connection is open', async () => {
		server = await FixtureServer.open({ [`GET ${path}`]: stream });
		const follower = follow(server.connect());
		await until(() => follower.isConnected);
		clock.advance(59_000);
		jest.advanceTimersByTime(20_000);
		await until(async () =>
			(await store.read((tx) => tx.leases.list())).every(({ isExpired }) => !isExpired),
		);
		const isProlonged = async (): Promise<boolean> => {
			clock.advance(0);
			return !(await take('another process'));
		};
		clock.advance(2_000);
		await until(isProlonged);
		expect(follower.isConnected).toBe(true);
	});

	it('that another process has taken ends the connection', async () => {
		server = await FixtureServer.open({ [`GET ${path}`]: stream });
		const follower = follow(server.connect());
		await until(() => follower.isConnected);
		clock.advance(60_001);
		expect(await take('another process')).toBe(true);
		jest.advanceTimersByTime(20_000);
		await until(isIn(follower, 'elsewhere'));
		await until(() => waits.length === 1);
		expect(waits).toEqual([20_000]);
		await until(() => streams[0]?.destroyed === true);
		expect(warnings).toEqual([]);
	});

	it.each([
		['another process', 'push', 60_000, 'elsewhere'],
		['another process', 'sync', 60_000, 'off'],
		['another process', 'push', -1, 'off'],
	] as const)('held by %s as %s for %i ms shows as %s', async (holder, name, leaseMs, state) => {
		server = await FixtureServer.open();
		await take(holder, name, leaseMs);
		expect((await statusOf(newFollower(server.connect()))).state).toBe(state);
	});
});
