import type { ServerResponse } from 'node:http';
import type { PushSignal } from '../../../core/backbone/port/backbone';
import {
	empty,
	failureOf,
	FixtureServer,
	inTurn,
	json,
	raw,
	type Responder,
} from './fixture-server';

const path = '/api/v1/sse';
const push = { minReconnectMs: 1, maxReconnectMs: 4, silenceMs: 5_000 };
let server: FixtureServer;

afterEach(() => server.close());

const frames =
	(...names: readonly string[]): Responder =>
	(_request, response) => {
		response.writeHead(200, { 'content-type': 'text/event-stream' });
		for (const name of names) response.write(`event: ${name}\ndata: _\n\n`);
	};

const framesThenEnd =
	(...names: readonly string[]): Responder =>
	(request, response) => {
		frames(...names)(request, response);
		response.end();
	};

const open = async (sse: Responder, more: Record<string, Responder> = {}, timings = {}) => {
	server = await FixtureServer.open({ [`GET ${path}`]: sse, ...more });
	return server.connect({ push: { ...push, ...timings } });
};

const describeSignal = (signal: PushSignal): string => {
	if (signal.kind === 'event') return signal.name;
	return signal.kind === 'lost' ? `lost ${signal.error.code}` : signal.kind;
};

/** The first signals of a subscription, which is then given up. */
async function first(signals: AsyncIterable<PushSignal>, count: number): Promise<string[]> {
	const seen: string[] = [];
	for await (const signal of signals) {
		seen.push(describeSignal(signal));
		if (seen.length === count) break;
	}
	return seen;
}

/** How long the stream waits before its next connections, milliseconds. */
async function firstWaits(signals: AsyncIterable<PushSignal>, count: number): Promise<number[]> {
	const waits: number[] = [];
	for await (const signal of signals) {
		if (signal.kind === 'lost') waits.push(signal.retryInMs);
		if (waits.length === count) break;
	}
	return waits;
}

describe('the push stream', () => {
	it('tells its opening and the names of events, but not keep-alives', async () => {
		const backbone = await open(frames('ConnectionOpened', 'keep-alive', 'ExternalEventCreated'));
		await expect(first(backbone.push.subscribe(), 3)).resolves.toEqual([
			'opened',
			'ConnectionOpened',
			'ExternalEventCreated',
		]);
		expect(server.calls(path)[0]?.headers).toMatchObject({
			accept: 'text/event-stream',
			authorization: 'Bearer token-1',
		});
	});

	it('understands frames that arrive in pieces', async () => {
		const backbone = await open((_request, response) => {
			response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
			response.write('event: Exter');
			setImmediate(() => response.write('nalEventCreated\r\ndata: _\r\n\r\n'));
		});
		await expect(first(backbone.push.subscribe(), 2)).resolves.toEqual([
			'opened',
			'ExternalEventCreated',
		]);
	});

	it('is opened again with a valid token after it ended', async () => {
		const backbone = await open(inTurn(framesThenEnd('A'), framesThenEnd('B'), frames('C')));
		await expect(first(backbone.push.subscribe(), 8)).resolves.toEqual([
			'opened',
			'A',
			'lost error.gateway.backbone.pushEnded',
			'opened',
			'B',
			'lost error.gateway.backbone.pushEnded',
			'opened',
			'C',
		]);
	});

	it('is opened again at once when it was good for a while', async () => {
		const backbone = await open(
			inTurn((request, response) => {
				frames('A')(request, response);
				setTimeout(() => response.end(), 60);
			}, framesThenEnd('B')),
			{},
			{ stableMs: 50, promptReconnectMs: 2, minReconnectMs: 4_000, maxReconnectMs: 4_000 },
		);
		const waits = await firstWaits(backbone.push.subscribe(), 2);
		expect(waits[0]).toBe(2);
		expect(waits[1]).toBeGreaterThanOrEqual(3_000);
	});

	it('is asked for more and more rarely where connections end as soon as they are open', async () => {
		const backbone = await open(framesThenEnd('A'), {}, { minReconnectMs: 1, maxReconnectMs: 64 });
		const waits = await firstWaits(backbone.push.subscribe(), 7);
		expect(waits[6]).toBeGreaterThanOrEqual(48);
	});

	it('is asked for at the longest distance where there is no service', async () => {
		const timings = { minReconnectMs: 1, maxReconnectMs: 1, absentReconnectMs: 16 };
		const backbone = await open(empty(404), {}, timings);
		const waits = await firstWaits(backbone.push.subscribe(), 5);
		expect(waits[4]).toBeGreaterThanOrEqual(12);
	});

	it('is not given up before its first connection had time, whatever the limit of calls', async () => {
		server = await FixtureServer.open({
			[`GET ${path}`]: (request, response) => {
				setTimeout(() => frames('A')(request, response), 400);
			},
		});
		const backbone = server.connect({ push, timeoutMs: 150 });
		await expect(first(backbone.push.subscribe(), 2)).resolves.toEqual(['opened', 'A']);
	});

	it('is opened again after it was cut', async () => {
		const backbone = await open(
			inTurn((request, response) => {
				frames('A')(request, response);
				setTimeout(() => response.destroy(), 5);
			}, frames('B')),
		);
		const seen = await first(backbone.push.subscribe(), 5);
		expect(seen).toEqual(['opened', 'A', 'lost error.gateway.backbone.pushEnded', 'opened', 'B']);
	});

	it('is taken for dead when nothing comes, not even a keep-alive', async () => {
		const backbone = await open(inTurn(frames('A'), frames('B')), {}, { silenceMs: 30 });
		const seen = await first(backbone.push.subscribe(), 5);
		expect(seen).toEqual(['opened', 'A', 'lost error.gateway.backbone.pushSilent', 'opened', 'B']);
	});

	it('is kept alive by keep-alives', async () => {
		let beats = 0;
		const backbone = await open(
			(request, response) => {
				frames()(request, response);
				const timer = setInterval(() => {
					beats++;
					response.write(beats < 8 ? 'event: keep-alive\ndata: _\n\n' : 'event: Done\ndata: _\n\n');
				}, 20);
				response.on('close', () => clearInterval(timer));
			},
			{},
			{ silenceMs: 150 },
		);
		await expect(first(backbone.push.subscribe(), 2)).resolves.toEqual(['opened', 'Done']);
	});

	it.each<[string, Responder, string]>([
		['502', empty(502), 'error.platform.unexpected'],
		['HTML', raw(200, '<html>', 'text/html'), 'error.gateway.backbone.pushNotAvailable'],
		['204', empty(204), 'error.transport.request.resultUndefined'],
		['a redirect', empty(302, { location: '/login' }), 'error.gateway.backbone.redirected'],
		['404 on both paths', empty(404), 'error.gateway.backbone.pushNotAvailable'],
		[
			'a frame without end',
			frames(`A\ndata: ${'x'.repeat(100_000)}`, 'B'),
			'error.gateway.backbone.pushEnded',
		],
	])('that answers %s is tried again', async (_name, responder, code) => {
		const backbone = await open(inTurn(responder, frames('A')));
		const seen = await first(backbone.push.subscribe(), 3);
		expect(seen.filter((one) => one !== 'opened')).toContain(`lost ${code}`);
		expect(seen).toContain('opened');
	});

	it('uses the newer path where the older is not served', async () => {
		const backbone = await open(empty(404), { 'GET /api/v2/sse': frames('A') });
		await expect(first(backbone.push.subscribe(), 2)).resolves.toEqual(['opened', 'A']);
	});

	it('renews a refused token once', async () => {
		const backbone = await open(inTurn(empty(401), frames('A')));
		await expect(first(backbone.push.subscribe(), 2)).resolves.toEqual(['opened', 'A']);
		expect(server.calls(path).map((call) => call.headers.authorization)).toEqual([
			'Bearer token-1',
			'Bearer token-2',
		]);
	});

	it('ends for good when the password is refused', async () => {
		const backbone = await open(frames('A'), {
			'POST /connect/token': json(400, { error: 'invalid_grant' }),
		});
		const error = await failureOf(first(backbone.push.subscribe(), 1));
		expect(error.code).toBe('error.transport.request.noAuthGrant');
		expect(server.calls(path)).toHaveLength(0);
	});

	it('outlives a token endpoint that fails for a while', async () => {
		const granted = json(200, { access_token: 't', token_type: 'Bearer', expires_in: 300 });
		const backbone = await open(frames('A'), {
			'POST /connect/token': inTurn(empty(503), empty(503), empty(503), granted),
		});
		await expect(first(backbone.push.subscribe(), 3)).resolves.toEqual([
			'lost error.transport.request.noAuthPossible',
			'opened',
			'A',
		]);
	});

	it('ends with the reason of the caller', async () => {
		const abort = new AbortController();
		const backbone = await open(frames('A'));
		const reading = first(backbone.push.subscribe({ signal: abort.signal }), 10);
		setTimeout(() => abort.abort(new Error('stopped')), 20);
		await expect(reading).rejects.toThrow('stopped');
	});

	it('ends while it waits to reconnect, too', async () => {
		const abort = new AbortController();
		const backbone = await open(empty(502), {}, { minReconnectMs: 60_000, maxReconnectMs: 60_000 });
		const reading = (async () => {
			for await (const signal of backbone.push.subscribe({ signal: abort.signal })) {
				if (signal.kind === 'lost') setImmediate(() => abort.abort(new Error('stopped')));
			}
		})();
		await expect(reading).rejects.toThrow('stopped');
	});

	it('ends when the client is closed', async () => {
		const backbone = await open(frames('A'));
		const reading = (async () => {
			for await (const signal of backbone.push.subscribe()) {
				if (signal.kind === 'event') void backbone.close();
			}
		})();
		expect((await failureOf(reading)).code).toBe('error.gateway.backbone.closed');
	});

	it('closes its connection when the consumer breaks out', async () => {
		const closed = Promise.withResolvers<void>();
		const backbone = await open((request, response) => {
			response.on('close', () => closed.resolve());
			frames('A')(request, response);
		});
		await first(backbone.push.subscribe(), 2);
		await expect(closed.promise).resolves.toBeUndefined();
	});

	it('has one connection at a time: a second subscription ends the first', async () => {
		const responses: ServerResponse[] = [];
		const backbone = await open((request, response) => {
			responses.push(response);
			frames('A')(request, response);
		});
		const firstSeen: string[] = [];
		let secondReading: Promise<string[]> | undefined;
		const firstReading = (async () => {
			for await (const signal of backbone.push.subscribe()) {
				firstSeen.push(describeSignal(signal));
				if (signal.kind === 'event') secondReading = first(backbone.push.subscribe(), 2);
			}
		})();
		await expect(firstReading).resolves.toBeUndefined();
		expect(firstSeen).toEqual(['opened', 'A']);
		await expect(secondReading).resolves.toEqual(['opened', 'A']);
		expect(responses[0]?.destroyed).toBe(true);
	});
});
