import { writeFileSync } from 'node:fs';
import { settledMemory } from '../programs/serve';

/** Peak of the resident bytes during the work, minus the bytes before. */
export async function additionalBytes(work: () => Promise<unknown>): Promise<number> {
	const before = await settledMemory();
	resetPeak();
	await work();
	return process.resourceUsage().maxRSS * 1_024 - before;
}

/**
 * Resets the recorded peak, because loading may have needed more than the work. Works on Linux
 * only.
 */
function resetPeak(): void {
	try {
		writeFileSync('/proc/self/clear_refs', '5');
	} catch {
		// Without a reset the figure is too high.
	}
}
