import { silentLogger } from '../../../core/base/logger';
import { DeliveryQueue, type TargetAnswer } from '../../../core/events/delivery/delivery-queue';
import { until } from '../../support/until';
import { openLog } from '../../support/log-lines';
import { accepted, ConsumerBench, failed, parked } from './consumer-bench';

let bench: ConsumerBench;

beforeEach(async () => {
	bench = await ConsumerBench.open();
});

afterEach(() => bench.close());

describe('parked deliveries', () => {
	async function parkThree(): Promise<void> {
		await bench.append({ id: 1 }, { id: 2 }, { id: 3 });
		const run = bench.start(() => parked);
		await bench.reaches(3);
		await run.stop();
	}

	it('are listed with their event and why they were not taken', async () => {
		await parkThree();
		expect((await bench.parked())[1]).toEqual({
			id: 'EVT000000000002@c',
			consumer: 'c',
			eventId: 'EVT000000000002',
			event: 'transport.messageReceived',
			createdAt: '2030-01-01T00:00:00.000Z',
			parkedAt: '2030-01-01T00:00:00.000Z',
			reason: 'hopeless',
			isSentAgain: false,
			isErased: false,
		});
		expect(await bench.parked()).toHaveLength(3);
	});

	it('are delivered once more when asked for, also while their consumer does not run', async () => {
		await parkThree();
		await bench.sendAgain(['EVT000000000001@c', 'EVT000000000003@c']);
		expect((await bench.parked()).map(({ isSentAgain }) => isSentAgain)).toEqual([
			true,
			false,
			true,
		]);
		const run = bench.start(() => accepted);
		await until(async () => (await bench.consumer())?.parked.length === 1);
		expect(run.sequences).toEqual([[1], [3]]);
		expect(run.deliveries.every(({ isParked }) => isParked)).toBe(true);
		expect((await bench.consumer())?.parked).toMatchObject([{ sequence: 2, reason: 'hopeless' }]);
	});

	it('are delivered by a consumer that already runs', async () => {
		await parkThree();
		const consumers = bench.newProcess();
		const run = bench.start(() => accepted, {}, consumers);
		await bench.sendAgain(undefined, consumers);
		await until(async () => (await bench.consumer())?.parked.length === 0);
		expect(run.sequences).toEqual([[1], [2], [3]]);
	});

	it('stay on the list when they fail again, with the new reason and a new key each time', async () => {
		await parkThree();
		const consumers = bench.newProcess();
		const run = bench.start(() => failed, {}, consumers);
		for (const tries of [1, 2]) {
			bench.clock.advance(1_000);
			await bench.sendAgain(['EVT000000000001@c'], consumers);
			await until(() => run.deliveries.length === tries);
			await until(async () => (await bench.consumer())?.parked[0]?.again === undefined);
		}
		expect((await bench.consumer())?.parked[0]?.reason).toBe('failed');
		expect(new Set(run.attempts.map(([, , key]) => key)).size).toBe(2);
	});

	it('are tried again after a crash that hid the outcome', async () => {
		await parkThree();
		const consumers = bench.newProcess();
		const dying = bench.start(() => new Promise<never>(() => undefined), {}, consumers);
		await bench.sendAgain(['EVT000000000001@c'], consumers);
		await until(() => dying.deliveries.length === 1);
		const next = bench.start(() => accepted);
		await until(async () => (await bench.consumer())?.parked.length === 2);
		expect(next.deliveries[0]?.key).toBe(dying.deliveries[0]?.key);
	});

	it('can be asked for while the line waits because of another event', async () => {
		await parkThree();
		await bench.append({ id: 4 });
		const consumers = bench.newProcess();
		const run = bench.start(({ isParked }) => (isParked ? accepted : failed), {}, consumers);
		await until(() => run.deliveries.length > 1);
		await bench.sendAgain(undefined, consumers);
		await until(async () => (await bench.consumer())?.parked.length === 0);
		expect(await bench.position()).toBe(3);
	});

	it('are gone when they are discarded, and are not delivered', async () => {
		await parkThree();
		await bench.discard(['EVT000000000001@c', 'EVT000000000003@c']);
		expect((await bench.parked()).map(({ id }) => id)).toEqual(['EVT000000000002@c']);
		await bench.sendAgain(['EVT000000000001@c', 'EVT000000000002@c', 'EVT000000000003@c']);
		const run = bench.start(() => accepted);
		await until(async () => (await bench.consumer())?.parked.length === 0);
		expect(run.sequences).toEqual([[2]]);
	});

	it('that are discarded while they are tried stay away, also when the try fails', async () => {
		await parkThree();
		const consumers = bench.newProcess();
		const verdict = Promise.withResolvers<typeof failed>();
		const run = bench.start(() => verdict.promise, {}, consumers);
		await bench.sendAgain(['EVT000000000001@c', 'EVT000000000002@c'], consumers);
		await until(() => run.deliveries.length === 1);
		await bench.discard(['EVT000000000001@c']);
		verdict.resolve(failed);
		await until(() => run.deliveries.length === 2);
		await until(async () => (await bench.consumer())?.parked[0]?.again === undefined);
		expect((await bench.parked()).map(({ eventId }) => eventId)).toEqual([
			'EVT000000000002',
			'EVT000000000003',
		]);
	});

	it('of several consumers are told apart', async () => {
		await parkThree();
		const other = bench.start(() => parked, { consumer: 'other' });
		await bench.reaches(3, 'other');
		await other.stop();
		await bench.discard(['EVT000000000001@other']);
		expect((await bench.parked()).map(({ id }) => id)).toEqual([
			'EVT000000000001@c',
			'EVT000000000002@c',
			'EVT000000000003@c',
			'EVT000000000002@other',
			'EVT000000000003@other',
		]);
	});

	it('of erased events are never delivered', async () => {
		await parkThree();
		await bench.store.transact((tx) => tx.outbox.erase('1'));
		const consumers = bench.newProcess();
		expect((await bench.parked())[0]).toMatchObject({ isErased: true });
		await bench.sendAgain(['EVT000000000001@c'], consumers);
		const run = bench.start(() => accepted, {}, consumers);
		await until(async () => (await bench.consumer())?.parked.length === 2);
		expect(run.deliveries).toEqual([]);
	});
});

describe('a line of deliveries', () => {
	const retry = { maxAttempts: 3, firstDelay: 0, longestDelay: 0 };
	const taken: TargetAnswer = { kind: 'taken' };

	it('parks what is refused as often as it may be, reports it, and goes on', async () => {
		const { logger, lines } = openLog();
		const sent: number[] = [];
		const line = await DeliveryQueue.open(
			{ events: bench.newProcess(), logger },
			{
				consumer: 'c',
				filter: {},
				retry,
				send: async ({ sequence }) => {
					sent.push(sequence);
					return sequence === 1 ? { kind: 'refused', reason: 'answered 422' } : taken;
				},
			},
		);
		await bench.append({ id: 1 }, { id: 2 });
		await bench.reaches(2);
		expect(sent).toEqual([1, 1, 1, 2]);
		expect((await bench.consumer())?.parked).toMatchObject([
			{ sequence: 1, reason: 'answered 422' },
		]);
		expect(lines.filter((one) => one.startsWith('error'))).toEqual([
			expect.stringContaining('EVT000000000001') as string,
		]);
		await line.close();
	});

	it.each([
		['is away, however often', 'away', 60],
		['fails, for ten times as long as a refusal', 'failed', 29],
	] as const)('keeps an event for a target that %s', async (_name, kind, times) => {
		const sent: number[] = [];
		const line = await DeliveryQueue.open(
			{ events: bench.newProcess(), logger: silentLogger },
			{
				consumer: 'c',
				filter: {},
				retry,
				send: async ({ sequence }) => {
					sent.push(sequence);
					return sent.length <= times ? { kind, reason: 'not there' } : taken;
				},
			},
		);
		await bench.append({ id: 1 }, { id: 2 });
		await bench.reaches(2);
		expect(sent).toEqual([...Array.from({ length: times + 1 }, () => 1), 2]);
		expect((await bench.consumer())?.parked).toEqual([]);
		await line.close();
	});

	it('counts refusals across restarts', async () => {
		const refuse = (until_: number) => {
			let tries = 0;
			const reached = Promise.withResolvers<void>();
			return {
				reached: reached.promise,
				send: async (): Promise<TargetAnswer> => {
					if (++tries <= until_) return { kind: 'refused', reason: 'no' };
					reached.resolve();
					return await new Promise<never>(() => undefined);
				},
			};
		};
		const options = { consumer: 'c', filter: {}, retry };
		const context = { events: bench.newProcess(), logger: silentLogger };
		const first = refuse(2);
		await DeliveryQueue.open(context, { ...options, send: first.send });
		await bench.append({ id: 1 });
		await first.reached;
		const second = refuse(1);
		const line = await DeliveryQueue.open(
			{ ...context, events: bench.newProcess() },
			{ ...options, send: second.send },
		);
		await until(async () => (await bench.consumer())?.parked.length === 1);
		await line.close();
	});

	it('survives a defect in sending, which counts as a failure', async () => {
		let tries = 0;
		const line = await DeliveryQueue.open(
			{ events: bench.newProcess(), logger: silentLogger },
			{
				consumer: 'c',
				filter: {},
				retry,
				send: async () => {
					if (++tries < 3) throw new TypeError('defect');
					return taken;
				},
			},
		);
		await bench.append({ id: 1 });
		await bench.reaches(1);
		expect(tries).toBe(3);
		await line.close();
	});

	it('waits when so much is parked that more would be forgotten', async () => {
		const { logger, lines } = openLog();
		let sent = 0;
		const line = await DeliveryQueue.open(
			{ events: bench.newProcess(), logger },
			{
				consumer: 'c',
				filter: {},
				retry: { ...retry, maxAttempts: 1 },
				send: async () => {
					sent++;
					return { kind: 'refused', reason: 'no' };
				},
			},
		);
		await bench.append(...Array.from({ length: 202 }, (_, id) => ({ id })));
		await until(() => sent > 210);
		const { parked: kept, position } = (await bench.consumer()) ?? { parked: [], position: 0 };
		expect([kept.length, position]).toEqual([200, 200]);
		expect(lines.some((one) => one.includes('too many deliveries are parked'))).toBe(true);
		await line.close();
	});

	it('lets the call under way come to its end when it closes', async () => {
		const started = Promise.withResolvers<void>();
		const answer = Promise.withResolvers<TargetAnswer>();
		const line = await DeliveryQueue.open(
			{ events: bench.newProcess(), logger: silentLogger },
			{
				consumer: 'c',
				filter: {},
				retry,
				send: () => {
					started.resolve();
					return answer.promise;
				},
			},
		);
		await bench.append({ id: 1 }, { id: 2 });
		await started.promise;
		const closed = line.close();
		answer.resolve(taken);
		await closed;
		expect(await bench.position()).toBe(1);
	});
});
