import type { GatewayConfigInput } from '../../../../core';
import { TestClock } from '../../../support/clock';
import { inOneHour, relate, TestNetwork } from '../../../support/gateways';
import { HttpGateway, type Answer } from '../support/http-gateway';
import { authenticationSchema } from '../../../../core/server/config/authentication-config';
import { openServer, type RunningServer } from '../../../../core/server';
import { silentLogger } from '../../../../core/base/logger';

/* docs/adr/0049 */
let network: TestNetwork;
let config: GatewayConfigInput;
let http: HttpGateway;

beforeAll(async () => {
	network = await TestNetwork.open();
});
afterAll(() => network.close());
beforeEach(async () => {
	config = network.config();
	http = await HttpGateway.open(network, {}, config);
});
afterEach(async () => {
	await http.close();
	await http.gateway.close();
});

const attribute = (value: string) => ({ content: { value: { '@type': 'GivenName', value } } });
const template = () => ({
	content: { '@type': 'ArbitraryRelationshipTemplateContent', value: {} },
	expiresAt: inOneHour(),
});
const post = (path: string, key: string, json: object): Promise<Answer> =>
	http.ask(`POST ${path}`, { json, headers: { 'idempotency-key': key } });
const count = async (path: string): Promise<number> =>
	(await http.ask(`GET ${path}`)).result.length as number;

/** Lets the process of a call end before its answer is kept. */
async function dieBeforeAnswer(call: () => Promise<unknown>): Promise<void> {
	const { idempotency } = http.gateway;
	const { once } = idempotency;
	const hasRun = Promise.withResolvers<void>();
	Object.assign(idempotency, {
		once: (given: Parameters<typeof once>[0], work: Parameters<typeof once>[1]) =>
			once(given, {
				...work,
				run: async (key) => {
					await work.run(key);
					hasRun.resolve();
					return await new Promise<never>(() => undefined);
				},
			}),
	});
	const lost = call().catch(() => undefined);
	await hasRun.promise;
	await http.close();
	await http.gateway.close();
	await lost;
	http = await HttpGateway.open(network, {}, config);
}

describe('a call with an idempotency key', () => {
	it.each(['/Attributes', '/RelationshipTemplates/Own', '/Tokens/Own', '/Webhooks'])(
		'POST %s creates once and answers the same again, also after a restart',
		async (path) => {
			const bodies: Record<string, object> = {
				'/Attributes': attribute('Ada'),
				'/RelationshipTemplates/Own': template(),
				'/Tokens/Own': { content: { a: 1 }, expiresAt: inOneHour(), ephemeral: false },
				'/Webhooks': { url: 'https://crm.example', events: ['**'] },
			};
			const body = bodies[path] ?? {};
			const first = await post(path, 'key-1', body);
			expect(first.status).toBe(201);
			expect(first.headers.get('idempotency-replayed')).toBeNull();
			const second = await post(path, '"key-1"', body);
			expect([second.status, second.result]).toEqual([201, first.result]);
			expect(second.headers.get('idempotency-replayed')).toBe('true');
			await http.close();
			await http.gateway.close();
			http = await HttpGateway.open(network, {}, config);
			expect((await post(path, 'key-1', body)).result).toEqual(first.result);
			expect(await count(path)).toBe(1);
			expect((await post(path, 'key-2', body)).result).not.toEqual(first.result);
		},
	);

	it('stores a file once, which counts with its content', async () => {
		const upload = (content: string): Promise<Answer> => {
			const body = new FormData();
			body.append('file', new File([content], 'note.txt', { type: 'text/plain' }));
			return http.ask('POST /Files/Own', { body, headers: { 'idempotency-key': 'file' } });
		};
		const first = await upload('Hello');
		expect((await upload('Hello')).result).toEqual(first.result);
		expect((await upload('Other')).status).toBe(422);
		expect(await count('/Files')).toBe(1);
	});

	it('sends a message once', async () => {
		const peer = await network.gateway();
		await relate(http.gateway, peer);
		const { address } = await peer.account.getIdentity();
		const mail = {
			recipients: [address],
			content: { '@type': 'Mail', to: [address], subject: 'S', body: 'B' },
		};
		const first = await post('/Messages', 'mail', mail);
		expect(first.status).toBe(201);
		expect((await post('/Messages', 'mail', mail)).result).toEqual(first.result);
		await dieBeforeAnswer(() => post('/Messages', 'other', mail));
		expect((await post('/Messages', 'other', mail)).status).toBe(201);
		expect(await count('/Messages')).toBe(2);
	});

	it('is refused with 422 for another body, in any order of its members', async () => {
		await post('/Attributes', 'key', attribute('Ada'));
		const { status, error } = await post('/Attributes', 'key', attribute('Bob'));
		expect([status, error.code]).toEqual([422, 'error.gateway.idempotency.keyReused']);
		const reordered = { content: { value: { value: 'Ada', '@type': 'GivenName' } } };
		expect((await post('/Attributes', 'key', reordered)).status).toBe(201);
		expect((await post('/Tokens/Own', 'key', attribute('Ada'))).status).not.toBe(201);
	});

	it('is refused with 409 while the first one runs', async () => {
		const entered = Promise.withResolvers<void>();
		const go = Promise.withResolvers<void>();
		const { create } = http.gateway.templates;
		Object.assign(http.gateway.templates, {
			create: async (...given: Parameters<typeof create>) => {
				entered.resolve();
				await go.promise;
				return await create(...given);
			},
		});
		const body = template();
		const first = post('/RelationshipTemplates/Own', 'key', body);
		await entered.promise;
		const { status, error } = await post('/RelationshipTemplates/Own', 'key', body);
		expect([status, error.code]).toEqual([409, 'error.gateway.idempotency.inProgress']);
		go.resolve();
		const { result } = await first;
		expect((await post('/RelationshipTemplates/Own', 'key', body)).result).toEqual(result);
	});

	it('may be corrected after a refusal', async () => {
		expect((await post('/Attributes', 'key', attribute('x'.repeat(500)))).status).toBe(400);
		expect((await post('/Attributes', 'key', attribute('Ada'))).status).toBe(201);
	});

	it.each(['/Attributes', '/RelationshipTemplates/Own', '/Webhooks'])(
		'creates nothing twice at POST %s if the process dies before the answer',
		async (path) => {
			const bodies: Record<string, object> = {
				'/Attributes': {
					content: {
						value: {
							'@type': 'BirthDate',
							day: 1,
							month: 2,
							year: 1990,
						},
					},
				},
				'/RelationshipTemplates/Own': template(),
				'/Webhooks': { url: 'https://crm.example', events: ['**'] },
			};
			const body = bodies[path] ?? {};
			await dieBeforeAnswer(() => post(path, 'key', body));
			const before = await http.ask(`GET ${path}`);
			const again = await post(path, 'key', body);
			expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
			expect(again.result.id).toBe(before.result[0].id);
			expect(await count(path)).toBe(before.result.length);
			expect((await post(path, 'key', body)).result).toEqual(again.result);
		},
	);

	it('keeps no answer about a person whose relationship was decomposed', async () => {
		const peer = await network.gateway();
		const { relationshipId } = await relate(http.gateway, peer);
		const first = await post('/Attributes', 'key', attribute('Ada'));
		await http.ask(`PUT /Relationships/${relationshipId}/Terminate`);
		await http.ask(`DELETE /Relationships/${relationshipId}`);
		const again = await post('/Attributes', 'key', attribute('Ada'));
		expect([again.status, again.result]).toEqual([201, first.result]);
		expect(await count('/Attributes')).toBe(1);
	});

	it.each(['', ' ', 'x'.repeat(256), 'a b', 'a"b'])(
		'is refused in a wrong form: %j',
		async (key) => {
			const { status, error } = await post('/Attributes', key, attribute('Ada'));
			expect([status, error.code]).toEqual([400, 'error.runtime.validation.invalidPropertyValue']);
		},
	);
});

it('two clients with the same key do not see each other', async () => {
	const [one, two] = ['One-Client-Has-The-Key-0123456789!', 'Two-Client-Has-The-Key-0123456789!'];
	const server: RunningServer = await openServer({
		facade: http.gateway,
		logger: silentLogger,
		...{ host: '127.0.0.1', port: 0, connectorVersion: 7, debug: false },
		authentication: authenticationSchema.parse({
			apiKey: { keys: { one: { key: one }, two: { key: two } } },
		}),
		cors: { origin: false },
		version: '0.0.0',
		configuration: {},
	});
	const ask = async (key: string, body: object): Promise<{ result: { id: string } }> => {
		const answer = await fetch(`${server.address}/api/v2/Tokens/Own`, {
			method: 'POST',
			headers: { 'x-api-key': key, 'idempotency-key': 'k', 'content-type': 'application/json' },
			body: JSON.stringify(body),
		});
		expect(answer.status).toBe(201);
		return (await answer.json()) as { result: { id: string } };
	};
	const body = { content: { a: 1 }, expiresAt: inOneHour(), ephemeral: false };
	const first = await ask(one, body);
	const other = await ask(two, { ...body, content: { b: 2 } });
	expect(other.result.id).not.toBe(first.result.id);
	expect((await ask(one, body)).result.id).toBe(first.result.id);
	await server.close();
});

it('a key is free again after a day', async () => {
	const clock = new TestClock();
	const gateway = await network.gateway(network.config(), { clock });
	const runs: number[] = [];
	const ask = (request: string) =>
		gateway.idempotency.once(
			{ caller: 'a client', key: 'k', request },
			{
				run: () => Promise.resolve({ status: 201, headers: {}, body: String(runs.push(1)) }),
				repeat: () => Promise.resolve(undefined),
			},
		);
	expect(await ask('first')).toMatchObject({ isRepeated: false });
	clock.advance(23 * 3_600_000);
	expect(await ask('first')).toMatchObject({ isRepeated: true, answer: { body: '1' } });
	clock.advance(3_600_000);
	expect(await ask('second')).toMatchObject({ isRepeated: false, answer: { body: '2' } });
	await gateway.close();
});
