import { until } from '../../../support/until';
import { ok, Receiver } from './support/receiver';
import { atOnce, WebhookBench } from './support/webhook-bench';

/* docs/protocol/http-api.md 11 and 11.1 */
let bench: WebhookBench;
let receivers: Receiver[];

beforeEach(async () => {
	bench = await WebhookBench.open();
	receivers = [];
});
afterEach(async () => {
	for (const receiver of receivers) await receiver.down();
	await bench.close();
});

async function receiver(judge?: Receiver['judge']): Promise<Receiver> {
	const opened = await Receiver.open(judge);
	receivers.push(opened);
	return opened;
}

const all = (target: unknown): object => ({
	webhooks: [{ triggers: ['**'], target }],
	retry: atOnce,
});
const ids = (count: number): Array<{ id: string }> =>
	Array.from({ length: count }, (_, index) => ({ id: String(index + 1) }));

describe('a webhook', () => {
	it('posts name and data of the event as JSON', async () => {
		const target = await receiver();
		await bench.start(all({ url: target.url, headers: { 'X-Tenant': 'blue' } }));
		await bench.append({ id: '1', content: { '@type': 'Mail', body: 'Grüße' } });
		await until(() => target.received.length === 1);
		expect(target.received[0]?.body).toEqual({
			data: { id: '1', content: { '@type': 'Mail', body: 'Grüße' } },
			trigger: 'transport.messageReceived',
		});
		expect(target.received[0]?.headers).toMatchObject({
			'content-type': 'application/json',
			'x-tenant': 'blue',
			'webhook-id': 'EVT000000000001-0123456789abcdef012345',
			'x-correlation-id': expect.stringMatching(
				/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/,
			) as string,
		});
	});

	it('http-api 18.1: modules/webhooksV2 1 | fills the first placeholder of its address with the name', async () => {
		const target = await receiver();
		await bench.start(all({ url: `${target.url}/{{trigger}}/a/{{trigger}}?x=1` }));
		await bench.append({ id: '1' });
		await until(() => target.received.length === 1);
		expect(target.received[0]?.path).toBe('/transport.messageReceived/a/%7B%7Btrigger%7D%7D?x=1');
	});

	it.each([
		[['transport.messageReceived'], 1],
		[['transport.*'], 1],
		[['**'], 1],
		[['transport.**', '*.messageReceived'], 2],
		[['transport', 'transport.message*', '*', 'consumption.*', '*.*.*'], 0],
	])('with the triggers %j posts an event so often: %i', async (triggers, calls) => {
		const target = await receiver();
		const last = await receiver();
		await bench.start({
			webhooks: [
				{ triggers, target: { url: target.url } },
				{ triggers: ['consumption.messageProcessed'], target: { url: last.url } },
			],
			retry: atOnce,
		});
		await bench.append({ id: '1' }, { id: 'last', name: 'consumption.messageProcessed' });
		await until(() => last.received.length === 1);
		await until(() => target.ids.filter((id) => id === '1').length >= calls);
		expect(target.ids.filter((id) => id === '1')).toHaveLength(calls);
	});

	it('is independent of another one with the same target', async () => {
		const target = await receiver();
		await bench.start({
			targets: { crm: { url: target.url } },
			webhooks: [
				{ triggers: ['transport.*'], target: 'crm' },
				{ triggers: ['transport.messageReceived'], target: 'crm' },
			],
		});
		await bench.append({ id: '1' });
		await until(() => target.received.length === 2);
		expect(target.ids).toEqual(['1', '1']);
		expect(await bench.events.position('webhook:crm')).toBeDefined();
	});

	it('begins with what happens after it was set up', async () => {
		await bench.append({ id: 'before' });
		const target = await receiver();
		await bench.start(all({ url: target.url }));
		await bench.append({ id: 'after' });
		await until(() => target.received.length === 1);
		expect(target.ids).toEqual(['after']);
	});
});

describe('a receiver', () => {
	it('that was down gets everything in order afterwards', async () => {
		const target = await receiver();
		const settings = all({ url: target.url });
		await bench.start(settings);
		await bench.append({ id: 'first' });
		await until(() => target.received.length === 1);
		await target.down();
		await bench.append(...ids(20));
		await until(() => bench.log.lines.some((line) => line.includes('ECONNREFUSED')));
		await target.up();
		await until(() => target.received.length === 21);
		expect(target.ids).toEqual(['first', ...ids(20).map(({ id }) => id)]);
		expect(bench.log.lines.some((line) => line.includes('accepted again'))).toBe(true);
	});

	it.each([502, 503, 504, 429, 408])('that answers %i for long loses nothing', async (status) => {
		const target = await receiver(() => (target.received.length > 150 ? ok : { status }));
		await bench.start({ ...all({ url: target.url }), retry: { ...atOnce, maxAttempts: 1 } });
		await bench.append({ id: '1' }, { id: '2' });
		await until(() => target.ids.includes('2'));
		expect(target.ids.slice(-2)).toEqual(['1', '2']);
	});

	it('that hangs delays no other, and gets everything when it comes round', async () => {
		const hanging = Promise.withResolvers<void>();
		const slow = await receiver(async () => {
			await hanging.promise;
			return ok;
		});
		const quick = await receiver();
		await bench.start({
			webhooks: [
				{ triggers: ['**'], target: { url: slow.url } },
				{ triggers: ['**'], target: { url: quick.url } },
			],
			timeout: 1_000,
			retry: atOnce,
		});
		await bench.append(...ids(5));
		await until(() => quick.received.length === 5);
		await until(() => bench.log.lines.some((line) => line.includes('no answer within 1000 ms')));
		expect([...new Set(slow.ids)]).toEqual(['1']);
		hanging.resolve();
		await until(() => slow.ids.includes('5'));
		expect([...new Set(slow.ids)]).toEqual(['1', '2', '3', '4', '5']);
	});

	it('that keeps refusing one event has it parked, is given the next, and gets it again on demand', async () => {
		let isRepaired = false;
		const target = await receiver(({ body }) =>
			body.data.id === '1' && !isRepaired ? { status: 422 } : ok,
		);
		await bench.start({
			targets: { crm: { url: target.url } },
			webhooks: [{ triggers: ['**'], target: 'crm' }],
			retry: { ...atOnce, maxAttempts: 3 },
		});
		await bench.append({ id: '1' }, { id: '2' });
		await until(() => target.ids.includes('2'));
		expect(target.ids).toEqual(['1', '1', '1', '2']);
		expect(await bench.events.parked()).toMatchObject([
			{ consumer: 'webhook:crm', eventId: 'EVT000000000001', reason: 'answered 422' },
		]);
		const reported = bench.log.lines.filter((line) => line.startsWith('error'));
		expect(reported).toEqual([expect.stringContaining('webhook:crm') as string]);
		isRepaired = true;
		await bench.events.sendAgain();
		await until(async () => (await bench.events.parked()).length === 0);
		expect(target.ids).toEqual(['1', '1', '1', '2', '1']);
	});

	it('that redirects is not followed', async () => {
		const elsewhere = await receiver();
		const target = await receiver(() => ({ status: 307, headers: { location: elsewhere.url } }));
		await bench.start({ ...all({ url: target.url }), retry: { ...atOnce, maxAttempts: 2 } });
		await bench.append({ id: '1' });
		await until(async () => (await bench.events.parked()).length === 1);
		const [parked] = await bench.events.parked();
		expect(parked?.reason).toBe('answered 307; redirects are not followed');
		expect(elsewhere.received).toEqual([]);
	});

	it('is not known by its payload in the log', async () => {
		const target = await receiver(() => ({ status: 500, body: 'secret answer' }));
		await bench.start(all({ url: `${target.url}/secret-path`, headers: { key: 'secret-key' } }));
		await bench.append({ id: '1', content: 'secret content' });
		await until(() => target.received.length > 2);
		expect(bench.log.lines.join('\n')).not.toContain('secret');
	});
});
