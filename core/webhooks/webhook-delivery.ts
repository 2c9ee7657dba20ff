import { sleep } from '../base/abort';
import { newLeaseHolder } from '../base/lease/lease-holder';
import type { Logger } from '../base/logger';
import type { Random } from '../base/random';
import { parse } from '../base/schema-parse';
import type { EventConsumers } from '../events/consumers';
import { DeliveryQueue, retrySchema, type RetrySettings } from '../events/delivery/delivery-queue';
import type { Store } from '../store/store';
import type { WebhookCalls } from './webhook-calls';
import { consumerOf, filterOf, webhookOf } from './webhook-dto';
import type { WebhookEntry, WebhookService } from './webhook-service';

const leaseName = 'webhook-delivery';
/** time after which another process takes the deliveries over from a process that is stuck */
const leaseMs = 60_000;
/** interval at which changes of other processes are noticed */
const lookEveryMs = 2_000;

export interface WebhookDeliveryDependencies {
	readonly store: Store;
	readonly consumers: Pick<EventConsumers, 'consume' | 'forget'>;
	readonly webhooks: Pick<WebhookService, 'entries'>;
	readonly calls: Pick<WebhookCalls, 'senderOf'>;
	readonly random: Random;
	readonly logger: Logger;
}

/** Webhook whose events are delivered by this process. */
interface Delivered {
	readonly revision: number;
	/** resolves when the queue is open; undefined if it was stopped before */
	readonly queue: Promise<DeliveryQueue | undefined>;
}

/**
 * Delivers the events of registered webhooks, with one independent queue for each. Of all processes
 * with the account, the one with the lease delivers; the lease exists only while there are webhooks.
 */
export class WebhookDelivery {
	private readonly holder: string;

	private readonly delivered = new Map<string, Delivered>();

	/** queues that are being closed */
	private readonly closing = new Set<Promise<unknown>>();

	/** time until which the lease needs no renewal; undefined without the lease */
	private heldUntil: number | undefined;

	private wake: () => void = () => undefined;

	private isFailing = false;

	constructor(
		private readonly dependencies: WebhookDeliveryDependencies,
		private readonly retry: RetrySettings = parse(retrySchema, {}),
	) {
		this.holder = newLeaseHolder(dependencies.random);
	}

	/** Looks for changes at once. */
	readonly onChange = (): void => this.wake();

	/** Works until the signal aborts, then returns; calls in progress end before. */
	async run(signal: AbortSignal): Promise<void> {
		while (!signal.aborted) {
			const woken = new AbortController();
			this.wake = () => woken.abort();
			await this.lookSafely(signal);
			const either = AbortSignal.any([signal, woken.signal]);
			await sleep(lookEveryMs, { signal: either, background: true }).catch(() => undefined);
		}
		await this.stopAll();
		await this.dropLease().catch(() => undefined);
	}

	/** The store may be away for a time; the next look tries again. */
	private async lookSafely(signal: AbortSignal): Promise<void> {
		try {
			await this.look();
			this.isFailing = false;
		} catch (error) {
			if (signal.aborted || this.isFailing) return;
			this.isFailing = true;
			const reason = String(error);
			this.dependencies.logger.error('webhooks cannot be read and will be tried again', { reason });
		}
	}

	private async look(): Promise<void> {
		const entries = await this.dependencies.webhooks.entries();
		if (entries.length === 0 && this.heldUntil === undefined) return;
		if (!(await this.holdLease())) return await this.stopAll();
		const wanted = new Map(entries.map((entry) => [entry.record.id, entry]));
		for (const id of this.delivered.keys()) if (!wanted.has(id)) this.replace(id, undefined);
		for (const [id, entry] of wanted) {
			const isCurrent = this.delivered.get(id)?.revision === entry.record.revision;
			if (!isCurrent) this.replace(id, entry);
		}
		if (entries.length > 0) return;
		await Promise.all(this.closing);
		await this.dropLease();
	}

	/** Ends the deliveries of a webhook, then begins with its present version, if it has one. */
	private replace(id: string, entry: WebhookEntry | undefined): void {
		const before = this.delivered.get(id)?.queue;
		const work = async (): Promise<DeliveryQueue | undefined> => {
			await (await before)?.close();
			if (entry !== undefined) return await this.open(entry);
			// A delivery that ended after the deletion has stored its position once more.
			await this.dependencies.consumers.forget(consumerOf(id));
			return undefined;
		};
		const queue: Delivered['queue'] = work().catch((error: unknown) => {
			const facts = { webhookId: id, reason: String(error) };
			this.dependencies.logger.error('a webhook cannot be served and will be tried again', facts);
			if (this.delivered.get(id)?.queue === queue) this.delivered.delete(id);
			return undefined;
		});
		if (entry !== undefined) {
			this.delivered.set(id, { revision: entry.record.revision, queue });
			return;
		}
		this.delivered.delete(id);
		this.closing.add(queue);
		void queue.finally(() => this.closing.delete(queue));
	}

	private async open(entry: WebhookEntry): Promise<DeliveryQueue> {
		const { store, consumers, calls, logger } = this.dependencies;
		const { id } = entry.record;
		const sender = await calls.senderOf(entry);
		return await DeliveryQueue.open(
			{ events: consumers, logger },
			{
				consumer: consumerOf(id),
				filter: filterOf(entry.record),
				retry: this.retry,
				send: async (event, options) => {
					// Another process may have deleted the webhook since the last look.
					const isThere = (await store.read((tx) => tx.webhooks.get(id))) !== undefined;
					return isThere ? await sender.send(event, options) : { kind: 'taken' };
				},
			},
		);
	}

	private async stopAll(): Promise<void> {
		const queues = [...this.delivered.values()].map(({ queue }) => queue);
		this.delivered.clear();
		await Promise.all([
			...queues.map(async (queue) => await (await queue)?.close()),
			...this.closing,
		]);
	}

	/** Takes or prolongs the lease; false while another process has it. */
	private async holdLease(): Promise<boolean> {
		const { store } = this.dependencies;
		const now = store.clock.now();
		if (this.heldUntil !== undefined && now < this.heldUntil) return true;
		const [lease] = (await store.read((tx) => tx.leases.list())).filter(
			({ name, isExpired }) => name === leaseName && !isExpired,
		);
		if (lease !== undefined && lease.holder !== this.holder) return this.lose();
		const isTaken = await store.transact(async (tx) => {
			if (!(await tx.leases.take(leaseName, this.holder, leaseMs))) return false;
			if (this.heldUntil !== undefined) return true;
			// Positions that a process has left behind, which died while it ended their deliveries.
			for (const { name } of await tx.consumers.list()) {
				const id = webhookOf(name);
				if (id === undefined || (await tx.webhooks.get(id)) !== undefined) continue;
				await tx.consumers.delete(name);
			}
			return true;
		});
		if (!isTaken) return this.lose();
		this.heldUntil = now + leaseMs / 3;
		return true;
	}

	private lose(): false {
		this.heldUntil = undefined;
		return false;
	}

	private async dropLease(): Promise<void> {
		if (this.heldUntil === undefined) return;
		this.heldUntil = undefined;
		await this.dependencies.store.transact((tx) => tx.leases.drop(leaseName, this.holder));
	}
}
