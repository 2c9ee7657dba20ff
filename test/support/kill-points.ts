import { newSeed } from './seeds';
import { size } from './sizes';

/** Of a quick run; which of them is tried first follows from the seed, so that runs differ. */
const usualStride = size({ quick: 3, full: 1 });

/**
 * Tries the points of an operation, at which its process is killed, until one run is not killed any
 * more. Answers how many points there are at most.
 *
 * @param step gets the point, and how many were tried, itself included
 * @param stride larger where an operation has many points
 */
export async function atKillPoints(
	step: (point: number, tried: number) => Promise<{ readonly killed: boolean }>,
	stride = usualStride,
): Promise<number> {
	let tried = 0;
	for (let point = 1 + (newSeed() % stride); point < 400; point += stride) {
		if (!(await step(point, ++tried)).killed) return point - 1;
	}
	throw new Error('the operation never came to its end');
}
