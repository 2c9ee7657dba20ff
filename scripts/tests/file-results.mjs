/** Results of jest, as the reporter file-results.cjs has written them. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const fileResultsReporter = fileURLToPath(new URL('file-results.cjs', import.meta.url));

/** Results of the test files that have ended, and whether these are all. */
export function readFileResults(path) {
	if (!existsSync(path)) return { files: [], isComplete: false };
	const lines = readFileSync(path, 'utf8')
		.split('\n')
		// The last line is incomplete if jest was killed while it wrote.
		.slice(0, -1)
		.map((line) => JSON.parse(line));
	return {
		files: lines.filter(({ tests }) => tests !== undefined),
		isComplete: lines.at(-1)?.isComplete === true,
	};
}
