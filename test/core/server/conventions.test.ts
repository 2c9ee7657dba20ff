import { gzipSync } from 'node:zlib';
import { TestNetwork } from '../../support/gateways';
import { openLog } from '../../support/log-lines';
import { apiKey, HttpGateway } from './support/http-gateway';

/* docs/protocol/http-api.md 2, 3, 4 */
let network: TestNetwork;
let http: HttpGateway;
const log = openLog();

beforeAll(async () => {
	network = await TestNetwork.open();
	http = await HttpGateway.open(network, { logger: log.logger });
});
afterAll(async () => {
	await http.close();
	await network.close();
});

describe('routing', () => {
	it.each([
		'/api/v2/Account/IdentityInfo',
		'/api/core/v1/Account/IdentityInfo',
		'/API/V2/account/identityinfo',
		'/api/v2/Account/IdentityInfo/',
	])('answers %s', async (path) => {
		const answer = await http.ask(`GET ${path}`);
		expect(answer.status).toBe(200);
		expect(answer.result).toEqual(await http.gateway.account.getIdentity());
	});

	it.each([
		['GET', '/api/v2//Account/IdentityInfo'],
		['GET', '/api/v2/Account'],
		['GET', '/api/v2/Tokens'],
		['GET', '/api/v3/Account/IdentityInfo'],
		['PUT', '/api/v2/Relationships/RELaaaaaaaaaaaaaaaaa/Changes/RCHaaaaaaaaaaaaaaaaa/Accept'],
		['POST', '/health'],
		['POST', '/Monitoring/Version'],
		['POST', '/api/v2/IdentityDeletionProcess'],
	])('knows no %s %s', async (method, path) => {
		const { status, error } = await http.ask(`${method} ${path}`);
		expect([status, error.code]).toEqual([404, 'error.connector.http.routeDoesNotExist']);
	});

	it.each([
		['PATCH /Files', 'GET'],
		['OPTIONS /Files', 'GET'],
		['DELETE /Files/Own', 'GET,POST'],
		['POST /Files/FILaaaaaaaaaaaaaaaaa', 'DELETE,GET'],
	])('refuses %s and says what is allowed', async (call, allow) => {
		const { status, error, headers } = await http.ask(call);
		expect([status, error.code]).toEqual([405, 'error.connector.http.methodNotAllowed']);
		expect(headers.get('allow')?.split(',').sort().join(',')).toBe(allow);
	});

	it('answers HEAD like GET, without a body', async () => {
		const { status, headers, bytes } = await http.ask('HEAD /Account/IdentityInfo');
		expect([status, bytes.length]).toEqual([200, 0]);
		expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
	});

	it('refuses a path that cannot be decoded', async () => {
		const { status, error } = await http.ask('GET /Files/%E0%A4%A');
		expect([status, error.code]).toEqual([400, 'error.gateway.http.malformedRequest']);
	});
});

describe('headers', () => {
	it('say how long a small answer is, which is not compressed', async () => {
		const asking = { headers: { 'accept-encoding': 'gzip' } };
		const { headers, bytes } = await http.ask('GET /Account/IdentityInfo', asking);
		expect(headers.get('content-encoding')).toBeNull();
		expect(headers.get('content-length')).toBe(String(bytes.length));
	});

	it('say that a large answer is compressed', async () => {
		for (let count = 0; count < 40; count++) {
			const value = { '@type': 'DisplayName' as const, value: `${count} ${'x'.repeat(90)}` };
			await http.gateway.attributes.create({ content: { value } });
		}
		const asking = { headers: { 'accept-encoding': 'gzip' } };
		const { status, headers } = await http.ask('GET /Attributes', asking);
		expect([status, headers.get('content-encoding')]).toEqual([200, 'gzip']);
		expect(headers.get('vary')).toBe('Accept, Accept-Encoding');
	});

	it('say when it was answered, how long it took, and protect browsers', async () => {
		const { headers } = await http.ask('GET /Account/IdentityInfo');
		expect(new Date(headers.get('x-response-time') ?? '').toISOString()).toBe(
			headers.get('x-response-time'),
		);
		expect(headers.get('x-response-duration-ms')).toMatch(/^\d+$/);
		expect(headers.get('x-content-type-options')).toBe('nosniff');
		expect(headers.get('x-frame-options')).toBe('SAMEORIGIN');
		expect(headers.get('referrer-policy')).toBe('no-referrer');
		expect(headers.get('strict-transport-security')).toContain('max-age=');
		expect(headers.get('content-security-policy')).toContain("default-src 'self'");
		expect(headers.get('x-powered-by')).toBeNull();
		expect(headers.get('vary')).toBe('Accept, Accept-Encoding');
	});

	it('let clients keep what has not changed', async () => {
		const first = await http.ask('GET /Account/IdentityInfo');
		const etag = first.headers.get('etag') ?? '';
		expect(etag).toMatch(/^W\/"/);
		const second = await http.ask('GET /Account/IdentityInfo', {
			headers: { 'if-none-match': etag, 'cache-control': 'max-age=0' },
		});
		expect([second.status, second.bytes.length]).toEqual([304, 0]);
	});

	it('carry nothing of other origins unless that is configured', async () => {
		const asked = { headers: { origin: 'https://portal.example' } };
		const closed = await http.ask('GET /Account/IdentityInfo', asked);
		expect(closed.headers.get('access-control-allow-origin')).toBeNull();
		const open = await HttpGateway.open(network, {
			cors: { origin: 'https://portal.example', maxAge: 60 },
		});
		const answer = await open.ask('GET /Account/IdentityInfo', asked);
		expect(answer.headers.get('access-control-allow-origin')).toBe('https://portal.example');
		const preflight = await open.ask('OPTIONS /anything', {
			headers: { ...asked.headers, 'access-control-request-headers': 'x-api-key' },
		});
		expect(preflight.status).toBe(204);
		expect(preflight.headers.get('access-control-allow-methods')).toBe(
			'GET,HEAD,PUT,PATCH,POST,DELETE',
		);
		expect(preflight.headers.get('access-control-allow-headers')).toBe('x-api-key');
		await open.close();
	});
});

describe('negotiation', () => {
	it.each(['*/*', 'application/*', 'text/html, application/json;q=0.1', ''])(
		'answers JSON to clients that accept %j',
		async (accept) => {
			expect((await http.ask('GET /Account/SyncInfo', { headers: { accept } })).status).toBe(200);
		},
	);

	it.each(['text/html', 'application/json;q=0', 'image/png'])(
		'refuses clients that accept only %j',
		async (accept) => {
			const { status, error } = await http.ask('GET /Account/SyncInfo', { headers: { accept } });
			expect([status, error.code]).toEqual([406, 'error.connector.http.notAcceptable']);
		},
	);
});

describe('bodies', () => {
	const post = 'POST /Challenges';
	const identity = { challengeType: 'Identity' };
	const json = { 'content-type': 'application/json' };
	const form = { 'content-type': 'application/x-www-form-urlencoded' };

	it.each([
		['JSON', { headers: json, body: JSON.stringify(identity) }],
		['form fields', { headers: form, body: 'challengeType=Identity' }],
		[
			'compressed JSON',
			{
				headers: { ...json, 'content-encoding': 'gzip' },
				body: new Uint8Array(gzipSync(JSON.stringify(identity))),
			},
		],
	])('are read as %s', async (_name, ask) => {
		expect((await http.ask(post, ask)).status).toBe(201);
	});

	it.each([
		['JSON without content', { headers: json, body: '' }],
		['a form without content', { headers: form, body: '' }],
		['nothing at all', {}],
	])('are an empty object when there is %s', async (_name, ask) => {
		const { status, error } = await http.ask(post, ask);
		expect([status, error.message]).toEqual([400, "must have required property 'challengeType'"]);
	});

	it.each([
		[
			'a syntax error',
			{ headers: json, body: '{' },
			400,
			'connector.validation.invalidJsonInPayload',
		],
		['a number', { headers: json, body: '5' }, 400, 'connector.validation.invalidJsonInPayload'],
		[
			'another character set',
			{ headers: { 'content-type': 'application/json; charset=utf-16' }, body: '{}' },
			400,
			'connector.validation.invalidJsonInPayload',
		],
		[
			'a prototype',
			{ headers: json, body: '{"a":{"\\u005f_proto__":1}}' },
			400,
			'connector.validation.invalidJsonInPayload',
		],
		[
			'endless nesting',
			{ headers: json, body: `${'['.repeat(100_000)}${']'.repeat(100_000)}` },
			400,
			'connector.validation.invalidJsonInPayload',
		],
		['a list', { headers: json, body: '[]' }, 400, 'runtime.validation.invalidPropertyValue'],
		[
			'text',
			{ headers: { 'content-type': 'text/plain' }, body: 'x' },
			415,
			'gateway.http.unsupportedBody',
		],
		[
			'an unknown encoding',
			{ headers: { ...json, 'content-encoding': 'zstd' }, body: '{}' },
			415,
			'gateway.http.unsupportedBody',
		],
		[
			'a wrong encoding',
			{ headers: { ...json, 'content-encoding': 'gzip' }, body: '{}' },
			400,
			'gateway.http.malformedRequest',
		],
		[
			'too much JSON',
			{ headers: json, body: JSON.stringify({ a: 'x'.repeat(2 * 1024 * 1024) }) },
			413,
			'gateway.http.bodyTooLarge',
		],
		[
			'too much of a form',
			{ headers: form, body: `a=${'x'.repeat(100 * 1024)}` },
			413,
			'gateway.http.bodyTooLarge',
		],
		[
			'too much that is compressed',
			{
				headers: { ...json, 'content-encoding': 'gzip' },
				body: new Uint8Array(gzipSync(' '.repeat(3 * 1024 * 1024))),
			},
			413,
			'gateway.http.bodyTooLarge',
		],
	])('are refused with %s', async (_name, ask, status, code) => {
		const answer = await http.ask(post, ask);
		expect([answer.status, answer.error.code]).toEqual([status, `error.${code}`]);
	});
});

// shows connector-7 1: Unchanged; connector-7 10: paragraph 1
describe('errors', () => {
	it('come in the envelope that clients read, and nothing else', async () => {
		const { json, error } = await http.ask('GET /unknown');
		expect(Object.keys(json)).toEqual(['error']);
		expect(Object.keys(error).sort()).toEqual(['code', 'docs', 'id', 'message', 'time']);
		expect(error.id).toMatch(/^ERR[ABCDEFGHJKLMNPQRSTUVWXYZ23456789]{17}$/);
		expect(error.docs).toBe(`https://enmeshed.eu/integrate/error-codes#${error.code}`);
		expect(new Date(error.time).toISOString()).toBe(error.time);
	});

	it('name a missing record as official answers do', async () => {
		const { status, error } = await http.ask('GET /Files/FILaaaaaaaaaaaaaaaaa');
		expect([status, error.code]).toEqual([404, 'error.runtime.recordNotFound']);
		expect(error.message).toBe(
			'File not found. Make sure the ID exists and the record is not expired.',
		);
	});

	it('tell the first violation in the words of the official gateway', async () => {
		const { status, error } = await http.ask('GET /Messages/FILaaaaaaaaaaaaaaaaa');
		expect([status, error.code]).toEqual([400, 'error.runtime.validation.invalidPropertyValue']);
		expect(error.message).toBe('id must match pattern MSG[A-Za-z0-9]{17}');
	});

	it('of the Backbone keep code and status', async () => {
		const { status, error } = await http.ask('POST /BackboneNotifications', {
			json: { recipients: [], code: 'x' },
		});
		expect([status, error.code]).toEqual([
			400,
			'error.transport.backboneNotifications.atLeastOneRecipientRequired',
		]);
	});
});

describe('authentication', () => {
	it.each([
		['no key', {}],
		['another key', { 'x-api-key': 'wrong' }],
		['a longer key', { 'x-api-key': `${apiKey}x` }],
		['a basic login', { authorization: 'Basic YTpi' }],
	])('refuses %s, known route or not', async (_name, headers: Record<string, string>) => {
		for (const path of ['/api/v2/Account/IdentityInfo', '/nowhere', '/Monitoring/Version']) {
			const answer = await fetch(http.server.address + path, { headers });
			const { error } = (await answer.json()) as { error: { code: string } };
			expect([answer.status, error.code]).toEqual([401, 'error.connector.unauthorized']);
		}
	});

	it('lets wrong keys wait', async () => {
		let asked = 0;
		const waiting = await HttpGateway.open(network, { refusalDelayMs: () => (asked++, 1) });
		await waiting.ask('GET /Account/SyncInfo', { headers: { 'x-api-key': 'wrong' } });
		await waiting.ask('GET /Account/SyncInfo');
		expect(asked).toBe(1);
		await waiting.close();
	});

	it('leaves health to everybody', async () => {
		const answer = await fetch(`${http.server.address}/health`);
		expect(answer.status).toBe(200);
		expect(await answer.json()).toEqual({
			isHealthy: true,
			services: {
				database: 'healthy',
				backboneConnection: 'healthy',
				backboneAuthentication: 'healthy',
			},
		});
	});
});

describe('the log', () => {
	it('has one line per request, without queries, references and keys', async () => {
		log.lines.length = 0;
		const reference = 'UkxU'.padEnd(120, 'x');
		await http.ask(`GET /Files/${reference}?password=hidden`, {
			headers: { 'x-correlation-id': 'from-outside' },
		});
		expect(log.lines.filter((line) => line.includes('-- '))).toEqual([
			expect.stringMatching(
				/^info \[enmeshed\] GET \/api\/v2\/Files\/\*\*\* 400 -- \d+ms {"correlationId":"from-outside"}$/,
			),
		]);
		expect(log.lines.join()).not.toMatch(/hidden|Tests-Have-The-Key/);
	});
});
