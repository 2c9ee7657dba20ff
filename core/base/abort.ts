import { setTimeout as delay } from 'node:timers/promises';
import { memberOf } from './members';

/** Last parameter of every asynchronous function: its work stops when the signal aborts. */
export interface Cancellable {
	/** aborts the work; the call then rejects with the reason of the signal */
	readonly signal?: AbortSignal | undefined;
}

/** Throws the signal's reason if the signal is aborted; called before work starts. */
export function throwIfAborted(options?: Cancellable): void {
	options?.signal?.throwIfAborted();
}

/** Combines signals into a single signal, which aborts with the first of them. */
export function linkSignals(
	...signals: ReadonlyArray<AbortSignal | undefined>
): AbortSignal | undefined {
	const present = signals.filter((signal) => signal !== undefined);
	if (present.length < 2) return present[0];
	return AbortSignal.any(present);
}

/** Links the caller's signal with a deadline; the reason of the deadline is a `TimeoutError`. */
export function withDeadline(timeoutMs: number, signal?: AbortSignal): AbortSignal {
	const deadline = AbortSignal.timeout(timeoutMs);
	return signal === undefined ? deadline : AbortSignal.any([signal, deadline]);
}

/** Longest delay that a timer of Node allows, about 25 days. */
export const longestTimerMs = 2 ** 31 - 1;

export interface SleepOptions extends Cancellable {
	/** true for a background loop, whose timer must not keep the process alive */
	readonly background?: boolean;
}

/** Waits for the duration; rejects with the signal's reason when the signal aborts. */
export async function sleep(durationMs: number, options: SleepOptions = {}): Promise<void> {
	throwIfAborted(options);
	try {
		await delay(durationMs, undefined, {
			ref: options.background !== true,
			...(options.signal === undefined ? {} : { signal: options.signal }),
		});
	} catch (error) {
		throwIfAborted(options);
		throw error;
	}
}

/**
 * Runs work whose signal aborts a grace period after the caller's, so that nearly finished work
 * completes.
 */
export async function withGrace<Result>(
	{ signal }: Cancellable,
	graceMs: number,
	work: (options: Cancellable) => Promise<Result>,
): Promise<Result> {
	if (signal === undefined) return await work({});
	signal.throwIfAborted();
	const late = new AbortController();
	let timer: NodeJS.Timeout | undefined;
	const abort = (): void => {
		timer = setTimeout(() => late.abort(signal.reason), graceMs);
		timer.unref();
	};
	signal.addEventListener('abort', abort, { once: true });
	try {
		return await work({ signal: late.signal });
	} finally {
		clearTimeout(timer);
		signal.removeEventListener('abort', abort);
	}
}

/** Tells an aborted wait from a failure of the work itself. */
export function isAbort(error: unknown, signal?: AbortSignal): boolean {
	if (signal?.aborted === true && error === signal.reason) return true;
	// A check by name instead of `instanceof`: the reason of a signal may come from another realm.
	return memberOf(error, 'name') === 'AbortError';
}

/**
 * Settles with the work, or rejects with the signal's reason as soon as the signal aborts. After an
 * abort the work continues for its other callers; its rejection is handled.
 */
export async function waitOrAbort<Result>(
	work: Promise<Result>,
	{ signal }: Cancellable,
): Promise<Result> {
	if (signal === undefined) return await work;
	return await new Promise<Result>((resolve, reject) => {
		const abort = (): void => reject(signal.reason);
		if (signal.aborted) abort();
		else signal.addEventListener('abort', abort, { once: true });
		work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
	});
}
