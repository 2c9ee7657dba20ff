import { purposesOfPeers } from '../../../core/domain/purposes';
import type { IRunExecutionData } from 'n8n-workflow';
import { systemClock } from '../../../core/base/clock';
import type { DeliveryVerdict } from '../../../core';
import { EventConsumers } from '../../../core/events/consumers';
import { EventDelivery, type DeliveryHost } from '../../../nodes/Enmeshed/trigger/deliver-events';
import { triggerFunctions, type Emission } from '../../support/n8n/n8n-functions';
import { openTestStore, type TestStore } from '../../support/store';
import { until } from '../../support/until';

/** The delivery of one trigger on a real store, with the executions that n8n would run. */
class Bench {
	readonly stub = triggerFunctions();

	readonly parked: string[] = [];

	readonly closed = new AbortController();

	private readonly stop = new AbortController();

	private ended: Promise<void> = Promise.resolve();

	constructor(
		private readonly consumers: EventConsumers,
		private readonly options: {
			readonly acknowledge?: 'starts' | 'succeeds';
			readonly maxAttempts?: number;
			readonly deadlineMs?: number;
			readonly batchSize?: number;
			readonly doneGraceMs?: number;
			readonly onVerdict?: (verdict: DeliveryVerdict) => void;
		} = {},
	) {}

	get emissions(): Emission[] {
		return this.stub.emissions;
	}

	get keys(): Array<string | undefined> {
		return this.emissions.map(({ key }) => key);
	}

	start(onEmit: (emission: Emission) => void = () => undefined): this {
		this.stub.onEmit = onEmit;
		const { functions } = this.stub;
		const host: DeliveryHost = {
			emit: (data, promises, key) => functions.emit(data, promises?.response, promises?.done, key),
			createDeferredPromise: () => functions.helpers.createDeferredPromise(),
			toItems: async (events) => events.map((event) => ({ json: { id: event.id } })),
			warn: (message) => functions.logger.warn(message),
			onParked: (_delivery, reason) => void this.parked.push(reason),
			closed: this.closed.signal,
			deadlineMs: this.options.deadlineMs ?? 60_000,
		};
		const settings = {
			acknowledge: this.options.acknowledge ?? 'succeeds',
			maxAttempts: this.options.maxAttempts ?? 1,
		} as const;
		const delivery = new EventDelivery(host, settings, () => 0, this.options.doneGraceMs);
		this.ended = this.consumers.consume({
			consumer: 'n8n:test',
			filter: {},
			startFrom: 'oldest',
			batchSize: this.options.batchSize ?? 1,
			deliver: async (given) => {
				const verdict = await delivery.deliver(given);
				this.options.onVerdict?.(verdict);
				return verdict;
			},
			signal: this.stop.signal,
		});
		return this;
	}

	/** As closing does: no more deliveries, then no more waiting. */
	async close(): Promise<void> {
		this.stop.abort();
		this.closed.abort();
		await this.ended;
	}
}

const succeed = (emission: Emission) => emission.settle({ status: 'success' });
const failRun = (emission: Emission) => emission.settle({ status: 'error' });

describe('handing events to n8n', () => {
	let opened: TestStore;
	let consumers: EventConsumers;
	const benches: Bench[] = [];

	beforeEach(async () => {
		opened = await openTestStore();
		consumers = new EventConsumers(opened.store, systemClock, purposesOfPeers);
	});

	afterEach(async () => {
		for (const bench of benches.splice(0)) await bench.close();
		consumers.close();
		await opened.dispose();
	});

	const bench = (options: ConstructorParameters<typeof Bench>[1] = {}): Bench => {
		const made = new Bench(consumers, options);
		benches.push(made);
		return made;
	};

	const append = async (count = 1) => {
		await opened.store.transact(async (tx) => {
			for (let index = 0; index < count; index++) {
				await tx.outbox.append({
					name: 'transport.messageReceived',
					createdAt: '2030-01-01T00:00:00.000Z',
					data: { id: `MSG${index}` },
				});
			}
		});
	};

	const position = async () =>
		(await opened.store.read((tx) => tx.consumers.get('n8n:test')))?.position;

	it('starts one execution per event, in order, the next when the one before has succeeded', async () => {
		await append(3);
		const { emissions } = bench().start(succeed);
		await until(async () => (await position()) === 3);
		expect(emissions.map(({ items }) => items)).toEqual([
			[{ json: { id: 'EVT000000000001' } }],
			[{ json: { id: 'EVT000000000002' } }],
			[{ json: { id: 'EVT000000000003' } }],
		]);
	});

	it('waits with the next event while an execution runs', async () => {
		await append(2);
		const running = bench().start();
		await until(() => running.emissions.length === 1);
		expect(await position()).toBe(0);
		running.stub.onEmit = succeed;
		running.emissions[0]?.settle({ status: 'success' });
		await until(async () => (await position()) === 2);
	});

	it('puts several events into one execution when asked to', async () => {
		await append(5);
		const { emissions } = bench({ batchSize: 3 }).start(succeed);
		await until(async () => (await position()) === 5);
		expect(emissions.map(({ items }) => items.length)).toEqual([3, 2]);
	});

	it('counts an execution that reached a Wait node as a delivery of the event', async () => {
		await append();
		bench().start((emission) => emission.settle({ status: 'waiting' }));
		await until(async () => (await position()) === 1);
	});

	it('moves on at once when the start of an execution is enough', async () => {
		await append(2);
		const { emissions } = bench({ acknowledge: 'starts' }).start();
		await until(async () => (await position()) === 2);
		expect(emissions.map(({ waits }) => waits)).toEqual([false, false]);
	});

	it.each([
		['fails', (emission: Emission) => emission.settle({ status: 'error' })],
		['crashes', (emission: Emission) => emission.settle({ status: 'crashed' })],
		[
			'is cancelled',
			(emission: Emission) => emission.fail(new Error('The execution was cancelled')),
		],
	])('starts it again with a new key when the execution %s', async (_what, end) => {
		await append();
		const running = bench({ maxAttempts: 2 }).start((emission) =>
			running.emissions.length === 1 ? end(emission) : succeed(emission),
		);
		await until(async () => (await position()) === 1);
		expect(running.keys).toEqual(['enmeshed:n8n:test:1:1', 'enmeshed:n8n:test:1:2']);
		expect(running.parked).toEqual([]);
	});

	describe('when n8n does not tell the end of an execution', () => {
		it('takes the empty response of an execution that has ended well for its success', async () => {
			await append(2);
			bench({ doneGraceMs: 10 }).start((emission) => emission.respond({}));
			await until(async () => (await position()) === 2);
		});

		it('takes the response of an execution that has failed for its failure', async () => {
			await append();
			const { parked } = bench({ doneGraceMs: 10 }).start((emission) =>
				emission.respond({ body: { message: 'Workflow execution failed' }, statusCode: 500 }),
			);
			await until(() => parked.length === 1);
			expect(parked).toEqual(['the execution failed']);
		});

		it('waits on after a response that a node has given', async () => {
			await append();
			const running = bench({ doneGraceMs: 10 }).start((emission) =>
				emission.respond({ body: { message: 'Thank you' }, headers: {}, statusCode: 200 }),
			);
			await until(() => running.emissions.length === 1);
			await new Promise((resolve) => setTimeout(resolve, 100));
			expect(await position()).toBe(0);
			running.emissions[0]?.settle({ status: 'success' });
			await until(async () => (await position()) === 1);
		});
	});

	it('prefers what n8n says of the execution to its response', async () => {
		await append();
		const { parked } = bench().start((emission) => {
			emission.respond({});
			emission.settle({ status: 'error' });
		});
		await until(() => parked.length === 1);
	});

	it('parks an event after the last attempt, tells a person, and goes on', async () => {
		await append(2);
		const running = bench({ maxAttempts: 1 }).start((emission) =>
			running.emissions.length === 1 ? failRun(emission) : succeed(emission),
		);
		await until(async () => (await position()) === 2);
		expect(running.parked).toEqual(["the execution ended with status 'error'"]);
		const record = await opened.store.read((tx) => tx.consumers.get('n8n:test'));
		expect(record?.parked).toMatchObject([{ sequence: 1 }]);
	});

	it('tries again no earlier than the failed node says that its source works again', async () => {
		await append();
		const waits: number[] = [];
		const failure = { cause: 'quota-exhausted', resetsAtEpochMs: Date.now() + 600_000 };
		const error = Object.assign(new Error('no quota'), { failure }) as never;
		const data = { resultData: { error, runData: {} } } as unknown as IRunExecutionData;
		const running = bench({
			maxAttempts: 2,
			onVerdict: (verdict) => {
				if (verdict.kind === 'repeat') waits.push(verdict.afterMs);
			},
		}).start((emission) => emission.settle({ status: 'error', data }));
		await until(() => waits.length === 1);
		expect(waits[0]).toBeGreaterThan(500_000);
		expect(running.emissions).toHaveLength(1);
	});

	it('takes an execution that does not end in time for a failure', async () => {
		await append();
		const running = bench({ maxAttempts: 1, deadlineMs: 20 }).start();
		await until(async () => (await position()) === 1);
		expect(running.parked).toEqual(['the execution did not end in time']);
	});

	it('starts another attempt when n8n knows this one already', async () => {
		await append();
		const running = bench({ maxAttempts: 1 }).start((emission) =>
			running.emissions.length === 1 ? emission.settle(undefined) : succeed(emission),
		);
		await until(async () => (await position()) === 1);
		expect(running.keys).toEqual(['enmeshed:n8n:test:1:1', 'enmeshed:n8n:test:1:2']);
		expect(running.parked).toEqual([]);
	});

	it('emits an attempt that a dead process left behind again under its old key', async () => {
		await append();
		const first = bench().start();
		await until(() => first.emissions.length === 1);
		await first.close();
		expect(await position()).toBe(0);
		const second = bench().start(succeed);
		await until(async () => (await position()) === 1);
		expect(second.keys).toEqual(first.keys);
	});

	it('gives up waiting when it is closed, and counts nothing as delivered', async () => {
		await append();
		const running = bench({ maxAttempts: 1 }).start();
		await until(() => running.emissions.length === 1);
		await running.close();
		expect(await position()).toBe(0);
		expect(running.parked).toEqual([]);
	});

	it('falls back to the start of executions where the engine cannot tell their end', async () => {
		await append(2);
		const running = bench().start((emission) => {
			if (emission.waits) {
				emission.fail(
					new Error('Engine 2.0 cannot run a trigger that waits for its execution to finish yet.'),
				);
			}
		});
		await until(async () => (await position()) === 2);
		expect(running.emissions.map(({ waits }) => waits)).toEqual([true, false, false]);
		expect(running.stub.log.map(({ level }) => level)).toEqual(['warn']);
	});

	it('survives a host that refuses an emission at once', async () => {
		await append();
		const running = bench({ maxAttempts: 1 }).start(() => {
			throw new Error('Overwrite TriggerContext.emit function');
		});
		await until(async () => (await position()) === 1);
		expect(running.parked).toEqual(['Overwrite TriggerContext.emit function']);
	});
});
