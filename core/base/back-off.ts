import type { Random } from './random';

/** Waits between attempts, which double from the first wait up to the longest. */
export interface BackOff {
	readonly firstMs: number;
	readonly longestMs: number;
}

/**
 * Upper bound of the exponent: 30 doublings exceed any longest wait, and a larger exponent could
 * overflow the number.
 */
const mostDoublings = 30;

/**
 * Calculates the wait after a failure.
 *
 * @param failures number of failures in a row, from 1 on: the first wait follows the first failure
 */
export function backOffMs(failures: number, { firstMs, longestMs }: BackOff): number {
	return Math.min(firstMs * 2 ** Math.min(failures - 1, mostDoublings), longestMs);
}

/**
 * Adds jitter to a wait, so that processes that failed together do not retry together.
 *
 * @param jitter between 0 and 1
 * @param share part of the wait that depends on the jitter; the rest is always waited for
 */
export function withJitter(waitMs: number, jitter: number, share = 0.5): number {
	return waitMs * (1 - share + jitter * share);
}

/** Draws a random jitter between 0 and 1. */
export function drawJitter(random: Random): number {
	return (random.bytes(1)[0] ?? 0) / 255;
}
