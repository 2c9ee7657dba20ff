import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { SandboxNetwork } from '../../support/gateways';
import { until } from '../../support/until';
import { apiKey, HttpGateway } from './support/http-gateway';

/* What a client can make the server do before it has shown a key, and with one body afterwards. */
let network: SandboxNetwork;
let http: HttpGateway;

beforeAll(async () => {
	network = await SandboxNetwork.open();
	http = await HttpGateway.open(network);
});
afterAll(async () => {
	await http.close();
	await network.close();
});

const json = { 'content-type': 'application/json' };
const withoutKey = { ...json, 'x-api-key': 'wrong' };
const path = 'POST /RelationshipTemplates/Own';
const bombOf = (text: string): Uint8Array<ArrayBuffer> =>
	new Uint8Array(brotliCompressSync(Buffer.from(text)));
const gzipOf = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(gzipSync(text));
const emptyLists = `[${'[],'.repeat(600_000)}[]]`;

describe('a client without a key', () => {
	it.each([
		['text that is not JSON', {}, '{'],
		['nesting without an end', {}, '['.repeat(100_000)],
		['a compressed list of empty lists', { 'content-encoding': 'br' }, bombOf(emptyLists)],
		['bytes that are not what their encoding says', { 'content-encoding': 'gzip' }, 'no gzip'],
		['an unknown encoding', { 'content-encoding': 'zstd' }, '{}'],
		['an unknown type', { 'content-type': 'text/plain' }, 'hello'],
		['more than any body may have', {}, 'x'.repeat(3_000_000)],
	])('is told nothing but that: %s', async (_name, headers, body) => {
		const answer = await http.ask(path, { headers: { ...withoutKey, ...headers }, body });
		expect(answer.status).toBe(401);
		expect(answer.error.code).toBe('error.connector.unauthorized');
	});

	it('is answered while its body is on its way, and sent off', async () => {
		const { hostname, port } = new URL(http.server.address);
		const socket = connect(Number(port), hostname);
		let answer = '';
		socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
		socket.on('error', () => undefined);
		const ended = new Promise((resolve) => socket.once('close', resolve));
		socket.write(
			'POST /api/v2/Account/Sync HTTP/1.1\r\nhost: a\r\n' +
				'content-type: application/json\r\ncontent-length: 9999999\r\n\r\n{',
		);
		await Promise.race([ended, delay(20_000, undefined, { ref: false })]);
		expect(answer).toMatch(/^HTTP\/1\.1 401 /);
		expect(socket.destroyed).toBe(true);
	});

	it('does not keep its connection', async () => {
		const refused = await http.ask(path, { headers: withoutKey, body: '{}' });
		expect(refused.headers.get('connection')).toBe('close');
		const accepted = await http.ask('GET /Account/IdentityInfo');
		expect(accepted.headers.get('connection')).not.toBe('close');
	});
});

describe('a client with a key', () => {
	it('keeps its connection while the rest of a refused body arrives slowly', async () => {
		const { hostname, port } = new URL(http.server.address);
		const socket = connect(Number(port), hostname);
		let answers = '';
		socket.on('data', (chunk: Buffer) => (answers += chunk.toString()));
		const rest = 'x'.repeat(200_000);
		const headers = `host: a\r\nx-api-key: ${apiKey}\r\n`;
		socket.write(
			`POST /api/v2/Challenges/Validate HTTP/1.1\r\n${headers}` +
				`content-type: application/x-www-form-urlencoded\r\ncontent-length: ${rest.length}\r\n\r\n`,
		);
		await until(() => answers.includes('413'));
		// Longer than servers commonly wait for what they do not want.
		await delay(1_000);
		socket.write(`${rest}GET /api/v2/Account/IdentityInfo HTTP/1.1\r\n${headers}\r\n`);
		await until(() => answers.includes('200 OK'));
		socket.destroy();
	});
});

describe('JSON of a client with a key', () => {
	it.each([
		['more than 100000 values', emptyLists],
		['more than 100000 values', `{"a":"${'["[",\\"'.repeat(10)}","b":[${'1,'.repeat(100_001)}1]}`],
		['nested deeper than 64 levels', `${'['.repeat(65)}${']'.repeat(65)}`],
		['nested deeper than 64 levels', `${'{"a":'.repeat(1_000)}1${'}'.repeat(1_000)}`],
		['nested deeper than 64 levels', '['.repeat(2_000_000)],
	])('is refused before it is parsed: %s', async (reason, body) => {
		const parse = jest.spyOn(JSON, 'parse');
		const headers = { ...json, 'content-encoding': 'gzip' };
		const answer = await http.ask(path, { headers, body: gzipOf(body) });
		const wasParsed = parse.mock.calls.some(([text]) => text === body);
		parse.mockRestore();
		expect(answer.status).toBe(400);
		expect(answer.error.code).toBe('error.connector.validation.invalidJsonInPayload');
		expect(answer.error.message).toContain(reason);
		expect(wasParsed).toBe(false);
	});

	it('may hold commas, quotes and brackets in its texts', async () => {
		const value = '[{,"\\'.repeat(60_000);
		const content = { '@type': 'ArbitraryRelationshipTemplateContent', value };
		const answer = await http.ask(path, {
			json: { content, expiresAt: new Date(Date.now() + 3_600_000).toISOString() },
		});
		expect(answer.status).toBe(201);
		expect(answer.result.content.value).toBe(value);
	});

	it('may be read by a key that stands beside a refused token', async () => {
		const answer = await http.ask('POST /Account/Sync', {
			headers: { ...json, authorization: 'Bearer x', 'x-api-key': apiKey },
			body: '{}',
		});
		expect(answer.status).toBe(204);
	});
});
