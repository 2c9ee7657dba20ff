import { createServer, type AddressInfo, type Server } from 'node:net';
import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { SandboxBackbone } from '../../sandbox/sandbox-backbone';
import { until } from '../support/until';
import {
	requireAtOnce,
	bytes,
	datawallet,
	type RawAccount,
	RuleBench,
	sandboxOf,
} from './support/raw-client';

/* Clients that are many, slow, gone or want too much, and the end of the sandbox. */
let bench: RuleBench;
let account: RawAccount;

beforeEach(async () => {
	bench = await RuleBench.open();
	account = await bench.account();
});

afterEach(() => bench.close());

const template = JSON.stringify({ content: bytes(9) });

/** A client that writes when the test wants it to. */
async function slowClient() {
	const { port } = new URL(bench.baseUrl);
	const socket: Socket = connect(Number(port), '127.0.0.1');
	await once(socket, 'connect');
	let received = '';
	socket.on('data', (chunk) => (received += String(chunk)));
	const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()));
	socket.on('error', () => undefined);
	const head = [
		'POST /api/v2/RelationshipTemplates HTTP/1.1',
		`Host: localhost:${port}`,
		`Authorization: ${account.authorization}`,
		'Content-Type: application/json',
		`Content-Length: ${template.length}`,
	];
	const arrived = sandboxOf(bench).faults.onNext('POST', /RelationshipTemplates/);
	socket.write(`${head.join('\r\n')}\r\n\r\n${template.slice(0, 5)}`);
	await arrived;
	return { socket, ended, received: () => received };
}

describe('two clients at once', () => {
	it('cannot both use the last allocation, or both begin a relationship', async () => {
		requireAtOnce(bench);
		const [one, other] = [await bench.account(), await bench.account()];
		const id = await account.template({ maxNumberOfAllocations: 1 });
		const reads = await Promise.all(
			[one, other].map((reader) => reader.call('GET', `RelationshipTemplates/${id}`)),
		);
		expect(reads.map(({ status }) => status).sort()).toEqual([200, 400]);
		const [ofOne, ofOther] = [await one.template(), await other.template()];
		const begun = await Promise.all([
			one.call('POST', 'Relationships', { relationshipTemplateId: ofOther }),
			other.call('POST', 'Relationships', { relationshipTemplateId: ofOne }),
		]);
		expect(begun.map(({ status }) => status).sort()).toEqual([201, 400]);
	});

	it('cannot both start a sync run', async () => {
		const { to } = await bench.pending();
		const second = await bench.secondDevice(to);
		const runs = await Promise.all(
			[to, second, to, second].map((device) => device.call('POST', 'SyncRuns', {}, datawallet)),
		);
		expect(runs.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400]);
	});
});

describe('a client', () => {
	it('that is slow does not delay others, and is answered in the end', async () => {
		const { socket, received } = await slowClient();
		expect((await account.call('GET', 'Identities/Self')).status).toBe(200);
		socket.write(template.slice(5));
		await until(() => received().includes('"RLT'));
		socket.destroy();
	});

	it('that goes away in the middle has done nothing', async () => {
		const { socket, ended } = await slowClient();
		socket.destroy();
		await ended;
		expect((await account.call('GET', 'Identities/Self')).status).toBe(200);
		expect(sandboxOf(bench).state.templates.size).toBe(0);
	});

	it('that sends a large body without saying so is told that it is too large', async () => {
		const pieces = 21;
		const body = new ReadableStream<Uint8Array>({
			pull(controller) {
				controller.enqueue(new Uint8Array(1024 * 1024).fill(65));
				sent++;
				if (sent === pieces) controller.close();
			},
		});
		let sent = 0;
		const response = await fetch(`${bench.baseUrl}/api/v2/Challenges`, {
			method: 'POST',
			body,
			duplex: 'half',
		} as RequestInit);
		expect([response.status, await response.json()]).toMatchObject([
			400,
			{ error: { code: 'error.platform.requestBodyTooLarge' } },
		]);
	});

	it('whose path is not a path gets an answer', async () => {
		for (const path of ['/api/v2/%', '/api/v2/Messages/%E0%A4%A', '//', '/api', '/api/v2/']) {
			const { status } = await bench.call('GET', path);
			expect([401, 404]).toContain(status);
		}
	});
});

describe('the end', () => {
	it('waits for the call that runs, and takes no other', async () => {
		const { socket, received, ended } = await slowClient();
		const closing = sandboxOf(bench).close();
		await expect(account.call('GET', 'Version')).rejects.toThrow();
		socket.write(template.slice(5));
		await ended;
		await closing;
		expect(received()).toMatch(/^HTTP\/1\.1 201 [\s\S]*connection: close[\s\S]*"RLT/i);
	});

	it('does not wait for a client that never ends', async () => {
		const { received, ended } = await slowClient();
		await sandboxOf(bench).close();
		await ended;
		expect(received()).toBe('');
	});
});

describe('a port', () => {
	it('that is taken is named with what to do', async () => {
		const { port } = new URL(bench.baseUrl);
		await expect(SandboxBackbone.open({ port: Number(port) })).rejects.toThrow(
			`error.sandbox.portInUse: port ${port} of this machine is already in use`,
		);
	});

	it('is taken for both meanings of localhost, or not at all', async () => {
		const other: Server = createServer();
		await new Promise<void>((resolve, reject) => {
			other.once('error', reject);
			other.listen(0, '::1', resolve);
		});
		const { port } = other.address() as AddressInfo;
		await expect(SandboxBackbone.open({ port })).rejects.toThrow('error.sandbox.portInUse');
		// It has let go of the other one.
		const free = createServer();
		await new Promise<void>((resolve, reject) => {
			free.once('error', reject);
			free.listen(port, '127.0.0.1', resolve);
		});
		free.close();
		other.close();
	});
});
