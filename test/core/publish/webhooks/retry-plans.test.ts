import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { silentLogger } from '../../../../core/base/logger';
import { openWebhooks } from '../../../../core/publish/webhooks';
import { runBrokers } from '../../../../core/publish/brokers/run-brokers';
import type {
	ConsumeOptions,
	Delivery,
	DeliveryVerdict,
} from '../../../../core/events/event-types';
import { modulesSchema } from '../../../../core/server/config/modules-config';
import { TestClock } from '../../../support/clock';
import { Receiver, type Reply } from './support/receiver';

type Judged = Pick<Delivery, 'attempt'> & Partial<Pick<Delivery, 'refusals' | 'canPark'>>;

/** Takes the place of the stored events: hands out one delivery at a time, as a test wants it. */
class HandedEvents {
	private consumed: ConsumeOptions | undefined;

	readonly facade = {
		events: { consume: (options: ConsumeOptions) => this.consume(options) } as never,
		account: { getIdentity: () => Promise.resolve({ address: 'did:e:x:dids:a' }) } as never,
	};

	async verdictOf(judged: Judged): Promise<DeliveryVerdict> {
		const { consumed } = this;
		if (consumed === undefined) throw new Error('No consumer was opened');
		const event = {
			id: 'EVT000000000001',
			sequence: 1,
			event: 'transport.messageReceived',
			createdAt: '2030-01-01T00:00:00.000Z',
			data: { id: 'MSG1' },
		};
		const delivery = { events: [event], resumed: false, key: 'k', refusals: 0, canPark: true };
		return await consumed.deliver(
			{ ...delivery, isParked: false, ...judged } as never,
			{
				signal: new AbortController().signal,
			} as never,
		);
	}

	private async consume(options: ConsumeOptions): Promise<void> {
		this.consumed = options;
		options.onOpened?.();
		await new Promise<void>((resolve) => {
			options.signal?.addEventListener('abort', () => resolve());
		});
	}
}

const closing: Array<() => Promise<void>> = [];
afterEach(async () => {
	for (const close of closing.splice(0)) await close();
});

/** Seconds before the next attempt, or what else becomes of the event. */
const planOf = (verdict: DeliveryVerdict): number | string =>
	verdict.kind === 'repeat' ? verdict.afterMs / 1_000 : verdict.kind;

const refusalOf = (verdict: DeliveryVerdict): number | undefined =>
	verdict.kind === 'repeat' ? verdict.refusal : undefined;

describe('the retry plan of webhooks', () => {
	async function open(reply: Reply | 'nothing', retry: object = {}): Promise<HandedEvents> {
		const receiver = await Receiver.open(() => (reply === 'nothing' ? { status: 200 } : reply));
		if (reply === 'nothing') await receiver.down();
		else closing.push(() => receiver.down());
		const { webhooks: config } = modulesSchema.parse({
			webhooks: {
				enabled: true,
				webhooks: [{ triggers: ['**'], target: { url: receiver.url } }],
				retry,
			},
		});
		const events = new HandedEvents();
		const { facade } = events;
		const webhooks = await openWebhooks(
			{ facade, logger: silentLogger, clock: new TestClock() },
			config,
		);
		closing.unshift(() => webhooks.close());
		return events;
	}

	const attempts = [1, 2, 3, 4, 5, 6, 7, 8, 100];
	const doubled = [1, 2, 4, 8, 16, 32, 60, 60, 60];

	it.each<[string, Reply | 'nothing', number, number | undefined]>([
		['a refusal, ten of which are too many', { status: 422 }, 10, 10],
		['a gone address, too', { status: 410 }, 10, 10],
		['a redirect, too', { status: 307, headers: { location: 'http://x.example' } }, 10, 10],
		['a failure, a tenth of a refusal', { status: 500 }, 1, 100],
		['a receiver that is away, however often', { status: 503 }, 0, undefined],
		['a demand for fewer calls, however often', { status: 429 }, 0, undefined],
		['no receiver, however often', 'nothing', 0, undefined],
	])('after %s', async (_what, reply, refusal, most) => {
		const events = await open(reply);
		const verdicts = [];
		for (const attempt of attempts) verdicts.push(await events.verdictOf({ attempt }));
		expect(verdicts.map(planOf)).toEqual(doubled);
		expect(new Set(verdicts.map(refusalOf))).toEqual(new Set([refusal]));
		const before = (times: number) => events.verdictOf({ attempt: 9, refusals: times * refusal });
		if (most === undefined) {
			expect(planOf(await events.verdictOf({ attempt: 9, refusals: 10_000 }))).toBe(60);
		} else {
			expect(planOf(await before(most - 2))).toBe(60);
			expect(planOf(await before(most - 1))).toBe('parked');
		}
	});

	it('waits instead of parking where too much is parked', async () => {
		const events = await open({ status: 422 });
		const verdict = await events.verdictOf({ attempt: 9, refusals: 90, canPark: false });
		expect(planOf(verdict)).toBe(60);
	});

	it.each([
		['30', 30],
		['3600', 60],
		[new Date(new TestClock().now() + 45_000).toUTCString(), 45],
		['soon', 1],
	])('waits as long as the receiver asks, but for the longest delay: %s', async (header, after) => {
		const events = await open({ status: 503, headers: { 'retry-after': header } });
		expect(planOf(await events.verdictOf({ attempt: 1 }))).toBeCloseTo(after, 0);
	});

	it('has the settings of the operator', async () => {
		const events = await open({ status: 400 }, { maxAttempts: 2, firstDelay: 3, longestDelay: 5 });
		const plans = [];
		for (const attempt of [1, 2, 3]) plans.push(planOf(await events.verdictOf({ attempt })));
		expect(plans).toEqual([3, 5, 5]);
		expect(planOf(await events.verdictOf({ attempt: 2, refusals: 10 }))).toBe('parked');
	});

	it('is over with the first success', async () => {
		const events = await open({ status: 204 });
		expect(planOf(await events.verdictOf({ attempt: 5, refusals: 90 }))).toBe('accepted');
	});
});

/** Speaks as much of the protocol of Redis as a publisher needs. */
class RedisServer {
	private constructor(
		private readonly server: Server,
		private readonly sockets: ReadonlySet<Socket>,
	) {}

	/** @param answer what it says to an event; undefined to cut the connection */
	static async open(answer: string | undefined): Promise<RedisServer> {
		const sockets = new Set<Socket>();
		const server = createServer((socket) => {
			sockets.add(socket);
			socket.on('error', () => undefined);
			socket.on('data', (bytes) => {
				const isEvent = /PUBLISH/i.test(bytes.toString());
				if (isEvent && answer === undefined) socket.destroy();
				else socket.write(isEvent ? `${answer}\r\n` : '+OK\r\n');
			});
		});
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		return new RedisServer(server, sockets);
	}

	get url(): string {
		return `redis://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
	}

	async close(): Promise<void> {
		for (const socket of this.sockets) socket.destroy();
		await new Promise((resolve) => this.server.close(resolve));
	}
}

describe('the retry plan of message brokers', () => {
	async function open(answer: string | undefined): Promise<HandedEvents> {
		const server = await RedisServer.open(answer);
		closing.push(() => server.close());
		const { messageBrokerPublisher } = modulesSchema.parse({
			messageBrokerPublisher: {
				enabled: true,
				brokers: [{ type: 'Redis', configuration: { url: server.url } }],
			},
		});
		const events = new HandedEvents();
		const { facade } = events;
		const brokers = await runBrokers({ facade, logger: silentLogger }, messageBrokerPublisher);
		closing.unshift(() => brokers.close());
		return events;
	}

	it.each([
		['a refusal', '-OOM command not allowed', 10, 9],
		['a broken connection', undefined, 1, 99],
	])('after %s', async (_what, answer, refusal, most) => {
		const events = await open(answer);
		const verdicts = [];
		for (const attempt of [1, 2, 7]) verdicts.push(await events.verdictOf({ attempt }));
		expect(verdicts.map(planOf)).toEqual([1, 2, 60]);
		expect(new Set(verdicts.map(refusalOf))).toEqual(new Set([refusal]));
		const last = await events.verdictOf({ attempt: 9, refusals: most * refusal });
		expect(planOf(last)).toBe('parked');
	});

	it('is over with the first success', async () => {
		const events = await open(':1');
		expect(planOf(await events.verdictOf({ attempt: 5, refusals: 90 }))).toBe('accepted');
	});
});
