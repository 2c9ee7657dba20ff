import { isAbort, sleep } from '../base/abort';
import { isoInstant } from '../base/clock';
import { codeOf, isGatewayError, type GatewayError } from '../base/errors';
import { backboneErrors } from '../backbone/backbone-errors';
import { isStillRefused, isToBeDeleted } from '../domain/identity/deletion-refusal';
import type { KeepSyncedOptions, ProblemListener } from '../facade';
import { PushFollower, type PushFollowerDependencies } from './push/push-follower';

const firstBackoffMs = 2_000;
const longestBackoffMs = 300_000;
/** the store is our own: it is back within seconds, and asking it costs nobody anything */
const longestStoreBackoffMs = 5_000;
/** an unreachable Backbone is nobody's fault at first; after this many tries a person is told */
const triesBeforeReport = 5;
/** between a sync and one for its planned retries */
const shortestPauseMs = 250;
/** the longest that a timer can wait: until a person does something */
const forGoodMs = 2 ** 31 - 1;

export interface SyncLoopDependencies extends Omit<PushFollowerDependencies, 'wake'> {
	/** Resolves false when another process is syncing. */
	readonly sync: (options: { signal: AbortSignal; skipIfBusy: boolean }) => Promise<boolean>;
	/** When a retry that was planned is due, in milliseconds since the epoch. */
	readonly nextDueAt: (options: { signal: AbortSignal }) => Promise<number | undefined>;
	/** Takes back what says that this process syncs; after the last follower. */
	readonly endAsking: () => Promise<void>;
	/** What has to be noticed in time, after a successful sync. */
	readonly maintain: (options: { signal: AbortSignal }) => Promise<void>;
}

interface Part {
	readonly abort: AbortController;
	readonly done: Promise<void>;
}

/**
 * Keeps one account in step for all subscribers: the shortest interval wins, push and planned retries
 * wake it before, and it runs only while there is a subscriber.
 */
export class SyncLoop {
	private readonly subscribers = new Set<KeepSyncedOptions>();

	private running: Part | undefined;

	private pushing: Part | undefined;

	/** of parts that were told to stop */
	private ended: Promise<unknown> = Promise.resolve();

	private wakeUp: AbortController | undefined;

	private wakePending = false;

	private problem: GatewayError | undefined;

	private closed = false;

	readonly push: PushFollower;

	/** of the newest failed sync, until one succeeds */
	lastFailure: { code: string; message: string; at: string } | undefined;

	constructor(private readonly deps: SyncLoopDependencies) {
		this.push = new PushFollower({ ...deps, wake: () => this.wake() });
	}

	/** Whether there is a subscriber. */
	get isFollowed(): boolean {
		return this.subscribers.size > 0;
	}

	/** `release` resolves when the last one to be released has left nothing under way. */
	subscribe(wanted: KeepSyncedOptions): { release(): Promise<void> } {
		if (this.closed) return { release: () => Promise.resolve() };
		// Whoever subscribes twice with one object is two.
		const options = { ...wanted };
		this.subscribers.add(options);
		if (this.problem !== undefined) notify(options.onProblem, this.problem);
		this.adjust();
		let released = false;
		return {
			release: async () => {
				if (released) return;
				released = true;
				this.subscribers.delete(options);
				this.adjust();
				if (this.isFollowed || this.closed) return;
				// In line: a follower that comes now begins after it.
				this.ended = this.ended.then(() => this.endAsking());
				await this.ended;
			},
		};
	}

	/** Syncs soon, because something happened that the Backbone announces to nobody. */
	wake(): void {
		this.wakePending = true;
		this.wakeUp?.abort();
	}

	async close(): Promise<void> {
		this.closed = true;
		this.subscribers.clear();
		this.adjust();
		await this.ended;
	}

	private async endAsking(): Promise<void> {
		try {
			await this.deps.endAsking();
		} catch (error) {
			// The next process compares with the Backbone, as after a crash.
			this.deps.logger.debug('the end of syncing was not noted', { reason: String(error) });
		}
	}

	private adjust(): void {
		const wanted = this.subscribers.size > 0;
		const pushWanted = [...this.subscribers].some((subscriber) => subscriber.push);
		this.running = this.toggle(this.running, wanted, (signal) => this.syncRepeatedly(signal));
		this.pushing = this.toggle(this.pushing, pushWanted, (signal) => this.push.follow(signal));
		// A shorter interval takes effect now, not after the long wait that is under way.
		this.wakeUp?.abort();
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
		// A predecessor that still holds its lease would be taken for another process.
		const done = this.ended
			.then(() => start(abort.signal))
			.catch((error: unknown) => {
				if (!abort.signal.aborted)
					this.deps.logger.error('the sync loop ended', { reason: String(error) });
			});
		return { abort, done };
	}

	private get intervalMs(): number {
		return Math.min(...[...this.subscribers].map((subscriber) => subscriber.intervalMs));
	}

	private async syncRepeatedly(signal: AbortSignal): Promise<void> {
		let failures = 0;
		let lastEnd = Number.NEGATIVE_INFINITY;
		let retryAt: number | undefined;
		while (!signal.aborted) {
			// Woken by a change of subscribers: nothing to do before the interval is over.
			const pauseMs = Math.max(shortestPauseMs, (retryAt ?? Infinity) - lastEnd);
			const dueInMs = lastEnd + Math.min(this.intervalMs, pauseMs) - this.deps.clock.now();
			if (dueInMs > 0 && !this.wakePending && failures === 0) {
				await this.wait(dueInMs, signal);
				continue;
			}
			this.wakePending = false;
			try {
				await this.deps.sync({ signal, skipIfBusy: true });
				failures = 0;
				this.lastFailure = undefined;
				this.report(undefined);
				await this.deps.maintain({ signal });
				retryAt = await this.deps.nextDueAt({ signal });
			} catch (error) {
				if (signal.aborted || isAbort(error, signal)) return;
				failures++;
				if (isToBeDeleted(error) && !isStillRefused(error)) this.onPause(error);
				else this.onFailure(error, failures);
				await this.wait(isOver(error) ? forGoodMs : this.backoffMs(failures, error), signal);
			}
			lastEnd = this.deps.clock.now();
		}
	}

	private async wait(durationMs: number, signal: AbortSignal): Promise<void> {
		const wakeUp = new AbortController();
		this.wakeUp = wakeUp;
		try {
			await sleep(Math.min(durationMs, forGoodMs), {
				signal: AbortSignal.any([signal, wakeUp.signal]),
				background: true,
			});
		} catch (error) {
			if (!signal.aborted && !wakeUp.signal.aborted) throw error;
		} finally {
			if (this.wakeUp === wakeUp) this.wakeUp = undefined;
		}
	}

	private backoffMs(failures: number, error: unknown): number {
		const limit = isStoreAway(error) ? longestStoreBackoffMs : longestBackoffMs;
		const longest = Math.min(firstBackoffMs * 2 ** (failures - 1), limit);
		// Jitter between half and all of it, so that many gateways do not return together.
		const jitter = (this.deps.random.bytes(1)[0] ?? 0) / 255;
		return longest * (0.5 + jitter / 2);
	}

	/** The state of the account and no failure: told once, until it is over. */
	private onPause(error: unknown): void {
		this.lastFailure = undefined;
		if (!isGatewayError(error) || this.problem?.code === error.code) return;
		this.deps.logger.info('nothing is synced at present', { reason: error.message });
		this.report(error);
	}

	private onFailure(error: unknown, failures: number): void {
		const { logger, clock } = this.deps;
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

	/** Tells subscribers once per change: a new problem, or that it is over. */
	private report(problem: GatewayError | undefined): void {
		if (this.problem?.code === problem?.code) return;
		this.problem = problem;
		for (const subscriber of this.subscribers) notify(subscriber.onProblem, problem);
	}
}

/** A deleted identity has nothing to sync any more, however often it is tried. */
function isOver(error: unknown): boolean {
	return codeOf(error) === backboneErrors.identityDeleted.code;
}

function isStoreAway(error: unknown): boolean {
	return (
		isGatewayError(error) &&
		error.kind === 'unavailable' &&
		error.code.startsWith('error.gateway.store.')
	);
}

function notify(listener: ProblemListener, problem: GatewayError | undefined): void {
	if (problem === undefined) return listener(undefined);
	const { code, message, remedy } = problem;
	listener({ code, message, remedy, ...(isToBeDeleted(problem) ? { isState: true } : {}) });
}
