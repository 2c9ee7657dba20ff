/** longest interval of a timer */
const intervalMs = 2 ** 31 - 1;

/**
 * Keeps the process alive while a caller waits. The loops behind the wait do not: with only their
 * timers and idle connections left, a process ends.
 */
export async function holdProcess<Result>(waiting: Promise<Result>): Promise<Result> {
	const timer = setInterval(() => undefined, intervalMs);
	try {
		return await waiting;
	} finally {
		clearInterval(timer);
	}
}
