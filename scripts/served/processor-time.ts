import { readdirSync, readFileSync } from 'node:fs';

/**
 * Milliseconds of processor time that another process has used in all its threads; undefined where
 * the system does not tell it precisely.
 */
export function processorMs(pid: number): number | undefined {
	if (process.platform !== 'linux') return undefined;
	const nanoseconds = readdirSync(`/proc/${pid}/task`).map((thread) =>
		usedBy(`/proc/${pid}/task/${thread}/schedstat`),
	);
	return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e6;
}

function usedBy(file: string): number {
	try {
		return Number(readFileSync(file, 'utf8').split(' ')[0]);
	} catch (error) {
		// A thread may end while the threads are listed.
		if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return 0;
		throw error;
	}
}
