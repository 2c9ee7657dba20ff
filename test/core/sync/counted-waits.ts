/* To be imported before the modules under test, whose waits only a signal ends from then on. */

/** How long each wait was to take, in milliseconds. */
export const waits: number[] = [];

jest.mock('node:timers/promises', () => ({
	setTimeout: (durationMs: number, _value: unknown, { signal }: { signal: AbortSignal }) => {
		waits.push(durationMs);
		return new Promise((_resolve, reject) => {
			signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
		});
	},
}));
