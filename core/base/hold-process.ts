import { longestTimerMs } from './abort';

/**
 * Keeps the process alive while a caller waits. The loops behind the wait do not: with only their
 * timers and idle connections left, a process ends.
 */
export async function holdProcess<Result>(waiting: Promise<Result>): Promise<Result> {
	const timer = setInterval(() => undefined, longestTimerMs);
	try {
		return await waiting;
	} finally {
		clearInterval(timer);
	}
}
