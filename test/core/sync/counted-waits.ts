/* To be imported before the modules under test, whose waits only a signal ends from then on. */

/** How long each wait was to take, in milliseconds. */
export const waits: number[] = [];

/** Whether each wait keeps the process alive. */
export const keepsAlive: boolean[] = [];

jest.mock('node:timers/promises', () => ({
	setTimeout: (
		durationMs: number,
		_value: unknown,
		{ signal, ref = true }: { signal: AbortSignal; ref?: boolean },
	) => {
		waits.push(durationMs);
		keepsAlive.push(ref);
		return new Promise((_resolve, reject) => {
			signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
		});
	},
}));
