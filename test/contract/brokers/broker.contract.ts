import { setTimeout as sleep } from 'node:timers/promises';
import { silentLogger, type Logger } from '../../../core/base/logger';
import { brokerAddress } from '../../../core/publish/brokers/broker-config';
import type { SupportedBroker } from '../../../core/publish/brokers/broker-config';
import { publishTimes, type PublishTimes } from '../../../core/publish/brokers/publish-event';
import { runBrokers, type RunningBrokers } from '../../../core/publish/brokers/run-brokers';
import { retrySchema } from '../../../core/events/delivery/delivery-queue';
import type { Gateway } from '../../../core';
import { mailTo, relate, TestNetwork } from '../../support/gateways';
import { openLog } from '../../support/log-lines';
import { until } from '../../support/until';
import { ConsumerBench } from '../../core/events/consumer-bench';
import { HoldingProxy } from './support/holding-proxy';
import type { BrokerKind, Received, Subscriber, TestBroker } from './support/test-broker';

/** BROKER_OUTAGE_SECONDS=60 keeps the broker away for that long, beyond what each needs to stop and start. */
const outageMs = Number(process.env.BROKER_OUTAGE_SECONDS ?? 0) * 1_000;

const retry = retrySchema.parse({ maxAttempts: 3, firstDelay: 0.05, longestDelay: 0.2 });
/** those who came back in a test are there when they say so, however slow the machine is */
const patient: PublishTimes = { ...publishTimes, returnMs: 120_000 };

/**
 * What every kind of broker gets from us (docs/protocol/http-api.md 12).
 *
 * @param describeMore declares what holds for this kind alone, for the same running broker
 */
export function describeBrokerContract(
	kind: BrokerKind,
	describeMore: (bench: { broker(): TestBroker; events(): ConsumerBench }) => void = () =>
		undefined,
): void {
	const title = `a broker of type ${kind.type}`;
	if (kind.missing !== undefined) {
		if (process.env.ENMESHED_TEST_BROKERS === 'required') throw new Error(kind.missing);
		it.skip(`${title} (${kind.missing})`, () => undefined);
		return;
	}
	describe(title, () => {
		jest.setTimeout(180_000);
		let broker: TestBroker;
		let bench: ConsumerBench;
		let running: RunningBrokers[];
		let proxies: HoldingProxy[];
		let subscribers: Subscriber[];

		beforeAll(async () => {
			broker = await kind.create();
			await broker.start();
		});
		afterAll(() => broker.dispose());
		beforeEach(async () => {
			bench = await ConsumerBench.open();
			[running, proxies, subscribers] = [[], [], []];
		});
		afterEach(async () => {
			for (const one of running) await one.close();
			for (const proxy of proxies) await proxy.close();
			for (const subscriber of subscribers) await subscriber.close();
			await bench.close();
		});

		async function run(
			settings: SupportedBroker = broker.settings(),
			{ logger = silentLogger, times = patient }: { logger?: Logger; times?: PublishTimes } = {},
			events: Pick<Gateway['events'], 'consume'> = bench.newProcess(),
		): Promise<RunningBrokers> {
			const facade = { events: events as Gateway['events'] };
			const one = await runBrokers({ facade, logger }, { brokers: [settings], retry }, times);
			running.push(one);
			return one;
		}

		async function subscribe(): Promise<readonly Received[]> {
			const subscriber = await broker.subscribe();
			subscribers.push(subscriber);
			return subscriber.received;
		}

		async function proxy(): Promise<HoldingProxy> {
			const opened = await HoldingProxy.before(broker.port);
			proxies.push(opened);
			return opened;
		}

		const positionOf = (settings: SupportedBroker): Promise<number | undefined> =>
			bench.position(`broker:${brokerAddress(settings)}`);

		const expected = (event: string, data: object): Received => ({
			to: kind.destinationOf(event),
			body: JSON.stringify(data),
			properties: kind.properties,
		});

		const numbered = (from: number, to: number): Array<{ id: number }> =>
			Array.from({ length: to - from + 1 }, (_, index) => ({ id: from + index }));

		const messages = (datas: readonly object[]): Received[] =>
			datas.map((data) => expected('transport.messageReceived', data));

		it('gets every event of a gateway with its data as the whole body, and nothing else', async () => {
			const network = await TestNetwork.open();
			try {
				const [gateway, peer] = [await network.gateway(), await network.gateway()];
				const received = await subscribe();
				await run(broker.settings(), {}, gateway.events);
				const { addressB } = await relate(gateway, peer);
				await gateway.messages.send(mailTo(addressB, 'Grüße', 'naïve ☃ \u0000 “text”'));
				const events = await gateway.events.recent({}, 500);
				expect(events.map(({ event }) => event)).toEqual(
					expect.arrayContaining(['transport.relationshipChanged', 'transport.messageSent']),
				);
				await until(() => received.length >= events.length);
				expect(received).toEqual(events.map(({ event, data }) => expected(event, data)));
			} finally {
				for (const one of running.splice(0)) await one.close();
				await network.close();
			}
		});

		it('gets many events in their order, each once', async () => {
			const received = await subscribe();
			await run();
			const datas = numbered(1, 300);
			await bench.append(...datas.slice(0, 100));
			await bench.append(...datas.slice(100));
			await until(() => received.length >= 300);
			expect(received).toEqual(messages(datas));
		});

		it('moves the cursor by its acknowledgement only', async () => {
			const between = await proxy();
			const settings = broker.settings({ port: between.port });
			const received = await subscribe();
			await run(settings);
			await bench.append({ id: 1 });
			await until(async () => (await positionOf(settings)) === 1);
			between.hold();
			await bench.append({ id: 2 }, { id: 3 });
			// The subscriber has it: the broker has taken it, and its answer is all that is missing.
			await until(() => received.length === 2);
			expect(await positionOf(settings)).toBe(1);
			between.release();
			await until(async () => (await positionOf(settings)) === 3);
			expect(received).toEqual(messages(numbered(1, 3)));
		});

		it('gets an event again that it did not acknowledge in time, before any other', async () => {
			const between = await proxy();
			const settings = broker.settings({ port: between.port });
			const received = await subscribe();
			await run(settings, { times: { ...patient, acknowledgeMs: 500 } });
			await until(() => between.accepted === 1);
			await bench.append({ id: 1 });
			await until(async () => (await positionOf(settings)) === 1);
			between.hold();
			await bench.append({ id: 2 }, { id: 3 });
			await until(() => received.length === 2);
			// The connection that does not answer is given up for the next one, which gets no answer yet.
			await until(() => between.accepted > 1);
			expect(await positionOf(settings)).toBe(1);
			between.release();
			await until(async () => (await positionOf(settings)) === 3);
			const idsSoFar = (): number[] =>
				received.map(({ body }) => (JSON.parse(body) as { id: number }).id);
			// The broker may confirm an event before the subscriber has it.
			await until(() => idsSoFar().includes(3));
			const ids = idsSoFar();
			expect([...new Set(ids)]).toEqual([1, 2, 3]);
			expect(ids).toEqual([...ids].sort());
			expect(ids.filter((id) => id === 2).length).toBeGreaterThan(1);
		});

		it('that is stopped gets everything in order when it is back, and those who listen again', async () => {
			const settings = broker.settings();
			const { logger, lines } = openLog();
			const before = await subscribe();
			await run(settings, { logger });
			await bench.append(...numbered(1, 5));
			await until(async () => (await positionOf(settings)) === 5);
			await until(() => before.length === 5);
			await broker.stop();
			await until(() => lines.some((line) => line.includes('error.gateway.brokers.unreachable')));
			for (const data of numbered(6, 30)) await bench.append(data);
			await sleep(outageMs);
			expect(await positionOf(settings)).toBe(5);
			await broker.start();
			// The gateway may well be connected before the subscriber is.
			const connectedAgain = (): number =>
				lines.filter((line) => line.includes('connected to a message broker')).length;
			await until(() => connectedAgain() === 2);
			const after = await subscribe();
			await until(async () => (await positionOf(settings)) === 30);
			await until(() => after.length >= 25);
			expect(after).toEqual(messages(numbered(6, 30)));
			await bench.append(...numbered(31, 40));
			await until(() => after.length >= 35);
			expect(after).toEqual(messages(numbered(6, 40)));
		});

		it('that is out of reach when the gateway starts and stops holds up neither', async () => {
			const settings = broker.settings({ port: 1 });
			const { logger, lines } = openLog();
			const one = await run(settings, { logger });
			await bench.append({ id: 1 });
			await until(() => lines.length > 0);
			await one.close();
			expect(lines.filter((line) => line.startsWith('error '))).toHaveLength(1);
			expect(lines[0]).toContain(
				'"setting":"modules.messageBrokerPublisher.brokers.0.configuration.url"',
			);
			expect(lines[0]).toContain('error.gateway.brokers.unreachable');
			expect(lines[0]).toContain('ECONNREFUSED');
			expect(await positionOf(settings)).toBe(0);
			// Another port is another place, with a cursor of its own.
			expect(await positionOf(broker.settings())).toBeUndefined();
		});

		it('that refuses the password is named by its setting, without the password', async () => {
			const wrong = broker.settings({ password: 'hid/den@secret' });
			const { logger, lines } = openLog();
			const received = await subscribe();
			const one = await run(wrong, { logger });
			await bench.append({ id: 1 });
			await until(() => lines.length > 0);
			expect(lines[0]).toContain('error.gateway.brokers.loginRefused');
			expect(lines[0]).toContain(
				'"setting":"modules.messageBrokerPublisher.brokers.0.configuration.url"',
			);
			expect(lines.join()).not.toMatch(/hid|secret|den@/);
			await one.close();
			// The right one continues where the other stood: a password is not a part of a cursor.
			await run();
			await until(() => received.length === 1);
			expect(received).toEqual(messages([{ id: 1 }]));
		});

		it('that keeps refusing an event parks it, gets those behind it, and the parked one later', async () => {
			const settings = broker.settings();
			const received = await subscribe();
			const events = bench.newProcess();
			const refusedEvent = 'consumption.attributeCreated';
			await broker.refuse(refusedEvent, true);
			await run(settings, {}, events);
			await bench.append({ id: 1, name: refusedEvent }, { id: 2 });
			const data = { id: 1, name: refusedEvent };
			const name = `broker:${brokerAddress(settings)}`;
			await until(async () => (await bench.consumer(name))?.parked.length === 1);
			expect(await bench.parked()).toMatchObject([{ consumer: name }]);
			await broker.refuse(refusedEvent, false);
			await until(async () => {
				const parked = await bench.parked();
				if (parked.some(({ isSentAgain }) => !isSentAgain)) {
					// The broker may not have heard yet that it is to take it.
					await bench.sendAgain(undefined, events);
				}
				return parked.length === 0;
			});
			await until(() => received.some(({ to }) => to === kind.destinationOf(refusedEvent)));
			expect(received).toContainEqual(expected(refusedEvent, data));
		});

		describeMore({ broker: () => broker, events: () => bench });
	});
}
