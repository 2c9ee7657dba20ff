import { waits } from '../counted-waits';
import type { ServerResponse } from 'node:http';
import { silentLogger } from '../../../../core/base/logger';
import { systemRandom } from '../../../../core/base/random';
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
let store: Store;
let server: FixtureServer;
let streams: ServerResponse[];
let warnings: unknown[];
const stops: Array<() => Promise<void>> = [];

beforeEach(async () => {
	// Waits of this thread end by signals only; the renewal of the lease goes on by jumps.
	jest.useFakeTimers({ advanceTimers: true, doNotFake: ['nextTick', 'setImmediate', 'Date'] });
	waits.length = 0;
	clock = new TestClock();
	store = await openMemoryStore(clock);
	[streams, warnings] = [[], []];
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
		...{ store, backbone, clock, random: systemRandom, wake: () => undefined },
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
		expect(waits).toEqual([300_000]);
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
