import type { INodeExecutionData, IRun, ITriggerFunctions } from 'n8n-workflow';
import type { Delivery, DeliveryVerdict, GatewayEvent } from '../../../core';
import { aborted, wait } from '../helpers/wait';
import type { TriggerSettings } from './trigger-settings';

/** n8n settles it when the execution has ended. */
export type DonePromise = NonNullable<Parameters<ITriggerFunctions['emit']>[2]>;

/** What delivering needs of n8n and of the running trigger. */
export interface DeliveryHost {
	readonly emit: (
		data: INodeExecutionData[][],
		donePromise: DonePromise | undefined,
		deduplicationKey: string,
	) => void;
	readonly createDeferredPromise: () => DonePromise;
	readonly toItems: (events: readonly GatewayEvent[]) => Promise<INodeExecutionData[]>;
	readonly warn: (message: string) => void;
	/** tells a person, as a failed execution */
	readonly onParked: (delivery: Delivery, reason: string) => void;
	/** aborts when the trigger is closed: executions are not waited for any longer */
	readonly closed: AbortSignal;
	/** longest time that an execution is waited for */
	readonly deadlineMs: number;
}

type Settings = Pick<TriggerSettings, 'acknowledge' | 'maxAttempts'>;

/** How one execution ended, as far as n8n tells. */
type Outcome =
	| { readonly kind: 'accepted' }
	| { readonly kind: 'failed'; readonly reason: string }
	/** n8n knows this attempt already; its outcome cannot be asked for */
	| { readonly kind: 'knownAttempt' }
	| { readonly kind: 'cannotWait'; readonly reason: string }
	| { readonly kind: 'closed' };

const firstRetryMs = 10_000;
const longestRetryMs = 600_000;
const longestDelayMs = 2 ** 31 - 1;

/**
 * Hands events to n8n, at least once each (guides: an execution that n8n has accepted is recognised
 * by its deduplication key, so an attempt that was under way when the process died is emitted again
 * under the same key and runs only if it never started).
 */
export class EventDelivery {
	/** set when this host cannot tell how an execution ended */
	private fireAndForget = false;

	constructor(
		private readonly host: DeliveryHost,
		private readonly settings: Settings,
		private readonly retryDelayMs: (attempt: number) => number = backoffMs,
	) {}

	readonly deliver = async (delivery: Delivery): Promise<DeliveryVerdict> => {
		const items = await this.host.toItems(delivery.events);
		if (this.settings.acknowledge === 'starts' || this.fireAndForget) {
			this.host.emit([items], undefined, delivery.key);
			return { kind: 'accepted' };
		}
		return this.judge(delivery, await this.run(delivery, items));
	};

	private async run(delivery: Delivery, items: INodeExecutionData[]): Promise<Outcome> {
		const done = this.host.createDeferredPromise();
		const outcome = done.promise.then(outcomeOf, outcomeOfRejection);
		try {
			this.host.emit([items], done, delivery.key);
		} catch (error) {
			return outcomeOfRejection(error);
		}
		const settled = new AbortController();
		const result = await Promise.race([outcome, this.untilGivenUp(settled.signal)]);
		settled.abort();
		return result;
	}

	/** Ends when the trigger is closed, the time is over, or there is nothing to wait for any more. */
	private async untilGivenUp(settled: AbortSignal): Promise<Outcome> {
		const { closed, deadlineMs } = this.host;
		const over = AbortSignal.any([closed, settled]);
		if (deadlineMs > longestDelayMs) await aborted(over);
		else await wait(deadlineMs, over);
		if (over.aborted) return { kind: 'closed' };
		return { kind: 'failed', reason: 'the execution did not end in time' };
	}

	private judge(delivery: Delivery, outcome: Outcome): DeliveryVerdict {
		switch (outcome.kind) {
			case 'accepted':
				return { kind: 'accepted' };
			case 'knownAttempt':
				// Success is promised, so it runs once more; this says nothing about the workflow and does
				// not count as one of its failures.
				return { kind: 'repeat', afterMs: 0, reason: 'the outcome of the attempt is unknown' };
			case 'closed':
				return { kind: 'repeat', afterMs: 0, reason: 'the trigger was closed' };
			case 'cannotWait':
				this.fireAndForget = true;
				this.host.warn(
					`This workflow's engine cannot tell how an execution ended (${outcome.reason}). Events now count as delivered when the execution starts.`,
				);
				return { kind: 'repeat', afterMs: 0, reason: outcome.reason };
			case 'failed':
				return this.judgeFailure(delivery, outcome.reason);
		}
	}

	private judgeFailure(delivery: Delivery, reason: string): DeliveryVerdict {
		if (delivery.attempt < this.settings.maxAttempts) {
			return { kind: 'repeat', afterMs: this.retryDelayMs(delivery.attempt), reason };
		}
		this.host.onParked(delivery, reason);
		return { kind: 'parked', reason };
	}
}

/** Ten seconds, a minute, six minutes, then every ten minutes. */
function backoffMs(attempt: number): number {
	return Math.min(firstRetryMs * 6 ** (attempt - 1), longestRetryMs);
}

/** Waiting executions have taken the event over; their end is not reported any more. */
function outcomeOf(run: IRun | undefined): Outcome {
	if (run === undefined) return { kind: 'knownAttempt' };
	if (run.status === 'success' || run.status === 'waiting') return { kind: 'accepted' };
	const error = run.data?.resultData?.error?.message;
	return { kind: 'failed', reason: error ?? `the execution ended with status '${run.status}'` };
}

function outcomeOfRejection(error: unknown): Outcome {
	const reason = error instanceof Error ? error.message : String(error);
	if (/engine 2\.0/i.test(reason)) return { kind: 'cannotWait', reason };
	return { kind: 'failed', reason };
}
