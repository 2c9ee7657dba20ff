/** The rows of a table that fail a check, each with what the check said. */
export function failingRows<Row>(
	rows: Iterable<readonly [name: string, row: Row]>,
	check: (row: Row, name: string) => void,
): string[] {
	const failing: string[] = [];
	for (const [name, row] of rows) {
		try {
			check(row, name);
		} catch (error) {
			failing.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
		}
	}
	return failing;
}
