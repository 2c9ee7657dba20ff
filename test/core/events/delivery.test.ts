import type { Delivery, DeliveryVerdict } from '../../../core/events/event-types';
import { until } from '../../support/until';
import { accepted, ConsumerBench, failed, parked } from './consumer-bench';

describe('delivering events', () => {
	let bench: ConsumerBench;

	beforeEach(async () => {
		bench = await ConsumerBench.open();
	});

	afterEach(() => bench.close());

	it('stores the attempt before the events are handed over', async () => {
		await bench.append({ id: 1 });
		let seen: unknown;
		bench.start(async () => {
			const consumer = await bench.consumer();
			seen = { position: consumer?.position, attempts: consumer?.attempts };
			return accepted;
		});
		await bench.reaches(1);
		expect(seen).toEqual({
			position: 0,
			attempts: [{ sequence: 1, events: [1], number: 1, refusals: 0 }],
		});
	});

	it('keeps no attempt after the verdict', async () => {
		await bench.append({ id: 1 });
		bench.start(() => accepted);
		await bench.reaches(1);
		expect((await bench.consumer())?.attempts).toEqual([]);
	});

	it('hands out what the outbox holds, under ids that stay', async () => {
		await bench.append({ id: 'MSG1' });
		const run = bench.start(() => accepted);
		await bench.reaches(1);
		expect(run.deliveries[0]).toEqual({
			attempt: 1,
			resumed: false,
			key: 'enmeshed:c:1:1',
			refusals: 0,
			canPark: true,
			isParked: false,
			events: [
				{
					id: 'EVT000000000001',
					sequence: 1,
					event: 'transport.messageReceived',
					createdAt: '2030-01-01T00:00:00.000Z',
					peer: undefined,
					data: { id: 'MSG1' },
				},
			],
		});
	});

	describe('the verdict', () => {
		it('accepted moves on', async () => {
			await bench.append({ id: 1 }, { id: 2 });
			const run = bench.start(() => accepted);
			await bench.reaches(2);
			expect(run.sequences).toEqual([[1], [2]]);
		});

		it('repeat delivers the same events as a new attempt, before any other', async () => {
			await bench.append({ id: 1 }, { id: 2 });
			const verdicts = [failed, failed, accepted, accepted];
			const run = bench.start(() => verdicts.shift() ?? accepted);
			await bench.reaches(2);
			expect(run.sequences).toEqual([[1], [1], [1], [2]]);
			expect(run.attempts).toEqual([
				[1, false, 'enmeshed:c:1:1'],
				[2, false, 'enmeshed:c:1:2'],
				[3, false, 'enmeshed:c:1:3'],
				[1, false, 'enmeshed:c:2:1'],
			]);
		});

		it('repeat carries the very events of the first attempt', async () => {
			await bench.append({ id: 1 }, { id: 2 });
			const verdicts = [failed, accepted];
			const run = bench.start(
				async () => {
					if (verdicts.length === 2) await bench.append({ id: 3 });
					return verdicts.shift() ?? accepted;
				},
				{ batchSize: 10 },
			);
			await bench.reaches(3);
			expect(run.sequences).toEqual([[1, 2], [1, 2], [3]]);
		});

		it('parked remembers the events and the reason, and moves on', async () => {
			await bench.append({ id: 1 }, { id: 2 });
			const run = bench.start(({ events }) => (events[0]?.sequence === 1 ? parked : accepted));
			await bench.reaches(2);
			expect(run.sequences).toEqual([[1], [2]]);
			expect((await bench.consumer())?.parked).toEqual([
				{ sequence: 1, reason: 'hopeless', parkedAt: '2030-01-01T00:00:00.000Z' },
			]);
		});

		it('keeps the newest hundred of what was parked', async () => {
			await bench.append(...Array.from({ length: 105 }, (_, id) => ({ id })));
			bench.start(() => parked, { batchSize: 7 });
			await bench.reaches(105);
			const kept = (await bench.consumer())?.parked ?? [];
			expect(kept).toHaveLength(100);
			expect(kept[0]?.sequence).toBe(6);
		});

		it('that throws ends the consumer and leaves the attempt open', async () => {
			await bench.append({ id: 1 });
			const broken = new Error('broken receiver');
			const run = bench.start(() => Promise.reject(broken));
			await expect(run.ended).rejects.toBe(broken);
			const next = bench.start(() => accepted);
			await bench.reaches(1);
			expect(next.attempts).toEqual([[1, true, 'enmeshed:c:1:1']]);
		});
	});

	describe('after its process died', () => {
		it('before the first attempt was stored: begins with the first', async () => {
			await bench.append({ id: 1 });
			await bench.start(() => accepted, { filter: { names: ['transport.peerDeleted'] } }).stop();
			const next = bench.start(() => accepted);
			await bench.reaches(1);
			expect(next.attempts).toEqual([[1, false, 'enmeshed:c:1:1']]);
		});

		it.each([1, 2, 3])(
			'between attempt %d and its verdict: repeats that attempt under its key, once',
			async (number) => {
				await bench.append({ id: 1 });
				await bench.dieDelivering(number);
				const verdicts = [failed, accepted];
				const next = bench.start(() => verdicts.shift() ?? accepted);
				await bench.reaches(1);
				expect(next.attempts).toEqual([
					[number, true, `enmeshed:c:1:${number}`],
					[number + 1, false, `enmeshed:c:1:${number + 1}`],
				]);
			},
		);

		it('again and again at the same place: the attempt stays the same', async () => {
			await bench.append({ id: 1 });
			const runs = [];
			for (let death = 0; death < 4; death++) runs.push(await bench.dieDelivering(1));
			expect(runs.flatMap(({ attempts }) => attempts)).toEqual([
				[1, false, 'enmeshed:c:1:1'],
				...Array.from({ length: 3 }, () => [1, true, 'enmeshed:c:1:1']),
			]);
		});

		it('does not put events into a repeated delivery that its receiver cannot have seen', async () => {
			await bench.append({ id: 1 }, { id: 2 });
			await bench.dieDelivering(1, { batchSize: 10 });
			await bench.append({ id: 3 }, { id: 4 });
			const next = bench.start(() => accepted, { batchSize: 10 });
			await bench.reaches(4);
			expect(next.sequences).toEqual([
				[1, 2],
				[3, 4],
			]);
		});

		it('does not call an event resumed that was never under way', async () => {
			await bench.append({ id: 1 }, { id: 2, name: 'transport.messageSent' });
			await bench.dieDelivering(1);
			const next = bench.start(() => accepted, { filter: { names: ['transport.messageSent'] } });
			await bench.reaches(2);
			expect(next.attempts).toEqual([[1, false, 'enmeshed:c:2:1']]);
		});

		it('between the verdict and the next attempt: does not repeat what has failed', async () => {
			await bench.append({ id: 1 });
			const hour = 3_600_000;
			const waitLong: DeliveryVerdict = { kind: 'repeat', afterMs: hour, reason: 'failed' };
			const run = bench.start(() => waitLong);
			await until(async () => (await bench.consumer())?.attempts?.[0]?.number === 2);
			await run.stop();
			const next = bench.start(() => accepted);
			await bench.reaches(1);
			expect(next.attempts).toEqual([[2, true, 'enmeshed:c:1:2']]);
		});
	});

	describe('stopping', () => {
		it('ends at once while it waits for events', async () => {
			const run = bench.start(() => accepted);
			await bench.reaches(0);
			await run.stop();
			expect(run.deliveries).toEqual([]);
		});

		it('ends at once while it waits for the next attempt, however long that is', async () => {
			await bench.append({ id: 1 });
			const run = bench.start(() => ({ kind: 'repeat', afterMs: 1e12, reason: 'failed' }));
			await until(() => run.deliveries.length > 0);
			await run.stop();
			expect(run.deliveries).toHaveLength(1);
		});

		it('waits for the delivery under way and stores its verdict', async () => {
			await bench.append({ id: 1 });
			let finish: (verdict: DeliveryVerdict) => void = () => undefined;
			let told: AbortSignal | undefined;
			const run = bench.start(() => accepted, {
				deliver: (_delivery: Delivery, { signal }) => {
					told = signal;
					return new Promise((resolve) => {
						finish = resolve;
					});
				},
			});
			await until(() => told !== undefined);
			const stopped = run.stop();
			expect(told?.aborted).toBe(true);
			finish(accepted);
			await stopped;
			expect(await bench.position()).toBe(1);
		});

		it('leaves an attempt without a verdict open', async () => {
			await bench.append({ id: 1 });
			const abort = new AbortController();
			const run = bench.start(
				() => {
					abort.abort();
					return failed;
				},
				{ signal: abort.signal },
			);
			await run.ended;
			expect((await bench.consumer())?.attempts?.[0]?.number).toBe(1);
		});

		it('happens when the gateway closes', async () => {
			const consumers = bench.newProcess();
			const run = bench.start(() => accepted, {}, consumers);
			await bench.reaches(0);
			consumers.close();
			await run.ended;
			expect(run.deliveries).toEqual([]);
		});
	});

	it('never moves the cursor back when two of one name overlap', async () => {
		await bench.append({ id: 1 }, { id: 2 });
		let finish: (verdict: DeliveryVerdict) => void = () => undefined;
		const slow = bench.start(
			() =>
				new Promise<DeliveryVerdict>((resolve) => {
					finish = resolve;
				}),
		);
		await until(() => slow.deliveries.length === 1);
		bench.start(() => accepted);
		await bench.reaches(2);
		finish(accepted);
		await slow.stop();
		expect(await bench.position()).toBe(2);
	});
});
