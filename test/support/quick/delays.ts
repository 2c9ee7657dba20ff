/*
 * To be imported before the modules under test: background work looks for news, repeats and polls twenty
 * times as often, so that tests with a clock of their own do not wait for it in real time.
 */
const factor = 20;

jest.mock('node:timers/promises', () => {
	const timers = jest.requireActual<typeof import('node:timers/promises')>('node:timers/promises');
	const setTimeout: typeof timers.setTimeout = (delayMs = 0, ...rest) =>
		timers.setTimeout(delayMs / factor, ...rest);
	return { ...timers, setTimeout };
});
