import { purposesOfPeers } from '../../../core/domain/purposes';
import { EventConsumers } from '../../../core/events/consumers';
import { consumerRetention, eventRetention } from '../../../core/events/event-retention';
import type { ConsumeOptions, Delivery, DeliveryVerdict } from '../../../core/events/event-types';
import {
	discardParked,
	parkedDeliveries,
	sendParkedAgain,
	type ParkedDelivery,
} from '../../../core/events/delivery/parked-deliveries';
import type { JsonObject } from '../../../core/model/json';
import type { ConsumerRecord } from '../../../core/model/record/event';
import type { Store } from '../../../core/store/store';
import { TestClock } from '../../support/clock';
import { newEvent } from '../../support/records';
import { openTestStore, type TestStore } from '../../support/store';
import { until } from '../../support/until';

export const accepted: DeliveryVerdict = { kind: 'accepted' };
export const failed: DeliveryVerdict = { kind: 'repeat', afterMs: 0, reason: 'failed' };
export const parked: DeliveryVerdict = { kind: 'parked', reason: 'hopeless' };

type Judge = (delivery: Delivery) => DeliveryVerdict | Promise<DeliveryVerdict>;

/** One running consumer and what was delivered to it. */
export class Run {
	readonly deliveries: Delivery[] = [];

	readonly ended: Promise<void>;

	private readonly abort = new AbortController();

	constructor(consumers: EventConsumers, judge: Judge, options: Partial<ConsumeOptions>) {
		this.ended = consumers.consume({
			consumer: 'c',
			filter: {},
			startFrom: 'oldest',
			batchSize: 1,
			deliver: async (delivery) => {
				this.deliveries.push(delivery);
				return await judge(delivery);
			},
			signal: this.abort.signal,
			...options,
		});
		// The test looks at it when it wants to.
		this.ended.catch(() => undefined);
	}

	async stop(): Promise<void> {
		this.abort.abort();
		await this.ended;
	}

	get sequences(): number[][] {
		return this.deliveries.map(({ events }) => events.map(({ sequence }) => sequence));
	}

	get attempts(): Array<[number, boolean, string]> {
		return this.deliveries.map(({ attempt, resumed, key }) => [attempt, resumed, key]);
	}
}

/** A real store with consumers of several processes, each knowing only what the store knows. */
export class ConsumerBench {
	readonly clock: TestClock;

	private readonly processes: EventConsumers[] = [];

	private readonly runs: Run[] = [];

	private constructor(
		private readonly opened: TestStore,
		clock: TestClock,
	) {
		this.clock = clock;
	}

	static async open(): Promise<ConsumerBench> {
		const clock = new TestClock();
		return new ConsumerBench(await openTestStore(clock), clock);
	}

	get store(): TestStore['store'] {
		return this.opened.store;
	}

	newProcess(): EventConsumers {
		const consumers = new EventConsumers(this.store, this.clock, purposesOfPeers);
		this.processes.push(consumers);
		return consumers;
	}

	/** A process that can be killed: from then on it neither learns nor changes anything. */
	newMortalProcess(): { readonly consumers: EventConsumers; readonly kill: () => void } {
		const { store } = this;
		let isDead = false;
		const whileAlive = async <Result>(work: () => Promise<Result>): Promise<Result> => {
			const result = isDead ? undefined : await work();
			return isDead ? await new Promise<never>(() => undefined) : (result as Result);
		};
		const mortal: Store = {
			capabilities: store.capabilities,
			clock: store.clock,
			reconnections: store.reconnections,
			read: (work, options) => whileAlive(() => store.read(work, options)),
			transact: (work, options) => whileAlive(() => store.transact(work, options)),
			underLease: (lease, work) => store.underLease(lease, work),
			notingCreations: (keyId, work) => store.notingCreations(keyId, work),
			onEventsAppended: (listener) => store.onEventsAppended(() => isDead || listener()),
			close: () => Promise.resolve(),
		};
		const consumers = new EventConsumers(mortal, this.clock, purposesOfPeers);
		this.processes.push(consumers);
		return { consumers, kill: () => (isDead = true) };
	}

	start(judge: Judge, options: Partial<ConsumeOptions> = {}, consumers = this.newProcess()): Run {
		const run = new Run(consumers, judge, options);
		this.runs.push(run);
		return run;
	}

	/** A delivery that is under way when its process dies: its verdict never comes. */
	async dieDelivering(count: number, options: Partial<ConsumeOptions> = {}): Promise<Run> {
		const run = this.start(
			() => (run.deliveries.length < count ? failed : new Promise<never>(() => undefined)),
			options,
		);
		await until(() => run.deliveries.length === count);
		return run;
	}

	async append(...datas: JsonObject[]): Promise<void> {
		await this.store.transact(async (tx) => {
			for (const data of datas) {
				const name = typeof data['name'] === 'string' ? data['name'] : 'transport.messageReceived';
				await tx.outbox.append(newEvent(data, { name, subject: String(data['id']) }));
			}
		});
	}

	/** One pass of housekeeping over events and their consumers. */
	async keepHouse(retentionDays: number): Promise<void> {
		const { store, clock } = this;
		await consumerRetention(store, clock)();
		const slice = eventRetention(store, clock, retentionDays);
		while (await slice());
	}

	async consumer(name = 'c'): Promise<ConsumerRecord | undefined> {
		return await this.store.read((tx) => tx.consumers.get(name));
	}

	async parked(): Promise<ParkedDelivery[]> {
		return await this.store.read((tx) => parkedDeliveries(tx));
	}

	/** Without ids: all of them. The process that asks looks at once, others when it is time. */
	async sendAgain(ids?: readonly string[], consumers?: EventConsumers): Promise<void> {
		await this.store.transact(async (tx) => {
			const all = (await parkedDeliveries(tx)).map(({ id }) => id);
			for (const id of ids ?? all) await sendParkedAgain(tx, id);
		});
		consumers?.wakeUp.wake();
	}

	async discard(ids: readonly string[]): Promise<void> {
		await this.store.transact(async (tx) => {
			for (const id of ids) await discardParked(tx, id);
		});
	}

	async position(name = 'c'): Promise<number | undefined> {
		return (await this.consumer(name))?.position;
	}

	async reaches(position: number, name = 'c'): Promise<void> {
		await until(async () => (await this.position(name)) === position);
	}

	async close(): Promise<void> {
		for (const consumers of this.processes) consumers.close();
		await this.opened.dispose();
	}
}
