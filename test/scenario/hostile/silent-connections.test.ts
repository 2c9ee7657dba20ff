import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { apiKey, HttpGateway } from '../../core/server/support/http-gateway';
import { SandboxNetwork } from '../../support/gateways';
import { openLog } from '../../support/log-lines';
import { until } from '../../support/until';

/* A share of what `npm run attack` does: connections that never send a request. */
let network: SandboxNetwork;
let http: HttpGateway;
let sockets: Socket[];

async function openGateway(unauthenticatedMs: number): Promise<string[]> {
	const { logger, lines } = openLog();
	const timeouts = { headersMs: 10_000, requestMs: 60_000, unauthenticatedMs };
	http = await HttpGateway.open(network, { logger, timeouts });
	return lines;
}

async function openConnection(text = ''): Promise<Socket> {
	const { hostname, port } = new URL(http.server.address);
	const socket = connect(Number(port), hostname);
	sockets.push(socket);
	socket.on('error', () => undefined);
	await new Promise<void>((resolve) => socket.once('connect', resolve));
	socket.write(text);
	return socket;
}

/** Asks with the key; tells whether the connection was there before. */
function ask(agent: Agent, path: string): Promise<{ status?: number; isReused: boolean }> {
	return new Promise((resolve, reject) => {
		const options = { agent, headers: { 'x-api-key': apiKey } };
		const asking = request(http.server.address + path, options, (answer) => {
			const { statusCode: status = 0 } = answer;
			answer.resume().once('end', () => resolve({ status, isReused: asking.reusedSocket }));
		});
		asking.once('error', reject).end();
	});
}

beforeAll(async () => {
	network = await SandboxNetwork.open();
});
beforeEach(() => {
	sockets = [];
});
afterEach(async () => {
	for (const socket of sockets) socket.destroy();
	await http.close();
});
afterAll(() => network.close());

describe('silent connections', () => {
	it('keep out no client that asks for the health or has a key, and are logged once', async () => {
		const lines = await openGateway(600_000);
		for (let opened = 0; opened < 1_300; opened += 100) {
			await Promise.all(Array.from({ length: 100 }, () => openConnection()));
		}
		expect((await http.ask('GET /health')).status).toBe(200);
		expect((await http.ask('GET /Account/IdentityInfo')).status).toBe(200);
		await until(() => sockets.filter(({ closed }) => closed).length >= 300);
		expect(lines.filter((line) => line.startsWith('warn'))).toEqual([
			expect.stringContaining('more than 1000 connections without a key or token'),
		]);
	});

	it('are closed soon, in the middle of a request too, and those with a key are not', async () => {
		await openGateway(100);
		const agent = new Agent({ keepAlive: true, maxSockets: 1 });
		expect(await ask(agent, '/api/v2/Account/IdentityInfo')).toEqual({
			status: 200,
			isReused: false,
		});
		for (const text of ['', 'GET /health HTT', 'GET /health HTTP/1.1\r\nx-api-key: ']) {
			const socket = await openConnection(text);
			await new Promise((resolve) => socket.once('close', resolve));
		}
		expect(await ask(agent, '/health')).toEqual({ status: 200, isReused: true });
		agent.destroy();
	});

	it('are not made by answers without a key, which end their connection', async () => {
		await openGateway(600_000);
		const { headers } = await http.ask('GET /health', { headers: { 'x-api-key': 'wrong' } });
		expect(headers.get('connection')).toBe('close');
	});
});
