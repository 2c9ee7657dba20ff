import type { ServerResponse } from 'node:http';
import { silentLogger } from '../../../../core/base/logger';
import { systemClock } from '../../../../core/base/clock';
import { systemRandom } from '../../../../core/base/random';
import type { Backbone } from '../../../../core/backbone/port/backbone';
import type { PushStatusDto } from '../../../../core/model/record/sync';
import type { Store } from '../../../../core/store/store';
import { PushFollower } from '../../../../core/sync/push/push-follower';
import { openMemoryStore } from '../../../support/store';
import { until } from '../../../support/until';
import { empty, FixtureServer, type Responder } from '../../backbone/fixture-server';

const path = '/api/v1/sse';
const push = { minReconnectMs: 1, promptReconnectMs: 1, absentReconnectMs: 4 };

describe('following push', () => {
	let store: Store;
	let server: FixtureServer;
	let streams: ServerResponse[];
	let wakes: number;
	let warnings: unknown[];
	const stops: Array<() => Promise<void>> = [];

	beforeEach(async () => {
		// Only timers of this thread: the network is real, and time goes on beside the jumps.
		jest.useFakeTimers({ advanceTimers: true, doNotFake: ['nextTick', 'setImmediate', 'Date'] });
		store = await openMemoryStore();
		streams = [];
		wakes = 0;
		warnings = [];
	});

	afterEach(async () => {
		for (const stop of stops.splice(0)) await stop();
		await server.close();
		await store.close();
		jest.useRealTimers();
	});

	const stream: Responder = (_request, response) => {
		response.writeHead(200, { 'content-type': 'text/event-stream' });
		response.write('event: ConnectionOpened\ndata: _\n\n');
		streams.push(response);
	};

	const follow = (backbone: Backbone): PushFollower => {
		const follower = new PushFollower({
			...{ store, backbone, clock: systemClock, random: systemRandom },
			logger: { ...silentLogger, warn: (_text, facts) => warnings.push(facts) },
			wake: () => wakes++,
		});
		const stop = new AbortController();
		const ended = follower.follow(stop.signal);
		stops.push(() => {
			stop.abort();
			return ended;
		});
		return follower;
	};

	const statusOf = (follower: PushFollower): Promise<PushStatusDto> =>
		store.read((tx) => follower.status(tx));

	const isIn = (follower: PushFollower, state: PushStatusDto['state']) => async () =>
		(await statusOf(follower)).state === state;

	it('says since when it works and when the last announcement came', async () => {
		server = await FixtureServer.open({ [`GET ${path}`]: stream });
		const before = Date.now();
		const follower = follow(server.connect());
		await until(isIn(follower, 'connected'));
		const connected = await statusOf(follower);
		expect(Date.parse(connected.since ?? '')).toBeGreaterThanOrEqual(before);
		expect(connected.lastEventAt).toBeUndefined();
		const wakesBefore = wakes;
		streams[0]?.write('event: ExternalEventCreated\ndata: _\n\n');
		await until(async () => (await statusOf(follower)).lastEventAt !== undefined);
		expect(wakes).toBe(wakesBefore + 1);
	});

	it('looks again after an announcement, because its event may not be readable yet', async () => {
		server = await FixtureServer.open({ [`GET ${path}`]: stream });
		follow(server.connect());
		await until(() => streams.length === 1);
		await until(() => wakes > 0);
		jest.advanceTimersByTime(10_000);
		const before = wakes;
		streams[0]?.write('event: ExternalEventCreated\ndata: _\n\n');
		await until(() => wakes === before + 1);
		jest.advanceTimersByTime(1_000);
		jest.advanceTimersByTime(2_000);
		expect(wakes).toBe(before + 3);
	});

	it('looks for events after each opening, because some may have been missed', async () => {
		server = await FixtureServer.open({ [`GET ${path}`]: stream });
		follow(server.connect({ push }));
		for (let opened = 1; opened <= 2; opened++) {
			await until(() => streams.length === opened);
			const before = (opened - 1) * 3;
			await until(() => wakes === before + 1);
			jest.advanceTimersByTime(3_000);
			expect(wakes).toBe(before + 3);
			streams.at(-1)?.end();
		}
		expect(warnings).toEqual([]);
	});

	it('logs once that there is no push service, until there was one', async () => {
		const absent = empty(404);
		let answer: Responder = absent;
		server = await FixtureServer.open({
			[`GET ${path}`]: (request, response) => answer(request, response),
		});
		const follower = follow(server.connect({ push }));
		await until(() => server.calls(path).length >= 3);
		const warning = {
			code: 'error.gateway.backbone.pushNotAvailable',
			reason: expect.any(String),
		};
		expect(warnings).toEqual([warning]);
		answer = stream;
		await until(isIn(follower, 'connected'));
		answer = absent;
		streams.at(-1)?.end();
		await until(() => warnings.length === 2);
		expect(warnings).toEqual([warning, warning]);
	});

	it('says what to set where there is no push service', async () => {
		server = await FixtureServer.open({ [`GET ${path}`]: empty(404) });
		const follower = follow(server.connect({ push }));
		await until(isIn(follower, 'unavailable'));
		const status = await statusOf(follower);
		expect(status.code).toBe('error.gateway.backbone.pushNotAvailable');
		expect(status.message).toMatch(/found at the interval.*404.*'Push Address'/);
		expect(wakes).toBe(0);
	});

	it('finds the service at an address of its own', async () => {
		server = await FixtureServer.open({ [`GET ${path}`]: stream });
		const backbone = await FixtureServer.open();
		try {
			const follower = follow(backbone.connect({ pushUrl: `${server.baseUrl}/api/v1/sse` }));
			await until(isIn(follower, 'connected'));
			expect(server.calls(path)[0]?.headers.authorization).toBe('Bearer token-1');
			expect(backbone.calls(path)).toEqual([]);
		} finally {
			for (const stop of stops.splice(0)) await stop();
			await backbone.close();
		}
	});

	it('says that another process holds the connection', async () => {
		server = await FixtureServer.open({ [`GET ${path}`]: stream });
		const first = follow(server.connect());
		await until(isIn(first, 'connected'));
		const second = follow(server.connect());
		await until(isIn(second, 'elsewhere'));
		const idle = new PushFollower({
			...{ store, backbone: server.connect(), clock: systemClock, random: systemRandom },
			...{ logger: silentLogger, wake: () => undefined },
		});
		expect(await statusOf(idle)).toEqual(await statusOf(second));
		expect(streams).toHaveLength(1);
	});

	it('opens a connection anew that did not announce what a sync has found', async () => {
		server = await FixtureServer.open({ [`GET ${path}`]: stream });
		const follower = follow(server.connect());
		await until(isIn(follower, 'connected'));
		follower.eventsFound([Date.now() + 5_000]);
		jest.advanceTimersByTime(10_000);
		expect(await statusOf(follower)).toMatchObject({
			state: 'unavailable',
			code: 'error.gateway.backbone.pushNotRegistered',
		});
		expect(warnings).toHaveLength(1);
		await until(() => streams[0]?.destroyed === true);
		jest.advanceTimersByTime(1_000);
		await until(isIn(follower, 'connected'));
		expect(streams).toHaveLength(2);
	});

	it('names the proxy when good connections are cut again and again', async () => {
		let now = Date.now();
		const clock = { now: () => now };
		server = await FixtureServer.open({ [`GET ${path}`]: stream });
		const backbone = server.connect({ push, clock });
		const follower = new PushFollower({
			...{ store, backbone, clock, random: systemRandom, logger: silentLogger },
			wake: () => undefined,
		});
		const stop = new AbortController();
		const ended = follower.follow(stop.signal);
		stops.push(() => {
			stop.abort();
			return ended;
		});
		for (let cuts = 1; cuts <= 3; cuts++) {
			await until(() => streams.length === cuts && follower.isConnected);
			expect((await statusOf(follower)).message).not.toMatch(/proxy/);
			now += 60_000;
			streams.at(-1)?.end();
		}
		await until(() => streams.length === 4 && follower.isConnected);
		expect((await statusOf(follower)).message).toMatch(/proxy_read_timeout/);
	});
});
