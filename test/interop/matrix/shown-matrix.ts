import {
	keepSeenMatrix,
	renderMatrix,
	shownMatrix,
	type Matrix,
	type MatrixName,
} from '../../../scripts/docs/interoperability';

/**
 * Keeps what a run saw for the command that writes it into the page; answers the lines in which the
 * page differs from it, and what to do about it.
 */
export function differencesFromPage(name: MatrixName, matrix: Matrix): string[] {
	keepSeenMatrix(name, matrix);
	const [shown, seen] = [shownMatrix(name), renderMatrix(matrix)];
	if (shown === seen) return [];
	const [before, after] = [shown.split('\n'), seen.split('\n')];
	return [
		"Run 'npm run docs -- --matrix' to let the page show what this run saw.",
		...before.filter((line) => !after.includes(line)).map((line) => `The page: ${line}`),
		...after.filter((line) => !before.includes(line)).map((line) => `This run: ${line}`),
	];
}
