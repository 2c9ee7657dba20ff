import {
	NodeApiError,
	NodeOperationError,
	type IExecuteResponsePromiseData,
	type INodeExecutionData,
	type IRun,
	type ITriggerFunctions,
} from 'n8n-workflow';
import type { Delivery, DeliveryVerdict, AnyEvent } from '../../../core';
import { aborted, longestTimerMs, wait } from '../helpers/wait';
import type { TriggerSettings } from './trigger-settings';
import { ownMember } from '../helpers/members';

type EmitParameters = Parameters<ITriggerFunctions['emit']>;

/** Settled by n8n when the execution has ended. */
export type DonePromise = NonNullable<EmitParameters[2]>;

/** Settled by n8n with the answer for a caller that waits for a response. */
export type ResponsePromise = NonNullable<EmitParameters[1]>;

/** Functions of n8n and of the running trigger that delivering needs. */
export interface DeliveryHost {
	readonly emit: (
		data: INodeExecutionData[][],
		promises: { readonly response: ResponsePromise; readonly done: DonePromise } | undefined,
		deduplicationKey: string,
	) => void;
	readonly createDeferredPromise: ITriggerFunctions['helpers']['createDeferredPromise'];
	/** rejects with an error of n8n if attachments cannot be downloaded at present */
	readonly toItems: (events: readonly AnyEvent[]) => Promise<INodeExecutionData[]>;
	readonly warn: (message: string) => void;
	/** informs a person with a failed execution */
	readonly onParked: (delivery: Delivery, reason: string) => void;
	/** aborts when the trigger is closed, which ends the waiting for executions */
	readonly closed: AbortSignal;
	/** longest wait for an execution */
	readonly deadlineMs: number;
}

type Settings = Pick<TriggerSettings, 'acknowledge' | 'maxAttempts'>;

/** End of an execution, as far as n8n reports it. */
type Outcome =
	| { readonly kind: 'accepted' }
	| {
			readonly kind: 'failed';
			readonly reason: string;
			/** before this time, in milliseconds since the epoch, the workflow fails again */
			readonly notBeforeMs?: number;
	  }
	/** n8n already knows this attempt and does not report its outcome */
	| { readonly kind: 'knownAttempt' }
	| { readonly kind: 'cannotWait'; readonly reason: string }
	| { readonly kind: 'closed' };

const firstRetryMs = 10_000;
const longestRetryMs = 600_000;
/** wait after the response for `done`, which contains more details */
const usualDoneGraceMs = 5_000;

/**
 * Delivers events to n8n, each at least once. n8n recognizes an accepted execution by its
 * deduplication key, so an attempt that was interrupted by the end of the process is emitted again
 * under the same key and runs only if it never started.
 */
export class EventDelivery {
	/** set if this host cannot report how an execution ended */
	private fireAndForget = false;

	constructor(
		private readonly host: DeliveryHost,
		private readonly settings: Settings,
		private readonly retryDelayMs: (attempt: number) => number = backoffMs,
		private readonly doneGraceMs = usualDoneGraceMs,
	) {}

	readonly deliver = async (delivery: Delivery): Promise<DeliveryVerdict> => {
		const items = await this.prepare(delivery);
		if (!Array.isArray(items)) return this.judge(delivery, items);
		if (this.settings.acknowledge === 'starts' || this.fireAndForget) {
			this.host.emit([items], undefined, delivery.key);
			return { kind: 'accepted' };
		}
		return this.judge(delivery, await this.run(delivery, items));
	};

	/** Files that cannot be loaded at present count as a failed attempt. */
	private async prepare({ events }: Delivery): Promise<INodeExecutionData[] | Outcome> {
		const { closed, toItems } = this.host;
		return await toItems(events).catch((error: unknown): Outcome | Promise<never> => {
			if (closed.aborted) return { kind: 'closed' };
			const isReported = error instanceof NodeApiError || error instanceof NodeOperationError;
			if (!isReported) return Promise.reject(error);
			const reason = `the attachments could not be downloaded: ${error.message}`;
			return { kind: 'failed', reason, ...notBefore(error) };
		});
	}

	private async run(delivery: Delivery, items: INodeExecutionData[]): Promise<Outcome> {
		const done = this.host.createDeferredPromise<IRun>();
		const response = this.host.createDeferredPromise<IExecuteResponsePromiseData>();
		const outcome = done.promise.then(outcomeOf, outcomeOfRejection);
		const settled = new AbortController();
		const answered = this.outcomeByResponse(response.promise, settled.signal);
		try {
			this.host.emit([items], { response, done }, delivery.key);
		} catch (error) {
			return outcomeOfRejection(error);
		}
		const result = await Promise.race([outcome, answered, this.untilGivenUp(settled.signal)]);
		settled.abort();
		return result;
	}

	/**
	 * Reads the outcome from the response. In queue mode, n8n misses the end of an execution that was
	 * over before n8n began to listen for it (n8n issue 30392), and never settles `done`. The
	 * response is settled in another way.
	 */
	private async outcomeByResponse(
		response: Promise<IExecuteResponsePromiseData>,
		settled: AbortSignal,
	): Promise<Outcome> {
		const outcome = await response.then(outcomeOfResponse, () => undefined);
		if (outcome !== undefined) await wait(this.doneGraceMs, settled);
		else await aborted(settled);
		return outcome ?? { kind: 'closed' };
	}

	/** Ends when the trigger is closed, the time is over, or the execution has settled. */
	private async untilGivenUp(settled: AbortSignal): Promise<Outcome> {
		const { closed, deadlineMs } = this.host;
		const over = AbortSignal.any([closed, settled]);
		if (deadlineMs > longestTimerMs) await aborted(over);
		else await wait(deadlineMs, over);
		if (over.aborted) return { kind: 'closed' };
		return { kind: 'failed', reason: 'the execution did not end in time' };
	}

	private judge(delivery: Delivery, outcome: Outcome): DeliveryVerdict {
		switch (outcome.kind) {
			case 'accepted':
				return { kind: 'accepted' };
			case 'knownAttempt':
				// Delivery guarantees a successful execution, so the event runs once more. The workflow did
				// not cause this, so it does not count as one of its failures.
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
				return this.judgeFailure(delivery, outcome);
		}
	}

	private judgeFailure(
		delivery: Delivery,
		{ reason, notBeforeMs = 0 }: Extract<Outcome, { kind: 'failed' }>,
	): DeliveryVerdict {
		if (delivery.attempt < this.settings.maxAttempts) {
			const waitMs = this.retryDelayMs(delivery.attempt);
			return { kind: 'repeat', afterMs: Math.max(waitMs, notBeforeMs - Date.now()), reason };
		}
		this.host.onParked(delivery, reason);
		return { kind: 'parked', reason };
	}
}

/** Ten seconds, a minute, six minutes, then every ten minutes. */
function backoffMs(attempt: number): number {
	return Math.min(firstRetryMs * 6 ** (attempt - 1), longestRetryMs);
}

/**
 * Accepts waiting executions, too: they have received the event, and n8n does not report their end.
 */
function outcomeOf(run: IRun | undefined): Outcome {
	if (run === undefined) return { kind: 'knownAttempt' };
	if (run.status === 'success' || run.status === 'waiting') return { kind: 'accepted' };
	const error = run.data?.resultData?.error;
	const reason = error?.message ?? `the execution ended with status '${run.status}'`;
	return { kind: 'failed', reason, ...notBefore(error) };
}

/**
 * Reads from the error of a node when its source works again, for example when a quota is renewed.
 */
function notBefore(error: unknown): { notBeforeMs?: number } {
	const failure = ownMember(error, 'failure');
	const resetsAtEpochMs = ownMember(failure, 'resetsAtEpochMs');
	const retryAfterMs = ownMember(failure, 'retryAfterMs');
	if (typeof resetsAtEpochMs === 'number') return { notBeforeMs: resetsAtEpochMs };
	if (typeof retryAfterMs === 'number') return { notBeforeMs: Date.now() + retryAfterMs };
	return {};
}

/**
 * n8n sends an empty response after a successful execution, and an error of its own after a failed
 * one. Any other response comes from a node of the workflow, which may still be running.
 */
function outcomeOfResponse(response: IExecuteResponsePromiseData): Outcome | undefined {
	const { statusCode, body, ...more }: { statusCode?: unknown; body?: unknown } = response ?? {};
	if (Object.keys(more).length > 0) return undefined;
	if (statusCode === undefined && body === undefined) return { kind: 'accepted' };
	const message = ownMember(body, 'message');
	if (statusCode !== 500 || message !== 'Workflow execution failed') return undefined;
	return { kind: 'failed', reason: 'the execution failed' };
}

function outcomeOfRejection(error: unknown): Outcome {
	const reason = error instanceof Error ? error.message : String(error);
	if (/engine 2\.0/i.test(reason)) return { kind: 'cannotWait', reason };
	return { kind: 'failed', reason };
}
