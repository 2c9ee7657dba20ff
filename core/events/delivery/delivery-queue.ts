import * as z from 'zod';
import { sleep } from '../../base/abort';
import { backOffMs } from '../../base/back-off';
import type { Logger } from '../../base/logger';
import type {
	ConsumeOptions,
	Delivery,
	DeliveryVerdict,
	EventFilter,
	AnyEvent,
} from '../event-types';

/**
 * Outcome of one event at its target. `refused`: the target rejects this event. `failed`: the
 * target has an error, which this event may have caused. `away`: the target was not reached or asks
 * for a delay.
 */
export type TargetAnswer =
	| { readonly kind: 'taken' }
	| {
			readonly kind: 'refused' | 'failed' | 'away';
			/** shown to operators; contains no text of the target and no secrets */
			readonly reason: string;
			/** delay that the target asks for */
			readonly retryAfterMs?: number | undefined;
	  };

/** Retry settings of a queue; delays are in seconds. */
export const retrySchema = z.strictObject({
	/** refusals of one event after which it is parked */
	maxAttempts: z.number().int().min(1).max(1_000).default(10),
	/** seconds; doubled for every further attempt */
	firstDelay: z.number().min(0).max(3_600).default(1),
	/** seconds */
	longestDelay: z.number().min(0).max(86_400).default(60),
});
/** When a delivery is repeated, and when it is parked. */
export type RetrySettings = z.infer<typeof retrySchema>;

export interface DeliveryQueueOptions {
	/** name of the stored cursor */
	readonly consumer: string;
	readonly filter: EventFilter;
	readonly retry: RetrySettings;
	/** Sends one event; the signal aborts when the time to close has passed. */
	send(event: AnyEvent, options: { readonly signal: AbortSignal }): Promise<TargetAnswer>;
}

export interface DeliveryQueueDependencies {
	readonly events: { consume(options: ConsumeOptions): Promise<void> };
	readonly logger: Logger;
}

/**
 * Weights: a failure counts as a tenth of a refusal, because receivers under repair answer with
 * failures.
 */
const refusalWeights = { refused: 10, failed: 1, away: 0 } as const;
const parkLimit = 200;
/** milliseconds for a call in progress when the queue closes */
const graceMs = 10_000;
const reopenAfterMs = 5_000;

/**
 * Delivers events to one target one by one, in order, each at least once. Events wait while the
 * target is away; an event that it keeps refusing is parked and reported, and the queue continues.
 * Queues are independent of each other.
 */
export class DeliveryQueue {
	private readonly stop = new AbortController();

	private readonly cut = new AbortController();

	private ended: Promise<void> = Promise.resolve();

	private failures = 0;

	private constructor(
		private readonly context: DeliveryQueueDependencies,
		private readonly options: DeliveryQueueOptions,
	) {}

	/** Resolves when the cursor is stored; every event from then on is delivered. */
	static async open(
		context: DeliveryQueueDependencies,
		options: DeliveryQueueOptions,
	): Promise<DeliveryQueue> {
		const queue = new DeliveryQueue(context, options);
		await new Promise<void>((resolve, reject) => {
			queue.ended = queue.run(resolve, reject);
		});
		return queue;
	}

	/** Stops taking events and waits for the delivery in progress. May be called twice. */
	async close(): Promise<void> {
		this.stop.abort(new DOMException('The queue closes.', 'AbortError'));
		const grace = setTimeout(() => this.cut.abort(this.stop.signal.reason), graceMs);
		await this.ended;
		clearTimeout(grace);
	}

	/** Restarts the consumer after a temporary failure of the store. */
	private async run(opened: () => void, failed: (error: unknown) => void): Promise<void> {
		const { signal } = this.stop;
		let isOpen = false;
		while (!signal.aborted) {
			try {
				await this.consume(() => {
					isOpen = true;
					opened();
				});
				// Returns without an abort when the gateway closes.
				return opened();
			} catch (error) {
				if (!isOpen) return failed(error);
				this.context.logger.error('deliveries were interrupted and will resume soon', {
					consumer: this.options.consumer,
					reason: String(error),
				});
				await sleep(reopenAfterMs, { signal, background: true }).catch(() => undefined);
			}
		}
	}

	private consume(onOpened: () => void): Promise<void> {
		const { consumer, filter } = this.options;
		return this.context.events.consume({
			consumer,
			filter,
			startFrom: 'now',
			batchSize: 1,
			parkLimit,
			onOpened,
			deliver: (delivery) => this.deliver(delivery),
			signal: this.stop.signal,
		});
	}

	private async deliver(delivery: Delivery): Promise<DeliveryVerdict> {
		const [event] = delivery.events;
		if (event === undefined) return { kind: 'accepted' };
		const answer = await this.send(event);
		if (answer.kind === 'taken') {
			this.logTaken(delivery, event);
			return { kind: 'accepted' };
		}
		const { reason } = answer;
		const refusal = refusalWeights[answer.kind];
		const isExhausted = delivery.refusals + refusal >= this.options.retry.maxAttempts * 10;
		const isParked = refusal > 0 && isExhausted && delivery.canPark;
		this.logFailure(delivery, event, reason, isParked);
		if (isParked) return { kind: 'parked', reason };
		const afterMs = this.delayMs(delivery.attempt, answer.retryAfterMs);
		return { kind: 'repeat', afterMs, reason, refusal };
	}

	/**
	 * Treats an exception as a failure of this event only, so that a defect does not stop the queue.
	 */
	private async send(event: AnyEvent): Promise<TargetAnswer> {
		const { signal } = this.cut;
		try {
			return await this.options.send(event, { signal });
		} catch (error) {
			signal.throwIfAborted();
			const { consumer } = this.options;
			this.context.logger.error('a delivery failed unexpectedly', {
				consumer,
				reason: String(error),
			});
			return { kind: 'failed', reason: 'the delivery failed unexpectedly; see the log' };
		}
	}

	private delayMs(attempt: number, wantedMs = 0): number {
		const { firstDelay, longestDelay } = this.options.retry;
		const [firstMs, longestMs] = [firstDelay * 1_000, longestDelay * 1_000];
		return Math.max(backOffMs(attempt, { firstMs, longestMs }), Math.min(wantedMs, longestMs));
	}

	private logTaken({ attempt, isParked }: Delivery, event: AnyEvent): void {
		const { logger } = this.context;
		const facts = { consumer: this.options.consumer, eventId: event.id };
		if (isParked) logger.info('a parked delivery was accepted', facts);
		else if (this.failures > 0) logger.info('deliveries are accepted again', { ...facts, attempt });
		this.failures = 0;
	}

	private logFailure(
		{ attempt, canPark, isParked: wasParked }: Delivery,
		event: AnyEvent,
		reason: string,
		isParked: boolean,
	): void {
		this.failures++;
		const { logger } = this.context;
		const { id: eventId, event: name } = event;
		const facts = { consumer: this.options.consumer, eventId, event: name, attempt, reason };
		if (wasParked) logger.warn('a delivery stays parked', facts);
		else if (isParked) logger.error('a delivery failed too often and is parked', facts);
		else if (!canPark) logger.error('too many deliveries are parked: further ones wait', facts);
		else logger.warn('a delivery failed and will be retried', facts);
	}
}
