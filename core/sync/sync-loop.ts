import { isAbort, sleep } from '../base/abort';
import { newLeaseHolder } from '../base/lease-holder';
import { isoInstant, type Clock } from '../base/clock';
import { codeOf, isGatewayError, type GatewayError } from '../base/errors';
import type { Logger } from '../base/logger';
import type { Random } from '../base/random';
import type { Backbone } from '../backbone/backbone';
import { backboneErrors } from '../backbone/backbone-errors';
import type { Store, WriteTransaction } from '../store/store';
import type { KeepSyncedOptions, ProblemListener } from '../facade';

const firstBackoffMs = 2_000;
const longestBackoffMs = 300_000;
/** the store is our own: it is back within seconds, and asking it costs nobody anything */
const longestStoreBackoffMs = 5_000;
/** an unreachable Backbone is nobody's fault at first; after this many tries a person is told */
const triesBeforeReport = 5;
const pushLeaseMs = 60_000;
/** the longest that a timer can wait: until a person does something */
const forGoodMs = 2 ** 31 - 1;

export interface SyncLoopDependencies {
	readonly store: Store;
	readonly backbone: Backbone;
	readonly clock: Clock;
	readonly random: Random;
	readonly logger: Logger;
	/** Resolves false when another process is syncing. */
	readonly sync: (options: { signal: AbortSignal; skipIfBusy: boolean }) => Promise<boolean>;
	/** Housekeeping after a successful sync: pruning, forgotten consumers. */
	readonly maintain: (options: { signal: AbortSignal }) => Promise<void>;
}

interface Part {
	readonly abort: AbortController;
	readonly done: Promise<void>;
}

/**
 * Keeps one account in step for all who asked for it: the shortest interval wins, push wakes it at
 * once, and it runs only while somebody is subscribed (design, decision 20).
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

	pushConnected = false;

	/** of the newest failed sync, until one succeeds */
	lastFailure: { code: string; message: string; at: string } | undefined;

	constructor(private readonly deps: SyncLoopDependencies) {}

	subscribe(options: KeepSyncedOptions): { release(): void } {
		if (this.closed) return { release: () => undefined };
		this.subscribers.add(options);
		if (this.problem !== undefined) notify(options.onProblem, this.problem);
		this.adjust();
		let released = false;
		return {
			release: () => {
				if (released) return;
				released = true;
				this.subscribers.delete(options);
				this.adjust();
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

	private adjust(): void {
		const wanted = this.subscribers.size > 0;
		const pushWanted = [...this.subscribers].some((subscriber) => subscriber.push);
		this.running = this.toggle(this.running, wanted, (signal) => this.syncRepeatedly(signal));
		this.pushing = this.toggle(this.pushing, pushWanted, (signal) => this.listen(signal));
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
		while (!signal.aborted) {
			// Woken by a change of subscribers: nothing to do before the interval is over.
			const dueInMs = lastEnd + this.intervalMs - this.deps.clock.now();
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
			} catch (error) {
				if (signal.aborted || isAbort(error, signal)) return;
				failures++;
				this.onFailure(error, failures);
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

	/** One process holds the push connection of an account: a second would silence the first. */
	private async listen(signal: AbortSignal): Promise<void> {
		const { store, random, logger } = this.deps;
		const holder = newLeaseHolder(random);
		const take = (tx: WriteTransaction): Promise<boolean> =>
			tx.leases.take('push', holder, pushLeaseMs);
		while (!signal.aborted) {
			let pauseMs = pushLeaseMs / 3;
			try {
				if (await store.transact(take, { signal })) await this.followPush(take, signal);
			} catch (error) {
				if (signal.aborted) break;
				if (isOver(error)) pauseMs = forGoodMs;
				logger.warn('the push connection failed', {
					reason: isGatewayError(error) ? error.message : String(error),
				});
			}
			await sleep(pauseMs, { signal, background: true }).catch(() => undefined);
		}
		await store.transact((tx) => tx.leases.drop('push', holder)).catch(() => undefined);
	}

	private async followPush(
		take: (tx: WriteTransaction) => Promise<boolean>,
		signal: AbortSignal,
	): Promise<void> {
		const { backbone, store } = this.deps;
		const lost = new AbortController();
		const renewal = setInterval(() => {
			store
				.transact(take)
				.then((held) => (held ? undefined : lost.abort()))
				.catch(() => undefined);
		}, pushLeaseMs / 3);
		renewal.unref();
		try {
			const both = AbortSignal.any([signal, lost.signal]);
			for await (const push of backbone.push.subscribe({ signal: both })) {
				this.pushConnected = push.kind !== 'lost';
				// Nothing is replayed, so every new connection may have missed something.
				if (push.kind === 'opened') this.wake();
				if (push.kind === 'event' && isNews(push.name)) this.wake();
			}
		} finally {
			clearInterval(renewal);
			this.pushConnected = false;
		}
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

/** The others are for the screens of phones (docs/protocol/backbone-api.md 19.1). */
function isNews(name: string): boolean {
	return (
		name === 'ExternalEventCreated' ||
		/^Deletion(ProcessStarted|ProcessCancelledByOwner)$/.test(name)
	);
}

function notify(listener: ProblemListener, problem: GatewayError | undefined): void {
	listener(problem && { code: problem.code, message: problem.message, remedy: problem.remedy });
}
