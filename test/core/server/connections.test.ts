import { connect } from 'node:net';
import { inOneHour, SandboxNetwork } from '../../support/gateways';
import { until } from '../../support/until';
import { apiKey, HttpGateway } from './support/http-gateway';

/* What happens below the routes: connections, closing, health of a gateway that is not well. */
let network: SandboxNetwork;
beforeAll(async () => {
	network = await SandboxNetwork.open();
});
afterAll(async () => {
	await network.close();
});

describe('a server that closes', () => {
	it('lets what is under way come to its end, and takes nothing new', async () => {
		const http = await HttpGateway.open(network, { drainMs: 30_000 });
		let isAsked = false;
		let proceed = (): void => undefined;
		const waiting = new Promise<void>((resolve) => (proceed = resolve));
		const getIdentity = http.gateway.account.getIdentity.bind(http.gateway.account);
		Object.assign(http.gateway.account, {
			getIdentity: async () => {
				isAsked = true;
				await waiting;
				return await getIdentity();
			},
		});
		const answering = http.ask('GET /Account/IdentityInfo');
		await until(() => isAsked);
		const closing = http.close();
		await expect(fetch(`${http.server.address}/health`)).rejects.toThrow();
		proceed();
		expect((await answering).status).toBe(200);
		await closing;
		await http.close();
	});

	it('cuts off what does not end', async () => {
		const http = await HttpGateway.open(network, { drainMs: 50 });
		let signal: AbortSignal | undefined;
		Object.assign(http.gateway.account, {
			getIdentity: (options: { signal: AbortSignal }) => {
				signal = options.signal;
				return new Promise(() => undefined);
			},
		});
		const answering = http.ask('GET /Account/IdentityInfo');
		answering.catch(() => undefined);
		await until(() => signal !== undefined);
		await http.close();
		await expect(answering).rejects.toThrow();
		expect(signal?.aborted).toBe(true);
	});
});

describe('a client that goes away', () => {
	it('does not end what it asked for', async () => {
		const http = await HttpGateway.open(network);
		const abort = new AbortController();
		const content = { '@type': 'ArbitraryRelationshipTemplateContent', value: 'gone' };
		let isAsked = false;
		const create = http.gateway.templates.create.bind(http.gateway.templates);
		Object.assign(http.gateway.templates, {
			create: async (...given: Parameters<typeof create>) => {
				isAsked = true;
				abort.abort();
				return await create(...given);
			},
		});
		const asking = fetch(`${http.server.address}/api/v2/RelationshipTemplates/Own`, {
			method: 'POST',
			headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
			body: JSON.stringify({ content, expiresAt: inOneHour() }),
			signal: abort.signal,
		});
		await expect(asking).rejects.toThrow();
		expect(isAsked).toBe(true);
		await until(async () => (await http.gateway.templates.list()).length === 1);
		await http.close();
	});
});

describe('what is not a request', () => {
	it.each([
		['an impossible host', `GET /health HTTP/1.1\r\nhost: a b\r\nconnection: close\r\n\r\n`],
		['no HTTP', 'hello\r\n\r\n'],
		['endless headers', `GET /health HTTP/1.1\r\nhost: a\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`],
	])('is refused: %s', async (_name, text) => {
		const http = await HttpGateway.open(network);
		const { hostname, port } = new URL(http.server.address);
		const socket = connect(Number(port), hostname);
		let answer = '';
		socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
		socket.on('error', () => undefined);
		socket.write(text);
		await new Promise((resolve) => socket.once('close', resolve));
		// A client that still sends may be reset before the answer is read.
		expect(answer).toMatch(/^(HTTP\/1\.1 4\d\d |$)/);
		expect((await http.ask('GET /health')).status).toBe(200);
		await http.close();
	});
});

describe('a client that sends slowly', () => {
	const timeouts = { headersMs: 100, requestMs: 200 };
	const head = `POST /api/v2/Account/Sync HTTP/1.1\r\nhost: a\r\nx-api-key: ${apiKey}\r\n`;

	it.each([
		['its headers', head],
		['its body', `${head}content-type: application/json\r\ncontent-length: 99\r\n\r\n{`],
	])('is cut off in the middle of %s, while others are not', async (_name, begun) => {
		const http = await HttpGateway.open(network, { timeouts });
		const { hostname, port } = new URL(http.server.address);
		const socket = connect(Number(port), hostname);
		let answer = '';
		socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
		socket.on('error', () => undefined);
		socket.write(begun);
		await new Promise((resolve) => socket.once('close', resolve));
		expect(answer).toMatch(/^(HTTP\/1\.1 408 |$)/);
		expect((await http.ask('GET /Account/IdentityInfo')).status).toBe(200);
		await http.close();
	});
});

describe('health', () => {
	it('tells that the Backbone cannot be reached', async () => {
		const lonely = await SandboxNetwork.open();
		const http = await HttpGateway.open(lonely);
		await lonely.backbone.close();
		const { status, json } = await http.ask('GET /health');
		expect(status).toBe(500);
		expect(json).toMatchObject({
			isHealthy: false,
			services: { database: 'healthy', backboneConnection: 'unhealthy' },
		});
		await http.close();
		await lonely.close();
	});

	it('is looked at once for all who ask at the same time', async () => {
		const http = await HttpGateway.open(network);
		let looks = 0;
		const checkIfDeleted = http.gateway.account.checkIfDeleted.bind(http.gateway.account);
		Object.assign(http.gateway.account, {
			checkIfDeleted: (...given: Parameters<typeof checkIfDeleted>) => {
				looks++;
				return checkIfDeleted(...given);
			},
		});
		const answers = await Promise.all([1, 2, 3].map(() => http.ask('GET /health')));
		expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
		expect(looks).toBeLessThan(3);
		await http.close();
	});
});
