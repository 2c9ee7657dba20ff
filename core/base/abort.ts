import { setTimeout as delay } from 'node:timers/promises';

/** Every awaiting function takes this last: work stops when the signal aborts. */
export interface Cancellable {
	readonly signal?: AbortSignal | undefined;
}

/** Throws the signal's reason if it is aborted; called before work starts. */
export function throwIfAborted(options?: Cancellable): void {
	options?.signal?.throwIfAborted();
}

/** One signal that aborts with the first of those given. */
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

export interface SleepOptions extends Cancellable {
	/** a loop that nobody waits for: it must not keep the process alive */
	readonly background?: boolean;
}

/** Rejects with the signal's reason. */
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

/** Runs work whose signal aborts only some time after the caller's: what is nearly done ends in order. */
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

/** True for what an aborted wait throws, as opposed to a failure of the work itself. */
export function isAbort(error: unknown, signal?: AbortSignal): boolean {
	if (signal?.aborted === true && error === signal.reason) return true;
	// Not `instanceof`: the reason of a signal may come from another realm.
	return (error as { readonly name?: unknown } | undefined)?.name === 'AbortError';
}

/** Settles with the work of all, or rejects as soon as the caller's own signal aborts. */
export async function joinWork<Result>(
	work: Promise<Result>,
	{ signal }: Cancellable,
): Promise<Result> {
	if (signal === undefined) return await work;
	signal.throwIfAborted();
	return await new Promise<Result>((resolve, reject) => {
		const abort = (): void => reject(signal.reason as Error);
		signal.addEventListener('abort', abort, { once: true });
		work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
	});
}
