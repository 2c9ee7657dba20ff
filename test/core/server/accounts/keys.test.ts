import { authenticationSchema } from '../../../../core/server/config/authentication-config';
import { SandboxNetwork } from '../../../support/gateways';
import { apiKey, HttpGateway } from '../support/http-gateway';

/* docs/adr/0050, docs/http-gateway.md 'Keys' */
let network: SandboxNetwork;
let http: HttpGateway;

beforeAll(async () => {
	network = await SandboxNetwork.open();
	http = await HttpGateway.open(network);
});
afterAll(async () => {
	jest.useRealTimers();
	await http.close();
	await network.close();
});

const withKey = (key: string) => ({ headers: { 'x-api-key': key } });

async function create(json: object): Promise<{ id: string; key: string }> {
	const answer = await http.ask('POST /Keys', { json });
	expect(answer.status).toBe(201);
	return answer.result as { id: string; key: string };
}

const statusOf = async (call: string, key: string): Promise<number> =>
	(await http.ask(call, withKey(key))).status;

describe('stored keys', () => {
	it('open what their scopes name, and nothing else', async () => {
		const { key } = await create({ name: 'crm', scopes: ['core:messages'] });
		expect(await statusOf('GET /Messages', key)).toBe(200);
		expect(await statusOf('GET /Files', key)).toBe(403);
		expect(await statusOf('GET /Keys', key)).toBe(403);
		expect(await statusOf('GET /Monitoring/Version', key)).toBe(403);
	});

	it.each([
		['core:*', '/Files', 200],
		['**', '/Keys', 200],
		['core:**', '/Keys', 403],
		['monitoring:*', '/Monitoring/Version', 200],
		['admin:keys', '/Keys', 200],
		['admin', '/Keys', 403],
	])("with the scope '%s' answer %s with %d", async (scope, path, status) => {
		const { id, key } = await create({ name: 'probe', scopes: [scope] });
		expect(await statusOf(`GET ${path}`, key)).toBe(status);
		await http.ask(`DELETE /Keys/${id}`);
	});

	it('are listed without their texts', async () => {
		const { id, key } = await create({ name: 'listed', scopes: ['core:*'] });
		const { result, bytes } = await http.ask('GET /Keys');
		expect(result).toContainEqual({
			id,
			name: 'listed',
			scopes: ['core:*'],
			createdAt: expect.any(String),
		});
		expect(new TextDecoder().decode(bytes)).not.toContain(key);
		expect(key).toMatch(/^enmeshed_[A-Za-z0-9]{44}$/);
	});

	it('are refused as soon as they are revoked', async () => {
		const { id, key } = await create({ name: 'revoked', scopes: ['**'] });
		expect(await statusOf('GET /Messages', key)).toBe(200);
		expect((await http.ask(`DELETE /Keys/${id}`)).status).toBe(204);
		expect(await statusOf('GET /Messages', key)).toBe(401);
		expect((await http.ask(`DELETE /Keys/${id}`)).status).toBe(404);
	});

	it('have two texts for the overlap after a rotation, and one afterwards', async () => {
		const { id, key } = await create({ name: 'rotated', scopes: ['**'] });
		const { result } = await http.ask(`POST /Keys/${id}/Rotate`, { json: { overlapHours: 1 } });
		expect(await statusOf('GET /Messages', key)).toBe(200);
		expect(await statusOf('GET /Messages', result.key)).toBe(200);
		jest.useFakeTimers({ doNotFake: [...notTime], now: Date.now() + 3_600_001 });
		expect(await statusOf('GET /Messages', key)).toBe(401);
		expect(await statusOf('GET /Messages', result.key)).toBe(200);
		jest.useRealTimers();
		const again = await http.ask(`POST /Keys/${id}/Rotate`, { json: { overlapHours: 0 } });
		expect(await statusOf('GET /Messages', result.key)).toBe(401);
		expect(await statusOf('GET /Messages', again.result.key)).toBe(200);
	});

	it('expire between two calls of a client', async () => {
		const expiresAt = new Date(Date.now() + 60_000).toISOString();
		const { key } = await create({ name: 'expiring', scopes: ['**'], expiresAt });
		expect(await statusOf('GET /Messages', key)).toBe(200);
		jest.useFakeTimers({ doNotFake: [...notTime], now: Date.now() + 60_001 });
		expect(await statusOf('GET /Messages', key)).toBe(401);
		jest.useRealTimers();
	});

	it.each([
		[{ scopes: ['**'] }, 'error.runtime.validation.invalidPropertyValue'],
		[{ name: 'x', scopes: [] }, 'error.runtime.validation.invalidPropertyValue'],
		[{ name: 'x', scopes: ['core messages'] }, 'error.runtime.validation.invalidPropertyValue'],
		[{ name: 'a b', scopes: ['**'] }, 'error.runtime.validation.invalidPropertyValue'],
		[
			{ name: 'x', scopes: ['**'], expiresAt: '2020-01-01T00:00:00Z' },
			'error.runtime.validation.invalidPropertyValue',
		],
		[{ name: 'x', scopes: ['**'], key: 'mine' }, 'error.runtime.validation.invalidPropertyValue'],
	])('are refused as input %j', async (json, code) => {
		const answer = await http.ask('POST /Keys', { json });
		expect([answer.status, answer.error.code]).toEqual([400, code]);
	});

	it('have names of their own', async () => {
		await create({ name: 'twice', scopes: ['**'] });
		const answer = await http.ask('POST /Keys', { json: { name: 'twice', scopes: ['**'] } });
		expect([answer.status, answer.error.code]).toEqual([400, 'error.gateway.accessKeys.nameTaken']);
	});
});

/** What servers and stores wait with; only the clock is moved. */
const notTime = [
	'hrtime',
	'nextTick',
	'performance',
	'queueMicrotask',
	'setImmediate',
	'clearImmediate',
	'setInterval',
	'clearInterval',
	'setTimeout',
	'clearTimeout',
] as const;

describe('named keys of the configuration beside version 6', () => {
	it('open the accounts that they name', async () => {
		const text = 'Named-Keys-Have-Strength-0123456!';
		const authentication = authenticationSchema.parse({
			apiKey: {
				keys: {
					reader: { key: text, scopes: ['core:messages'] },
					elsewhere: { key: `${text}2`, accounts: ['school'] },
					here: { key: `${text}3`, accounts: ['Default'] },
				},
			},
		});
		const named = await HttpGateway.open(network, { authentication });
		const status = async (path: string, key: string): Promise<number> =>
			(await named.ask(`GET ${path}`, withKey(key))).status;
		expect(await status('/Messages', text)).toBe(200);
		expect(await status('/Files', text)).toBe(403);
		expect(await status('/Messages', `${text}2`)).toBe(401);
		expect(await status('/Messages', `${text}3`)).toBe(200);
		expect(await status('/Files', apiKey)).toBe(200);
		await named.close();
	});
});

describe('wrong keys', () => {
	it('of one address are limited, however many requests repeat one of them', async () => {
		const limited = await HttpGateway.open(network);
		const status = async (key: string, from: string): Promise<number> => {
			const headers = { 'x-api-key': key, 'x-forwarded-for': from };
			return (await limited.ask('GET /Messages', { headers })).status;
		};
		for (let count = 0; count < 50; count++) {
			expect(await status('the same wrong key', '198.51.100.1')).toBe(401);
		}
		expect(await status(apiKey, '198.51.100.1')).toBe(200);
		for (let count = 0; count < 20; count++) await status(`wrong ${count}`, '198.51.100.2');
		expect(await status(apiKey, '198.51.100.2')).toBe(429);
		expect(await status(apiKey, '198.51.100.1')).toBe(200);
		// A client cannot choose its address: the proxy has written the last entry.
		expect(await status(apiKey, '203.0.113.1, 198.51.100.2')).toBe(429);
		for (let count = 0; count < 20; count++) {
			await status(`wrong ${count}`, `2001:db8:0:1::${count.toString(16)}`);
		}
		expect(await status(apiKey, '2001:db8::1:0:0:0:ffff')).toBe(429);
		expect(await status(apiKey, '2001:db8:0:2::1')).toBe(200);
		// A clock that is set back keeps no address out until it reaches that time again.
		jest.useFakeTimers({ doNotFake: [...notTime], now: Date.now() - 3_600_000 });
		const earlier = await status(apiKey, '198.51.100.2');
		jest.useRealTimers();
		await limited.close();
		expect(earlier).toBe(200);
	});
});
