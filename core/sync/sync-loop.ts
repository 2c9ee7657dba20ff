import { longestTimerMs } from '../base/abort';
import { backOffMs, drawJitter, withJitter } from '../base/back-off';
import { isoInstant } from '../base/clock';
import { codeOf, isGatewayError, type GatewayError } from '../base/errors';
import { backboneErrors } from '../backbone/backbone-errors';
import { isStillRefused, isToBeDeleted } from '../domain/identity/deletion-refusal';
import { isStoreAway } from '../domain/unfinished/reachability';
import type { KeepSyncedOptions, ProblemListener } from '../facade/events';
import type { PushFollower } from './push/push-follower';
import type { SyncDemand } from './sync-demand';
import type { Needs } from '../domain/needs';

const firstBackoffMs = 2_000;
const longestBackoffMs = 300_000;
/**
 * Longest back-off for the store. The store is local infrastructure that recovers within seconds,
 * so frequent attempts do no harm.
 */
const longestStoreBackoffMs = 5_000;
/** consecutive failures after which an unreachable Backbone is reported to a person */
const triesBeforeReport = 5;
/** shortest pause between a sync and a sync for its planned retries */
const shortestPauseMs = 250;

export interface SyncLoopDependencies extends Needs<'clock' | 'random' | 'logger'> {
	readonly demand: SyncDemand;
	readonly push: Pick<PushFollower, 'follow'>;
	/** Runs a sync, unless another process is syncing. */
	readonly sync: (options: { signal: AbortSignal; skipIfBusy: boolean }) => Promise<unknown>;
	/** Returns the time of the next planned retry, in milliseconds since the epoch. */
	readonly nextDueAt: (options: { signal: AbortSignal }) => Promise<number | undefined>;
	/** Removes the mark that this process syncs, after the last follower. */
	readonly endAsking: () => Promise<void>;
	/** Performs time-dependent checks after a successful sync. */
	readonly maintain: (options: { signal: AbortSignal }) => Promise<void>;
}

interface Part {
	readonly abort: AbortController;
	readonly done: Promise<void>;
}

/**
 * Keeps one account synchronised for all subscribers. The shortest interval applies, push signals
 * and planned retries start a sync earlier, and the loop runs only while there is a subscriber.
 */
export class SyncLoop {
	private running: Part | undefined;

	private pushing: Part | undefined;

	/** resolves when all stopped parts have ended */
	private ended: Promise<unknown> = Promise.resolve();

	private problem: GatewayError | undefined;

	private closed = false;

	/** newest failure of a sync, until a sync succeeds */
	lastFailure: { code: string; message: string; at: string } | undefined;

	constructor(private readonly dependencies: SyncLoopDependencies) {}

	/**
	 * Adds a subscriber. The `release` of the last subscriber resolves when no work is left running.
	 */
	subscribe(wanted: KeepSyncedOptions): { release(): Promise<void> } {
		if (this.closed) return { release: () => Promise.resolve() };
		const { demand } = this.dependencies;
		// The copy makes two subscriptions with the same object distinct.
		const options = { ...wanted };
		demand.followers.add(options);
		if (this.problem !== undefined) notify(options.onProblem, this.problem);
		this.adjust();
		let released = false;
		return {
			release: async () => {
				if (released) return;
				released = true;
				demand.followers.delete(options);
				this.adjust();
				if (demand.isFollowed || this.closed) return;
				// Queued, so that a new follower begins afterwards.
				this.ended = this.ended.then(() => this.endAsking());
				await this.ended;
			},
		};
	}

	async close(): Promise<void> {
		this.closed = true;
		this.dependencies.demand.followers.clear();
		this.adjust();
		await this.ended;
	}

	private async endAsking(): Promise<void> {
		try {
			await this.dependencies.endAsking();
		} catch (error) {
			// The next process will compare with the Backbone, as after a crash.
			this.dependencies.logger.debug('the end of syncing was not noted', { reason: String(error) });
		}
	}

	private adjust(): void {
		const { demand, push } = this.dependencies;
		const isPushWanted = [...demand.followers].some((follower) => follower.push);
		this.running = this.toggle(this.running, demand.isFollowed, (signal) =>
			this.syncRepeatedly(signal),
		);
		this.pushing = this.toggle(this.pushing, isPushWanted, (signal) => push.follow(signal));
		// A shorter interval applies at once instead of after the current pause.
		demand.endPause();
	}

	private toggle(
		part: Part | undefined,
		wanted: boolean,
		start: (signal: AbortSignal) => Promise<void>,
	): Part | undefined {
		if (wanted === (part !== undefined)) return part;
		if (part !== undefined) {
			part.abort.abort();
			this.ended = Promise.allSettled([this.ended, part.done]);
			return undefined;
		}
		const abort = new AbortController();
		// The predecessor must end first: while it holds its lease, it would look like another process.
		const done = this.ended
			.then(() => start(abort.signal))
			.catch((error: unknown) => {
				if (!abort.signal.aborted)
					this.dependencies.logger.error('the sync loop ended', { reason: String(error) });
			});
		return { abort, done };
	}

	private async syncRepeatedly(signal: AbortSignal): Promise<void> {
		const { clock, demand } = this.dependencies;
		let failures = 0;
		let lastEnd = Number.NEGATIVE_INFINITY;
		let retryAt: number | undefined;
		while (!signal.aborted) {
			// A change of subscribers has ended the wait early; the interval is not over.
			const pauseMs = Math.max(shortestPauseMs, (retryAt ?? Infinity) - lastEnd);
			const dueAt = lastEnd + Math.min(demand.intervalMs, pauseMs);
			const dueInMs = failures === 0 ? dueAt - clock.now() : 0;
			if (!demand.begin(dueInMs)) {
				await demand.wait(dueInMs, signal);
				continue;
			}
			try {
				await this.dependencies.sync({ signal, skipIfBusy: true });
				failures = 0;
				this.lastFailure = undefined;
				this.report(undefined);
				await this.dependencies.maintain({ signal });
				retryAt = await this.dependencies.nextDueAt({ signal });
			} catch (error) {
				if (signal.aborted) return;
				failures++;
				if (isToBeDeleted(error) && !isStillRefused(error)) this.onPause(error);
				else this.onFailure(error, failures);
				const pauseMs = isPermanent(error) ? longestTimerMs : this.backoffMs(failures, error);
				await demand.wait(pauseMs, signal);
			}
			lastEnd = clock.now();
		}
	}

	private backoffMs(failures: number, error: unknown): number {
		const longestMs = isStoreAway(error) ? longestStoreBackoffMs : longestBackoffMs;
		const fullMs = backOffMs(failures, { firstMs: firstBackoffMs, longestMs });
		return withJitter(fullMs, drawJitter(this.dependencies.random));
	}

	/**
	 * Notes that the account is paused, which is a state and not a failure; reported once until it
	 * ends.
	 */
	private onPause(error: GatewayError): void {
		this.lastFailure = undefined;
		if (this.problem?.code !== error.code) {
			this.dependencies.logger.info('nothing is synced at present', { reason: error.message });
		}
		this.report(error);
	}

	private onFailure(error: unknown, failures: number): void {
		const { logger, clock } = this.dependencies;
		this.lastFailure = {
			code: isGatewayError(error) ? error.code : 'error.transport.unknown',
			message: isGatewayError(error) ? error.message : 'An unexpected failure; see the log.',
			at: isoInstant(clock.now()),
		};
		if (!isGatewayError(error)) {
			logger.error('a sync failed unexpectedly', { reason: String(error) });
			return;
		}
		logger.warn('a sync failed', { code: error.code, reason: error.message, failures });
		if (error.kind !== 'unavailable' || failures >= triesBeforeReport) this.report(error);
	}

	/** Notifies subscribers once per change: of a new problem, or of its end. */
	private report(problem: GatewayError | undefined): void {
		if (this.problem?.code === problem?.code) return;
		this.problem = problem;
		for (const { onProblem } of this.dependencies.demand.followers) notify(onProblem, problem);
	}
}

/** Detects a deleted identity, whose syncs never succeed again. */
function isPermanent(error: unknown): boolean {
	return codeOf(error) === backboneErrors.identityDeleted.code;
}

function notify(listener: ProblemListener, problem: GatewayError | undefined): void {
	if (problem === undefined) return listener(undefined);
	const { code, message, remedy } = problem;
	listener({ code, message, remedy, ...(isToBeDeleted(problem) ? { isState: true } : {}) });
}
