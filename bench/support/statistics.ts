/** Middle value; for an even number of values, the mean of the two middle ones. */
export function median(values: readonly number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	const middle = Math.floor(sorted.length / 2);
	const [low, high] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[middle]];
	if (low === undefined || high === undefined) throw new TypeError('there is nothing measured');
	return (low + high) / 2;
}
