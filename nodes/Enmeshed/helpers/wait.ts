/** Longest delay that a timer of Node allows, about 25 days. */
export const longestTimerMs = 2 ** 31 - 1;

/**
 * Resolves after the time or when the signal aborts, whichever comes first; never rejects. Its
 * timer does not keep the process alive.
 */
export async function wait(durationMs: number, signal?: AbortSignal): Promise<void> {
	const timeout = AbortSignal.timeout(Math.min(durationMs, longestTimerMs));
	await aborted(signal === undefined ? timeout : AbortSignal.any([signal, timeout]));
}

/** Resolves when the signal aborts. */
export async function aborted(signal: AbortSignal): Promise<void> {
	if (signal.aborted) return;
	await new Promise<void>((resolve) => {
		signal.addEventListener('abort', () => resolve(), { once: true });
	});
}
