const patienceMs = 20_000;

/** Resolves when the condition comes true; tests wait for states, not for times. */
export async function until(
	condition: () => boolean | Promise<boolean>,
	longestMs = patienceMs,
): Promise<void> {
	// Some tests move the clock of `Date`, which must not shorten the patience.
	const giveUpAt = performance.now() + longestMs;
	while (!(await condition())) {
		if (performance.now() > giveUpAt) throw new Error(`This never came true: ${String(condition)}`);
		await new Promise((resolve) => setTimeout(resolve, 5));
	}
}
