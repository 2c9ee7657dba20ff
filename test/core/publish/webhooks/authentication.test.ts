import { createHmac } from 'node:crypto';
import type { LookupFunction } from 'node:net';
import { until } from '../../../support/until';
import { ok, Receiver, type Received } from './support/receiver';
import { atOnce, WebhookBench } from './support/webhook-bench';

/* docs/protocol/http-api.md 11 and 11.1 */
let bench: WebhookBench;
let target: Receiver;

beforeEach(async () => {
	bench = await WebhookBench.open();
	target = await Receiver.open();
});
afterEach(async () => {
	await target.down();
	await bench.close();
});

const one = (settings: object, others: object = {}): object => ({
	webhooks: [{ triggers: ['**'], target: { url: target.url, ...settings } }],
	retry: atOnce,
	...others,
});

async function firstCall(): Promise<Received> {
	await bench.append({ id: '1', text: 'Grüße' });
	await until(() => target.received.length > 0);
	return target.received[0] as Received;
}

describe('a signed webhook', () => {
	/* Computed here from what came, as a receiver would. */
	function expectedSignature(key: Buffer, { headers, text }: Received): string {
		const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${text}`;
		return `v1,${createHmac('sha256', key).update(signed, 'utf8').digest('base64')}`;
	}

	it('proves who sent it, with a secret as text', async () => {
		await bench.start(one({}, { signingSecret: 'a text of some length' }));
		const call = await firstCall();
		expect(call.headers['webhook-signature']).toBe(
			expectedSignature(Buffer.from('a text of some length'), call),
		);
		expect(call.headers['webhook-timestamp']).toBe(
			String(Date.parse('2030-01-01T00:00:00.000Z') / 1_000),
		);
	});

	it('proves it with a secret in Base64, and the one of the target wins', async () => {
		const key = Buffer.from('0123456789abcdef0123456789abcdef');
		const signingSecret = `whsec_${key.toString('base64')}`;
		await bench.start(one({ signingSecret }, { signingSecret: 'of all other targets' }));
		const call = await firstCall();
		expect(call.headers['webhook-signature']).toBe(expectedSignature(key, call));
	});

	it('agrees with the example of Standard Webhooks', async () => {
		const { signatureOf } = await import('../../../../core/publish/webhooks/signature');
		const signature = signatureOf('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', {
			id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
			timestamp: 1614265330,
			body: '{"test": 2432232314}',
		});
		expect(signature).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
	});

	it('is what it says: without a secret there is no signature', async () => {
		await bench.start(one({}));
		expect((await firstCall()).headers['webhook-signature']).toBeUndefined();
	});
});

describe('a webhook authenticates itself', () => {
	it.each([
		[{ type: 'ApiKey', apiKey: 'k1' }, 'x-api-key', 'k1'],
		[{ type: 'ApiKey', apiKey: 'k2', headerName: 'X-Other' }, 'x-other', 'k2'],
	])('with the key of %j', async (authentication, header, value) => {
		await bench.start(one({ authentication, headers: { 'X-API-KEY': 'overruled' } }));
		expect((await firstCall()).headers[header]).toBe(value);
	});

	it('with name and password of the address', async () => {
		const url = target.url.replace('//', '//user:pass%20word@');
		await bench.start(one({ url }));
		const expected = `Basic ${Buffer.from('user:pass word').toString('base64')}`;
		expect((await firstCall()).headers.authorization).toBe(expected);
	});

	it('with a token of the authorization server, until shortly before its end', async () => {
		let issued = 0;
		const login = await Receiver.open(() => ({
			status: 200,
			body: JSON.stringify({ access_token: `token-${++issued}`, expires_in: 60 }),
		}));
		const authentication = {
			type: 'OAuth2',
			accessTokenUrl: `${login.url}/token`,
			clientId: 'me',
			clientSecret: 'pass/word',
			scope: 'events',
		};
		await bench.start(one({ authentication }));
		await firstCall();
		await bench.append({ id: '2' });
		await until(() => target.received.length === 2);
		bench.events.clock.advance(51_000);
		await bench.append({ id: '3' });
		await until(() => target.received.length === 3);
		expect(target.received.map(({ headers }) => headers.authorization)).toEqual([
			'Bearer token-1',
			'Bearer token-1',
			'Bearer token-2',
		]);
		expect(login.received[0]?.text).toBe('grant_type=client_credentials&scope=events');
		expect(login.received[0]?.headers.authorization).toBe(
			`Basic ${Buffer.from('me:pass%2Fword').toString('base64')}`,
		);
		await login.down();
	});

	it('with a new token when one is not accepted, and waits while there is none', async () => {
		let tries = 0;
		const login = await Receiver.open(() => {
			if (++tries < 3) return { status: 500 };
			return { status: 200, body: JSON.stringify({ access_token: `t${tries}`, expires_in: 3600 }) };
		});
		target.judge = ({ headers }) => (headers.authorization === 'Bearer t4' ? ok : { status: 401 });
		const authentication = {
			type: 'OAuth2',
			accessTokenUrl: login.url,
			clientId: 'me',
			clientSecret: 'secret',
		};
		await bench.start(one({ authentication }));
		await bench.append({ id: '1' });
		await until(() => target.received.length === 2);
		expect(target.received.map(({ headers }) => headers.authorization)).toEqual([
			'Bearer t3',
			'Bearer t4',
		]);
		expect(bench.log.lines.some((line) => line.includes('no access token: answered 500'))).toBe(
			true,
		);
		await login.down();
	});
});

describe('a name', () => {
	const leadingTo =
		(...addresses: string[]): LookupFunction =>
		(_name, options, callback) => {
			const found = addresses.map((address) => ({
				address,
				family: address.includes(':') ? 6 : 4,
			}));
			if (options.all === true) callback(null, found);
			else callback(null, found[0]?.address ?? '', found[0]?.family);
		};
	const named = (): object => one({ url: `http://crm.test:${new URL(target.url).port}/hook` });

	it('that leads to this machine is called', async () => {
		await bench.start(named(), { lookup: leadingTo('127.0.0.1') });
		expect((await firstCall()).headers.host).toMatch(/^crm\.test:/);
	});

	it.each([
		[['169.254.169.254']],
		[['::ffff:169.254.169.254']],
		[['fe80::1%eth0']],
		[['fd00:ec2::254']],
		[['127.0.0.1', '169.254.169.254']],
	])('that leads to %j is not called, and its events are kept', async (addresses) => {
		const found = [...addresses];
		await bench.start(named(), { lookup: (...asked) => leadingTo(...found)(...asked) });
		await bench.append({ id: '1' });
		await until(
			() => bench.log.lines.filter((line) => line.includes('must not be called')).length > 2,
		);
		expect(target.received).toEqual([]);
		found.splice(0, found.length, '127.0.0.1');
		await until(() => target.received.length === 1);
	});

	it('is asked for by the connection itself: a second answer cannot slip in', async () => {
		const answers = ['127.0.0.1', '169.254.169.254'];
		const asked: string[] = [];
		target.judge = () => ({ status: 200, headers: { connection: 'close' } });
		await bench.start(named(), {
			lookup: (name, options, callback) => {
				const address = answers.shift() ?? '127.0.0.1';
				asked.push(address);
				leadingTo(address)(name, options, callback);
			},
		});
		await bench.append({ id: '1' }, { id: '2' });
		await until(() => target.ids.includes('2'));
		expect(asked).toEqual(['127.0.0.1', '169.254.169.254', '127.0.0.1']);
	});
});
