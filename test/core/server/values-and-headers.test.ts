import { connect } from 'node:net';
import { PNG } from 'pngjs';
import { inOneHour, SandboxNetwork } from '../../support/gateways';
import { apiKey, HttpGateway } from './support/http-gateway';

/* What is stored is what was sent, and what HTTP says about it holds. */
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
const tokenBody = (content: string): string =>
	`{"content":${content},"expiresAt":"${inOneHour()}"}`;

describe('JSON that cannot be kept as it is', () => {
	it.each([
		['a number that would become null', '{"a":[1e400]}', 'it has a number that is too large'],
		['a long number', `{"a":-${'9'.repeat(400)}}`, 'it has a number that is too large'],
		['half of a surrogate pair', '{"a":"x\\ud800"}', 'it has a text with half of a surrogate pair'],
		['half a pair in a name', '{"\\uDFFF":1}', 'it has a text with half of a surrogate pair'],
	])('is refused: %s', async (_name, content, reason) => {
		const body = tokenBody(content);
		const { status, error } = await http.ask('POST /Tokens/Own', { headers: json, body });
		expect([status, error?.code, error?.message]).toEqual([
			400,
			'error.connector.validation.invalidJsonInPayload',
			`The body of the request cannot be used: ${reason}.`,
		]);
	});

	it('is not confused with what looks like it', async () => {
		const content = '{"a":"1e400 \\\\ud800 \\ud83d\\ude00","b":1e-400,"c":1e300}';
		const body = tokenBody(content);
		const { status, result } = await http.ask('POST /Tokens/Own', { headers: json, body });
		expect([status, result.content]).toEqual([201, JSON.parse(content)]);
	});
});

describe('an uploaded file', () => {
	async function upload(
		name: string,
		type: string,
	): Promise<{ filename: string; mimetype: string }> {
		const boundary = 'b'.repeat(30);
		const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${name}"`;
		const body = `${head}\r\ncontent-type: ${type}\r\n\r\nabc\r\n--${boundary}--\r\n`;
		const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
		return (await http.ask('POST /Files/Own', { headers, body })).result;
	}

	it.each([
		['../../etc/passwd', 'passwd'],
		['C:\\Users\\ada\\a b.txt', 'a b.txt'],
		['plain.txt', 'plain.txt'],
	])('has no directories in its name: %s', async (given, filename) => {
		expect((await upload(given, 'text/plain')).filename).toBe(filename);
	});

	it('has a media type without parameters', async () => {
		expect((await upload('a.txt', 'text/plain; charset=utf-8')).mimetype).toBe('text/plain');
	});

	it('may have a long title', async () => {
		const body = new FormData();
		body.append('file', new File(['a'], 'a.txt'));
		body.append('title', 'a'.repeat(1_001));
		const { status, result } = await http.ask('POST /Files/Own', { body });
		expect([status, result.title?.length]).toEqual([201, 1_001]);
	});

	it('is told one limit when it is too large', async () => {
		const body = new FormData();
		body.append('file', new File([new Uint8Array(9_000_000)], 'a.bin'));
		const { status, error } = await http.ask('POST /Files/Own', { body });
		expect(status).toBe(400);
		expect(error.message.match(/\d{5,}/g)).toEqual(['9000000', '7864242']);
	});
});

describe('a client that waits for 100 Continue', () => {
	async function statuses(key: string): Promise<string[]> {
		const { hostname, port } = new URL(http.server.address);
		const socket = connect(Number(port), hostname);
		const body = tokenBody('{"a":1}');
		let answer = '';
		socket.on('data', (chunk: Buffer) => {
			answer += chunk.toString();
			if (answer === 'HTTP/1.1 100 Continue\r\n\r\n') socket.write(body);
		});
		const head = `POST /api/v2/Tokens/Own HTTP/1.1\r\nhost: a\r\nx-api-key: ${key}\r\n`;
		const more = `expect: 100-continue\r\ncontent-type: application/json\r\nconnection: close\r\n`;
		socket.write(`${head}${more}content-length: ${Buffer.byteLength(body)}\r\n\r\n`);
		await new Promise((resolve) => socket.once('close', resolve));
		return [...answer.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status = '']) => status);
	}

	it('is told to continue after its authentication only', async () => {
		expect(await statuses(apiKey)).toEqual(['100', '201']);
		expect(await statuses('wrong')).toEqual(['401']);
	});
});

describe('an entity tag', () => {
	it('is not compared for a client that wants no cached answer', async () => {
		const call = 'GET /Account/IdentityInfo';
		const tag = (await http.ask(call)).headers.get('etag') ?? '';
		for (const [cacheControl, status] of [
			['max-age=0', 304],
			['no-cache', 200],
		] as const) {
			const headers = { 'if-none-match': tag, 'cache-control': cacheControl };
			expect((await http.ask(call, { headers })).status).toBe(status);
		}
	});
});

describe('the size of a picture', () => {
	const png = { accept: 'image/png' };

	it('is as it was asked for', async () => {
		const created = await http.ask('POST /Tokens/Own', {
			headers: json,
			body: tokenBody('{"a":1}'),
		});
		const call = `GET /Tokens/${created.result.id}?size=`;
		const { bytes } = await http.ask(`${call}400`, { headers: png });
		expect(PNG.sync.read(Buffer.from(bytes)).width).toBe(400);
		for (const size of ['5', 'x', '']) {
			const { status, error } = await http.ask(call + size, { headers: png });
			expect([status, error?.message]).toEqual([
				400,
				expect.stringContaining('expected a whole number of pixels from 200 to 2000'),
			]);
		}
		expect((await http.ask(`${call}x`)).status).toBe(200);
	});
});
