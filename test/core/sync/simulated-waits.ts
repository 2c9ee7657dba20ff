/* To be imported before the modules under test: from then on each wait ends at once. */

/** How long each wait was to take, in milliseconds. */
export const waits: number[] = [];

/** Called with the duration of each wait, for example to advance a clock. */
export const simulation: { onWait: (durationMs: number) => unknown } = { onWait: () => undefined };

/** Whether each wait keeps the process alive. */
export const keepsAlive: boolean[] = [];

jest.mock('node:timers/promises', () => ({
	...jest.requireActual<object>('node:timers/promises'),
	setTimeout: async (
		durationMs: number,
		_value: unknown,
		{ signal, ref = true }: { readonly signal?: AbortSignal; readonly ref?: boolean } = {},
	): Promise<void> => {
		waits.push(durationMs);
		keepsAlive.push(ref);
		await simulation.onWait(durationMs);
		signal?.throwIfAborted();
	},
}));
