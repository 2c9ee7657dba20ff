import { performance } from 'node:perf_hooks';

/** Elapsed milliseconds of some work, and its processor time in this process. */
export interface Duration {
	readonly elapsed: number;
	readonly processor: number;
}

export async function timed(work: () => Promise<unknown>): Promise<Duration> {
	const processorBefore = process.cpuUsage();
	const started = performance.now();
	await work();
	const elapsed = performance.now() - started;
	const { user, system } = process.cpuUsage(processorBefore);
	return { elapsed, processor: (user + system) / 1_000 };
}

/** Runs `work` for every number below `count`, with `lanes` concurrent calls. */
export async function inLanes(
	count: number,
	lanes: number,
	work: (number: number) => Promise<unknown>,
): Promise<void> {
	let next = 0;
	const lane = async (): Promise<void> => {
		while (next < count) await work(next++);
	};
	await Promise.all(Array.from({ length: lanes }, lane));
}
