import { parse } from '../../../../core/base/schema-parse';
import { retrySchema, type RetrySettings } from '../../../../core/events/delivery/delivery-queue';
import type { Gateway } from '../../../../core';
import { TestNetwork } from '../../../support/gateways';
import { until } from '../../../support/until';
import { Receiver } from '../../publish/webhooks/support/receiver';
import { isPrivateHost } from '../../../../core/publish/webhooks/forbidden-address';
import { ForbiddenAddress, guardedLookup } from '../../../../core/publish/webhooks/guarded-lookup';
import { signatureOf } from '../../../../core/publish/webhooks/signature';
import { HttpGateway, type Answer } from '../support/http-gateway';

/* docs/adr/0049 */
let network: TestNetwork;
let http: HttpGateway;
let receivers: Receiver[];
let held: Array<{ release(): Promise<void> }>;

beforeAll(async () => {
	network = await TestNetwork.open();
});
afterAll(() => network.close());
beforeEach(async () => {
	http = await open();
	receivers = [];
	held = [];
});
afterEach(async () => {
	for (const one of held) await one.release();
	for (const receiver of receivers) await receiver.down();
	await http.close();
	await http.gateway.close();
});

async function open(webhooks: object = { allowPrivateTargets: true }): Promise<HttpGateway> {
	return await HttpGateway.open(network, {}, { ...network.config(), webhooks });
}

async function receiver(judge?: Receiver['judge']): Promise<Receiver> {
	const opened = await Receiver.open(judge);
	receivers.push(opened);
	return opened;
}

const atOnce = { firstDelay: 0, longestDelay: 0 };

function deliver(gateway: Gateway = http.gateway, retry: Partial<RetrySettings> = atOnce): void {
	held.push(gateway.webhooks.keepDelivering({ retry: parse(retrySchema, retry) }));
}

async function createAttributes(...values: string[]): Promise<void> {
	for (const value of values) {
		await http.gateway.attributes.create({ content: { value: { '@type': 'DisplayName', value } } });
	}
}

const valuesOf = ({ received }: Receiver): string[] =>
	received.map(({ body }) => body.data.content.value.value);

async function create(url: string, others: object = {}): Promise<Answer['result']> {
	const json = { url, events: ['consumption.*'], ...others };
	const { status, result } = await http.ask('POST /Webhooks', { json });
	expect(status).toBe(201);
	return result;
}

const stateOf = async (id: string): Promise<Answer['result']> =>
	(await http.ask(`GET /Webhooks/${id}`)).result;

/** Not Base64 after its prefix. */
const brokenSecret = ['whsec', 'not-base64-not-base64-not'].join('_');

describe('a registered webhook', () => {
	it('gets every event from its registration on, signed, without a restart', async () => {
		deliver();
		const target = await receiver();
		await createAttributes('before');
		const { id, secret } = await create(target.url, { headers: { 'X-Tenant': 'blue' } });
		await createAttributes('a', 'b');
		await until(() => target.received.length === 2);
		expect(valuesOf(target)).toEqual(['a', 'b']);
		const [first] = target.received;
		expect(first?.headers['x-tenant']).toBe('blue');
		const signed = {
			id: String(first?.headers['webhook-id']),
			timestamp: Number(first?.headers['webhook-timestamp']),
			body: String(first?.text),
		};
		expect(first?.headers['webhook-signature']).toBe(signatureOf(secret, signed));
		await until(async () => (await stateOf(id)).delivery.waiting === 0);
		expect((await stateOf(id)).delivery).toEqual({
			waiting: 0,
			hasOlder: false,
			parked: 0,
			lastSuccessAt: expect.stringMatching(/^\d{4}-/) as string,
		});
	});

	it('is shown without secrets, and without a generated one after its creation', async () => {
		const created = await create('https://crm.example/{{trigger}}', {
			headers: { 'X-Token': 'hidden-1' },
			authentication: { type: 'ApiKey', apiKey: 'hidden-2' },
			filter: { purposes: ['onboarding'] },
		});
		expect(created.secret).toMatch(/^whsec_/);
		const given = await create('https://crm.example', { secret: 'hidden-secret-of-the-client' });
		expect(given.secret).toBeUndefined();
		const { result, bytes } = await http.ask('GET /Webhooks');
		expect(Buffer.from(bytes).toString()).not.toMatch(/hidden|whsec_/);
		expect(result).toHaveLength(2);
		expect(result[0]).toMatchObject({
			id: created.id,
			url: 'https://crm.example/{{trigger}}',
			events: ['consumption.*'],
			filter: { purposes: ['onboarding'] },
			version: 6,
			headers: ['X-Token'],
			authentication: { type: 'ApiKey', headerName: 'x-api-key' },
		});
	});

	it('gets only the events that its filter lets pass', async () => {
		deliver();
		const [all, none] = [await receiver(), await receiver()];
		await create(none.url, { filter: { peers: ['did:e:x:dids:0123456789abcdef012345'] } });
		await create(all.url);
		await createAttributes('a');
		await until(() => all.received.length === 1);
		expect(none.received).toEqual([]);
	});

	it('goes on after a restart with what has happened meanwhile', async () => {
		const target = await receiver();
		const { id } = await create(target.url);
		await createAttributes('a');
		expect((await stateOf(id)).delivery).toMatchObject({ waiting: 1, hasOlder: false });
		deliver();
		await until(() => target.received.length === 1);
		await held.pop()?.release();
		await createAttributes('b');
		deliver();
		await until(() => target.received.length === 2);
		expect(valuesOf(target)).toEqual(['a', 'b']);
	});

	it('follows a change of its target and events at once', async () => {
		deliver();
		const [first, second] = [await receiver(), await receiver()];
		const { id } = await create(first.url);
		await createAttributes('a');
		await until(() => first.received.length === 1);
		const { status, result } = await http.ask(`PATCH /Webhooks/${id}`, {
			json: { url: second.url, filter: null },
		});
		expect([status, result.url]).toEqual([200, second.url]);
		await createAttributes('b');
		await until(() => second.received.length === 1);
		expect(valuesOf(first)).toEqual(['a']);
	});

	it('keeps all members that two changes at once give', async () => {
		const { id } = await create('https://crm.example');
		await Promise.all([
			http.ask(`PATCH /Webhooks/${id}`, { json: { url: 'https://other.example' } }),
			http.ask(`PATCH /Webhooks/${id}`, { json: { events: ['transport.**'] } }),
		]);
		expect(await stateOf(id)).toMatchObject({
			url: 'https://other.example',
			events: ['transport.**'],
		});
	});

	it('ends with its deletion, also during a delivery, and leaves no position', async () => {
		const answer = Promise.withResolvers<void>();
		deliver();
		const target = await receiver(async () => {
			await answer.promise;
			return { status: 200 };
		});
		const { id } = await create(target.url);
		await createAttributes('a', 'b');
		await until(() => target.received.length === 1);
		expect((await http.ask(`DELETE /Webhooks/${id}`)).status).toBe(204);
		answer.resolve();
		const other = await receiver();
		await create(other.url);
		await createAttributes('c');
		await until(() => other.received.length === 1);
		expect(valuesOf(target)).toEqual(['a']);
		expect((await http.ask(`GET /Webhooks/${id}`)).status).toBe(404);
		await held.pop()?.release();
		const left = await http.ask(`GET /Account/Problems?consumer=registered-webhook:${id}`);
		expect(left.result).toEqual([]);
	});

	it('is delivered once by two processes, of which one registered and the other deletes it', async () => {
		const config = { ...network.config(), webhooks: { allowPrivateTargets: true } };
		const [a, b] = [await network.gateway(config), await network.gateway(config)];
		deliver(a);
		deliver(b);
		const target = await receiver();
		const { id } = await b.webhooks.create({ url: target.url, events: ['**'] });
		await a.attributes.create({ content: { value: { '@type': 'DisplayName', value: 'x' } } });
		await until(() => target.received.length > 0);
		await a.webhooks.delete(id);
		const last = await b.webhooks.create({ url: target.url, events: ['**'] });
		await b.attributes.create({ content: { value: { '@type': 'DisplayName', value: 'y' } } });
		await until(async () => (await a.webhooks.get(last.id)).delivery.lastSuccessAt !== undefined);
		expect(valuesOf(target)).toEqual(['x', 'y']);
		for (const one of held.splice(0)) await one.release();
		await a.close();
		await b.close();
	});
});

describe('what a target does not accept', () => {
	it('is parked, listed, delivered again and discarded', async () => {
		deliver(http.gateway, { ...atOnce, maxAttempts: 1 });
		const target = await receiver(() => ({ status: 400 }));
		const { id } = await create(target.url);
		await createAttributes('a', 'b');
		await until(async () => (await stateOf(id)).delivery.parked === 2);
		const { delivery } = await stateOf(id);
		expect(delivery.lastFailure).toMatchObject({ reason: 'answered 400' });
		const parked = await http.ask(`GET /Webhooks/${id}/Parked`);
		expect(parked.result).toHaveLength(2);
		const [first] = parked.result;
		expect(first).toMatchObject({ event: 'consumption.attributeCreated', reason: 'answered 400' });
		target.judge = () => ({ status: 200 });
		const again = await http.ask(`POST /Webhooks/${id}/Parked/Retry`, {
			json: { ids: [first.id] },
		});
		expect(again.result).toEqual({ ids: [first.id] });
		await until(async () => (await stateOf(id)).delivery.parked === 1);
		const gone = await http.ask(`POST /Webhooks/${id}/Parked/Discard`, { json: {} });
		expect(gone.result.ids).toHaveLength(1);
		expect((await stateOf(id)).delivery.parked).toBe(0);
	});

	it('is told by a test call: refusals, redirects, silence and missing targets', async () => {
		await http.close();
		http = await open({ allowPrivateTargets: true, timeoutMs: 50 });
		const target = await receiver();
		const { id } = await create(target.url);
		const test = async (): Promise<unknown> => (await http.ask(`POST /Webhooks/${id}/Test`)).result;
		expect(await test()).toEqual({ isAccepted: true });
		expect(target.received[0]?.body).toEqual({ data: {}, trigger: 'gateway.webhookTest' });
		expect(target.received[0]?.headers['webhook-signature']).toMatch(/^v1,/);
		target.judge = () => ({ status: 302, headers: { location: 'http://127.0.0.1:1/' } });
		expect(await test()).toEqual({
			isAccepted: false,
			reason: 'answered 302; redirects are not followed',
		});
		const silence = Promise.withResolvers<{ status: number }>();
		target.judge = () => silence.promise;
		expect(await test()).toEqual({ isAccepted: false, reason: 'no answer within 50 ms' });
		silence.resolve({ status: 200 });
		await target.down();
		expect(await test()).toEqual({ isAccepted: false, reason: 'not reached (ECONNREFUSED)' });
	});
});

describe('a webhook that cannot be registered', () => {
	const invalid = 'error.runtime.validation.invalidPropertyValue';
	const good = { url: 'https://crm.example', events: ['consumption.*'] };

	it.each([
		['without a target', { url: undefined }, 400, invalid],
		['with a target of another scheme', { url: 'file:///etc/passwd' }, 400, invalid],
		['with no address', { url: 'crm' }, 400, invalid],
		[
			'with a target of 10,000 characters',
			{ url: `https://a.b/${'x'.repeat(10_000)}` },
			400,
			invalid,
		],
		['with a password in its target', { url: 'https://a:b@crm.example' }, 400, invalid],
		['without events', { events: [] }, 400, invalid],
		[
			'with an unknown event',
			{ events: ['transport.mesageReceived'] },
			400,
			'error.gateway.events.unknownName',
		],
		['with too short a secret', { secret: 'short' }, 400, invalid],
		['with a broken secret', { secret: brokenSecret }, 400, invalid],
		['with an unknown condition', { filter: { constructor: ['x'] } }, 400, invalid],
		['with an empty condition', { filter: { peers: [] } }, 400, invalid],
		['with a header of the connection', { headers: { Host: 'x' } }, 400, invalid],
		['with half an authentication', { authentication: { type: 'OAuth2' } }, 400, invalid],
		['with an unknown member', { triggers: ['**'] }, 400, invalid],
	])('is refused %s', async (_name, change, status, code) => {
		const answer = await http.ask('POST /Webhooks', { json: { ...good, ...change } });
		expect([answer.status, answer.error.code]).toEqual([status, code]);
		expect((await http.ask('GET /Webhooks')).result).toEqual([]);
	});

	it('is refused with members of a prototype', async () => {
		const body =
			'{"url":"https://crm.example","events":["**"],"filter":{"__proto__":{"peers":["x"]}}}';
		const headers = { 'content-type': 'application/json' };
		const { status } = await http.ask('POST /Webhooks', { body, headers });
		expect(status).toBe(400);
	});

	it.each([
		'http://127.0.0.1/x',
		'http://localhost:9/x',
		'http://2130706433/',
		'http://0x7f.1/',
		'http://10.1.2.3/',
		'http://192.168.0.1/',
		'http://172.31.0.1/',
		'http://100.64.0.1/',
		'http://0.0.0.0/',
		'http://[::1]/',
		'http://[fd12::1]/',
		'http://[::ffff:10.0.0.1]/',
		'http://[64:ff9b::7f00:1]/',
		'http://169.254.169.254/latest',
		'http://metadata.google.internal/',
		'http://printer.local/',
	])('is refused by default in a private network: %s', async (url) => {
		const closed = await open({});
		const answer = await closed.ask('POST /Webhooks', { json: { ...good, url } });
		expect(answer.error.code).toBe('error.gateway.webhooks.privateAddress');
		await closed.close();
		await closed.gateway.close();
	});

	it('is refused at metadata services even where private networks are allowed', async () => {
		const json = { ...good, url: 'http://169.254.169.254/' };
		const { error } = await http.ask('POST /Webhooks', { json });
		expect(error.code).toBe('error.gateway.webhooks.privateAddress');
	});

	it.each(['127.0.0.1', '10.0.0.1', '::1', '169.254.169.254'])(
		'is not called at a name that resolves to %s',
		async (address) => {
			const lookup = guardedLookup(isPrivateHost, (_name, _options, found) =>
				found(null, [{ address, family: address.includes(':') ? 6 : 4 }]),
			);
			const refused = await new Promise((resolve) => {
				lookup('crm.example', { all: true }, resolve);
			});
			expect(refused).toBeInstanceOf(ForbiddenAddress);
		},
	);

	it.each([
		(port: string) => `http://127.0.0.1:${port}/anything`,
		(port: string) => `http://localhost:${port}/api/v2/Attributes`,
		(port: string) => `http://[::ffff:127.0.0.1]:${port}/`,
	])('is refused at this gateway itself', async (urlAt) => {
		const { port } = new URL(http.server.address);
		const { error } = await http.ask('POST /Webhooks', { json: { ...good, url: urlAt(port) } });
		expect(error.code).toBe('error.gateway.webhooks.ownAddress');
	});

	it.each([
		'/api/v2/Attributes',
		'/gateway/api/core/v1/Events',
		'/accounts/b/api/v2/x',
		'/API/v2/x',
	])('is refused at a route of this gateway behind a proxy: %s', async (path) => {
		const headers = { 'x-forwarded-host': 'gateway.example' };
		const json = { ...good, url: `https://gateway.example${path}` };
		const { error } = await http.ask('POST /Webhooks', { json, headers });
		expect(error.code).toBe('error.gateway.webhooks.ownAddress');
		const other = { ...good, url: 'https://gateway.example/hooks' };
		expect((await http.ask('POST /Webhooks', { json: other, headers })).status).toBe(201);
	});

	it('is refused as the next one after a hundred', async () => {
		for (let number = 0; number < 100; number++) await create('https://crm.example');
		const { status, error } = await http.ask('POST /Webhooks', { json: good });
		expect([status, error.code]).toEqual([400, 'error.gateway.webhooks.tooMany']);
	});

	it('is not changed to what could not be registered', async () => {
		const { id } = await create('https://crm.example');
		const change = async (json: object): Promise<string> =>
			(await http.ask(`PATCH /Webhooks/${id}`, { json })).error.code;
		expect(await change({ url: 'http://169.254.169.254/' })).toBe(
			'error.gateway.webhooks.privateAddress',
		);
		expect(await change({ events: ['x'] })).toBe('error.gateway.events.unknownName');
		expect(await stateOf(id)).toMatchObject({
			url: 'https://crm.example',
			events: ['consumption.*'],
		});
	});
});

it('warns of patterns that match no event', async () => {
	const { warnings } = await create('https://crm.example', { events: ['transport.x*', '**'] });
	expect(warnings).toEqual(["No event of version 6 matches 'transport.x*'."]);
});

it.each([
	'GET /Webhooks/WHK1',
	'PATCH /Webhooks/WHK1',
	'DELETE /Webhooks/WHK1',
	'POST /Webhooks/WHK1/Test',
	'GET /Webhooks/WHK1/Parked',
	'POST /Webhooks/WHK1/Parked/Retry',
])('%s of an unknown webhook is answered with 404', async (call) => {
	const { status, error } = await http.ask(call, call.startsWith('GET') ? {} : { json: {} });
	expect([status, error.code]).toEqual([404, 'error.runtime.recordNotFound']);
	expect(error.message).toMatch(/^Webhook not found/);
});

it('a delivery that reaches a gateway is refused, under whatever name', async () => {
	const headers = { 'webhook-id': 'EVT000000000001-0123456789abcdef012345' };
	const { status, error } = await http.ask('POST /Attributes', { headers, json: {} });
	expect([status, error.code]).toEqual([508, 'error.gateway.webhooks.loop']);
});
