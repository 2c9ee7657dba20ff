import { createServer } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { MockAgent } from 'undici';
import { ClockSkew } from '../../../core/backbone/http/clock-skew';
import { HttpBackbone } from '../../../core/backbone/http/http-backbone';
import { address, failureOf, FixtureServer, ManualClock, result } from './fixture-server';

describe('a client', () => {
	let server: FixtureServer;

	beforeEach(async () => {
		server = await FixtureServer.open({ 'GET /api/v2/Identities/Self': result({ address }) });
	});

	afterEach(() => server.close());

	it('keeps its connection for the next call', async () => {
		const backbone = server.connect();
		await backbone.identities.self();
		const before = server.connectionCount;
		for (let i = 0; i < 10; i++) await backbone.identities.self();
		expect(server.connectionCount).toBe(before);
	});

	it('sends concurrent calls beside each other, not behind each other', async () => {
		const waiting: Array<() => void> = [];
		const slow = await FixtureServer.open({
			'GET /api/v2/Identities/Self': (request, response) => {
				waiting.push(() => result({ address })(request, response));
				if (waiting.length === 5) for (const answer of waiting) answer();
			},
		});
		const backbone = slow.connect();
		const calls = Array.from({ length: 5 }, () => backbone.identities.self());
		await expect(Promise.all(calls)).resolves.toHaveLength(5);
		await slow.close();
	});

	it('makes no call whose time was over before anything of it went out', async () => {
		const clock = new ManualClock(Date.parse('2030-01-01'));
		const backbone = server.connect({ clock });
		await backbone.identities.self({ sendBefore: clock.now() });
		await expect(backbone.identities.self({ sendBefore: clock.now() - 1 })).rejects.toMatchObject({
			code: 'error.gateway.backbone.tooLate',
			kind: 'unavailable',
			facts: { method: 'GET', path: '/api/v2/Identities/Self' },
		});
		expect(server.calls('/api/v2/Identities/Self')).toHaveLength(1);
	});

	it('names a type of content for content only: another one is refused even when none is needed', async () => {
		const file = '/api/v2/Files/FIL1/RegenerateOwnershipToken';
		await server.close();
		server = await FixtureServer.open({ [`PATCH ${file}`]: result({ newOwnershipToken: 't' }) });
		const backbone = server.connect();
		await backbone.files.regenerateOwnershipToken('FIL1');
		await failureOf(backbone.tokens.delete('TOK1'));
		await failureOf(backbone.challenges.create());
		await failureOf(backbone.relationships.revoke('REL1'));
		const described = server.seen
			.filter(({ path }) => path !== '/connect/token')
			.map(({ method, body, headers }) => [method, body, headers['content-type']]);
		expect(new Set(described.map((one) => JSON.stringify(one)))).toEqual(
			new Set(
				[
					['GET', '', undefined],
					['PATCH', '', undefined],
					['DELETE', '', undefined],
					['POST', '{}', 'application/json'],
					['PUT', '{}', 'application/json'],
				].map((one) => JSON.stringify(one)),
			),
		);
	});

	it('leaves no listener on the signal of its caller', async () => {
		const backbone = server.connect();
		const { signal } = new AbortController();
		const added = jest.spyOn(signal, 'addEventListener');
		const removed = jest.spyOn(signal, 'removeEventListener');
		await Promise.all(Array.from({ length: 20 }, () => backbone.identities.self({ signal })));
		expect(added.mock.calls.length).toBeGreaterThan(0);
		expect(removed.mock.calls.length).toBe(added.mock.calls.length);
	});

	it('uses the dispatcher that it is given and leaves it open', async () => {
		const agent = new MockAgent();
		agent.disableNetConnect();
		const origin = 'https://backbone.example.com';
		agent
			.get(origin)
			.intercept({ path: '/api/v2/Version' })
			.reply(
				200,
				{ result: { majorVersion: '7' } },
				{ headers: { 'content-type': 'application/json' } },
			);
		const backbone = HttpBackbone.open({
			baseUrl: origin,
			clientId: 'c',
			clientSecret: 's',
			dispatcher: agent,
		});
		await expect(backbone.version.get()).resolves.toEqual({ majorVersion: 7, api: 'v2' });
		await backbone.close();
		agent.assertNoPendingInterceptors();
		await agent.close();
	});
});

describe('a proxy in the environment', () => {
	const names = [
		'http_proxy',
		'HTTP_PROXY',
		'https_proxy',
		'HTTPS_PROXY',
		'no_proxy',
		'NO_PROXY',
	] as const;
	const before = Object.fromEntries(names.map((name) => [name, process.env[name]]));

	afterEach(() => {
		for (const name of names) {
			if (before[name] === undefined) delete process.env[name];
			else process.env[name] = before[name];
		}
	});

	/** Forwards and tunnels, and remembers what it was asked for. */
	async function openProxy(target: string) {
		const asked: string[] = [];
		const sockets = new Set<Socket>();
		const { port, hostname } = new URL(target);
		const proxy = createServer((request, response) => {
			asked.push(request.url ?? '');
			const url = new URL(request.url ?? '', target);
			void fetch(`${target}${url.pathname}`).then(async (answer) => {
				response.writeHead(answer.status, { 'content-type': 'application/json' });
				response.end(await answer.text());
			});
		});
		proxy.on('connect', (request, socket: Socket) => {
			asked.push(request.url ?? '');
			const upstream = connect(Number(port), hostname, () => {
				socket.write('HTTP/1.1 200 OK\r\n\r\n');
				upstream.pipe(socket).pipe(upstream);
			});
			upstream.on('error', () => socket.destroy());
			socket.on('error', () => upstream.destroy());
		});
		proxy.on('connection', (socket) => sockets.add(socket));
		await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
		return {
			asked,
			url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
			close: () => {
				for (const socket of sockets) socket.destroy();
				return new Promise((resolve) => proxy.close(resolve));
			},
		};
	}

	it('that refuses the tunnel, or is not there, is named', async () => {
		const refusing = createServer();
		refusing.on('connect', (_request, socket: Socket) => {
			socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
		});
		await new Promise<void>((resolve) => refusing.listen(0, '127.0.0.1', resolve));
		for (const name of names) delete process.env[name];
		process.env.HTTPS_PROXY = `http://127.0.0.1:${(refusing.address() as AddressInfo).port}`;
		const options = { baseUrl: 'https://backbone.invalid', clientId: 'c', clientSecret: 's' };
		const refused = HttpBackbone.open(options);
		expect((await failureOf(refused.version.get())).remedy).toContain('HTTPS_PROXY');
		await refused.close();
		await new Promise((resolve) => refusing.close(resolve));
		const absent = HttpBackbone.open(options);
		const proxyHost = new URL(process.env.HTTPS_PROXY).host;
		expect((await failureOf(absent.version.get())).message).toContain(proxyHost);
		await absent.close();
	});

	it.each(['http', 'https'])('that cuts connections is named, over %s', async (scheme) => {
		const cutting = createServer();
		cutting.on('connection', (socket: Socket) => socket.destroy());
		await new Promise<void>((resolve) => cutting.listen(0, '127.0.0.1', resolve));
		for (const name of names) delete process.env[name];
		const proxyHost = `127.0.0.1:${(cutting.address() as AddressInfo).port}`;
		process.env.HTTP_PROXY = `http://name:password@${proxyHost}`;
		process.env.NO_PROXY = 'other.invalid, .example';
		const backbone = HttpBackbone.open({
			baseUrl: `${scheme}://backbone.invalid`,
			clientId: 'c',
			clientSecret: 's',
			retry: { maxAttempts: 1 },
		});
		const { message, remedy } = await failureOf(backbone.version.get());
		expect(message).toContain(`could not be called through the proxy ${proxyHost}: `);
		expect(message).not.toContain('password');
		expect(remedy).toContain(`Check the proxy ${proxyHost}`);
		await backbone.close();
		await new Promise((resolve) => cutting.close(resolve));
	});

	// shows connector-7 11: proxies
	it.each([
		['is used', '', 1],
		['is not used for hosts that are excepted', '127.0.0.1', 0],
	])('%s', async (_name, noProxy, count) => {
		const server = await FixtureServer.open();
		const proxy = await openProxy(server.baseUrl);
		for (const name of names) delete process.env[name];
		process.env.HTTP_PROXY = proxy.url;
		process.env.NO_PROXY = noProxy;
		await expect(server.connect().version.get()).resolves.toMatchObject({ majorVersion: 6 });
		expect(proxy.asked).toHaveLength(count);
		await server.close();
		await proxy.close();
	});
});

describe('the clock of the Backbone', () => {
	it('is not known before the first answer, nor from a header that is not a date', () => {
		const skew = new ClockSkew(new ManualClock(0));
		skew.record(undefined, 0);
		skew.record('yesterday', 0);
		expect(skew.valueMs).toBeUndefined();
		expect(skew.describe()).toBeUndefined();
	});

	it('is compared with the middle of the call', () => {
		const clock = new ManualClock(Date.parse('2026-01-01T00:00:10Z'));
		const skew = new ClockSkew(clock);
		const sentAtMs = clock.now();
		clock.advance(2_000);
		skew.record('Thu, 01 Jan 2026 00:01:11 GMT', sentAtMs);
		expect(skew.valueMs).toBe(60_500);
		expect(skew.describe()).toBe(
			'The clock of this machine is 61 s behind the clock of the Backbone.',
		);
	});
});
