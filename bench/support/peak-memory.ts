import { resetPeak } from '../../scripts/served/resident-memory';
import { settledMemory } from '../programs/serve';

/** Peak of the resident bytes during the work, minus the bytes before. */
export async function additionalBytes(work: () => Promise<unknown>): Promise<number> {
	const before = await settledMemory();
	resetPeak(process.pid);
	await work();
	return process.resourceUsage().maxRSS * 1_024 - before;
}
