import * as z from 'zod';
import { sleep } from '../base/abort';
import type { Logger } from '../base/logger';
import type {
	ConsumeOptions,
	Delivery,
	DeliveryVerdict,
	EventFilter,
	GatewayEvent,
} from './event-types';

/**
 * What became of one event at its target. `refused`: it is there and does not want this event.
 * `failed`: it is there and broke, perhaps because of this event. `away`: nobody can tell, because
 * it was not reached or asks for patience.
 */
export type TargetAnswer =
	| { readonly kind: 'taken' }
	| {
			readonly kind: 'refused' | 'failed' | 'away';
			/** shown to operators: nothing that the target has sent, and no secrets */
			readonly reason: string;
			/** when the target wants to be asked again */
			readonly retryAfterMs?: number | undefined;
	  };

/** How a line tries again; in settings, with delays in seconds. */
export const retrySchema = z.strictObject({
	/** refusals of one event until it is parked */
	maxAttempts: z.number().int().min(1).max(1_000).default(10),
	/** seconds; doubled by every further try */
	firstDelay: z.number().min(0).max(3_600).default(1),
	/** seconds */
	longestDelay: z.number().min(0).max(86_400).default(60),
});
export type RetrySettings = z.infer<typeof retrySchema>;

export interface DeliveryLineOptions {
	/** name of the stored cursor */
	readonly consumer: string;
	readonly filter: EventFilter;
	readonly retry: RetrySettings;
	/** Its signal aborts when the line is closed and the grace is over. */
	send(event: GatewayEvent, options: { readonly signal: AbortSignal }): Promise<TargetAnswer>;
}

export interface DeliveryLineContext {
	readonly events: { consume(options: ConsumeOptions): Promise<void> };
	readonly logger: Logger;
}

/** A failure counts as a tenth of a refusal: receivers that are being repaired answer with failures. */
const countOf = { refused: 10, failed: 1, away: 0 } as const;
const parkLimit = 200;
/** how long a call that is under way may go on when the line is closed */
const graceMs = 10_000;
const reopenAfterMs = 5_000;

/**
 * One target that gets events one by one, in order, each at least once. A target that is away gets
 * everything later; an event that it keeps refusing is parked and reported, and the line goes on. Lines
 * do not wait for each other.
 */
export class DeliveryLine {
	private readonly stop = new AbortController();

	private readonly cut = new AbortController();

	private ended: Promise<void> = Promise.resolve();

	private failures = 0;

	private constructor(
		private readonly context: DeliveryLineContext,
		private readonly options: DeliveryLineOptions,
	) {}

	/** Resolves when the cursor is stored: whatever happens from then on is delivered. */
	static async open(
		context: DeliveryLineContext,
		options: DeliveryLineOptions,
	): Promise<DeliveryLine> {
		const line = new DeliveryLine(context, options);
		await new Promise<void>((resolve, reject) => {
			line.ended = line.run(resolve, reject);
		});
		return line;
	}

	/** Takes no further event, and lets the one under way come to its end. May be called twice. */
	async close(): Promise<void> {
		this.stop.abort(new DOMException('The line closes.', 'AbortError'));
		const grace = setTimeout(() => this.cut.abort(this.stop.signal.reason), graceMs);
		await this.ended;
		clearTimeout(grace);
	}

	/** A store that fails for a moment ends no line for good. */
	private async run(opened: () => void, failed: (error: unknown) => void): Promise<void> {
		const { signal } = this.stop;
		let isOpen = false;
		while (!signal.aborted) {
			try {
				await this.consume(() => {
					isOpen = true;
					opened();
				});
				// Without being told to: the gateway is closed.
				return opened();
			} catch (error) {
				if (!isOpen) return failed(error);
				this.context.logger.error('deliveries were interrupted, and go on soon', {
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
			this.noteTaken(delivery, event);
			return { kind: 'accepted' };
		}
		const { reason } = answer;
		const refusal = countOf[answer.kind];
		const isOver = delivery.refusals + refusal >= this.options.retry.maxAttempts * 10;
		const isParked = refusal > 0 && isOver && delivery.canPark;
		this.noteFailure(delivery, event, reason, isParked);
		if (isParked) return { kind: 'parked', reason };
		const afterMs = this.delayMs(delivery.attempt, answer.retryAfterMs);
		return { kind: 'repeat', afterMs, reason, refusal };
	}

	/** A defect of ours is no reason to stop, and may concern this event only. */
	private async send(event: GatewayEvent): Promise<TargetAnswer> {
		const { signal } = this.cut;
		try {
			return await this.options.send(event, { signal });
		} catch (error) {
			signal.throwIfAborted();
			const { consumer } = this.options;
			this.context.logger.error('a delivery broke', { consumer, reason: String(error) });
			return { kind: 'failed', reason: 'the delivery broke; see the log' };
		}
	}

	private delayMs(attempt: number, wantedMs = 0): number {
		const { firstDelay, longestDelay } = this.options.retry;
		const doubled = firstDelay * 2 ** Math.min(attempt - 1, 30);
		return Math.min(Math.max(doubled * 1_000, wantedMs), longestDelay * 1_000);
	}

	private noteTaken({ attempt, isParked }: Delivery, event: GatewayEvent): void {
		const { logger } = this.context;
		const facts = { consumer: this.options.consumer, eventId: event.id };
		if (isParked) logger.info('a parked delivery was taken', facts);
		else if (this.failures > 0) logger.info('deliveries are taken again', { ...facts, attempt });
		this.failures = 0;
	}

	private noteFailure(
		{ attempt, canPark, isParked: wasParked }: Delivery,
		event: GatewayEvent,
		reason: string,
		isParked: boolean,
	): void {
		this.failures++;
		const { logger } = this.context;
		const { id: eventId, event: name } = event;
		const facts = { consumer: this.options.consumer, eventId, event: name, attempt, reason };
		if (wasParked) logger.warn('a delivery stays parked', facts);
		else if (isParked) logger.error('a delivery was given up and is parked', facts);
		else if (!canPark) logger.error('too much is parked already: deliveries wait', facts);
		else logger.warn('a delivery failed and is tried again', facts);
	}
}
