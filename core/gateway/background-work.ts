import type { ServiceDependencies } from './service-dependencies';

/**
 * Runs work until it is released or the gateway closes.
 *
 * @param name of the work, for the log
 * @param run works until the signal aborts
 */
export function keepRunning(
	{ closing, stop }: ServiceDependencies,
	name: string,
	run: (signal: AbortSignal) => Promise<void>,
): { release(): Promise<void> } {
	const released = new AbortController();
	const done = run(AbortSignal.any([stop.signal, released.signal]));
	const release = async (): Promise<void> => {
		released.abort();
		await done;
	};
	closing.add(name, release);
	return { release };
}
