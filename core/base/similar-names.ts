/** The most similar of some names; undefined if none is similar. */
export function mostSimilar(entered: string, names: readonly string[]): string | undefined {
	const letters = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
	const given = letters(entered);
	const found = names
		.map((name) => ({ name, changes: changedLetters(given, letters(name)) }))
		.sort((a, b) => a.changes - b.changes)[0];
	if (found === undefined || found.changes > Math.max(2, given.length / 4)) return undefined;
	return found.name;
}

/** Number of changed letters (Levenshtein). */
export function changedLetters(a: string, b: string): number {
	let row = Array.from({ length: b.length + 1 }, (_, index) => index);
	for (const [i, letter] of [...a].entries()) {
		const next = [i + 1];
		for (const [j, other] of [...b].entries()) {
			const replaced = (row[j] ?? 0) + (letter === other ? 0 : 1);
			next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
		}
		row = next;
	}
	return row[b.length] ?? 0;
}
