import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { projectRoot } from './source-files';

/** Result of a matrix test (`test/interop/*matrix.test.ts`): a cell is a sign or a reason. */
export interface Matrix {
	readonly columns: readonly string[];
	readonly groups: ReadonlyArray<{
		readonly title: string;
		/** name of the document in docs/protocol */
		readonly source: string;
		readonly rows: ReadonlyArray<{ readonly name: string; readonly cells: readonly string[] }>;
	}>;
}

/** Matrices by name; each has a test that fills it, and its place on the page. */
export const matrixNames = ['transport', 'requests'] as const;
export type MatrixName = (typeof matrixNames)[number];

export const works = 'yes';
/** Cell of a failed or partial run; never shown. */
export const didNotWork = 'did not work';

/** Signs with their text; every other cell is a reason. */
const signs: Readonly<Record<string, string>> = {
	[works]: '✓',
	both: 'both',
	actor: 'first',
	follower: 'second',
};

const page = 'docs/interoperability.md';
const pageFile = join(projectRoot, page);

/** File in which a run of the test stores its result. */
const seenFile = (name: MatrixName): string => join(projectRoot, '.tmp', `${name}-matrix.json`);

/** Stores the result of a test run for `showSeenMatrices`. */
export function keepSeenMatrix(name: MatrixName, seen: Matrix): void {
	mkdirSync(dirname(seenFile(name)), { recursive: true });
	writeFileSync(seenFile(name), `${JSON.stringify(seen, undefined, '\t')}\n`);
}

/** Matrix that the page shows. */
export function shownMatrix(name: MatrixName): string {
	return splitPage(name).shown;
}

/**
 * Updates the page from the last runs of the matrix tests; a test that has not run is skipped.
 *
 * @throws if no test has run, or one has seen a failure
 */
export function showSeenMatrices(): void {
	const names = matrixNames.filter((name) => existsSync(seenFile(name)));
	if (names.length === 0) throw new Error("No results yet: run 'npm run test:interop' first");
	for (const name of names) {
		const { before, after } = splitPage(name);
		const seen = JSON.parse(readFileSync(seenFile(name), 'utf8')) as Matrix;
		const rows = seen.groups.flatMap((group) => group.rows);
		if (rows.some(({ cells }) => cells.includes(didNotWork))) {
			throw new Error(`The last run of the matrix of ${name} has not seen everything work`);
		}
		writeFileSync(pageFile, `${before}${renderMatrix(seen)}${after}`);
	}
}

export function renderMatrix({ columns, groups }: Matrix): string {
	const reasons: string[] = [];
	const cell = (text: string): string => {
		const sign = signs[text];
		if (sign !== undefined) return sign;
		if (!reasons.includes(text)) reasons.push(text);
		return `(${reasons.indexOf(text) + 1})`;
	};
	const lines = [
		`| | ${columns.map((column) => column.replace(', ', '<br>')).join(' | ')} |`,
		`|${' --- |'.repeat(columns.length + 1)}`,
	];
	for (const { title, source, rows } of groups) {
		lines.push(`| **${title}** (${source}) |${' |'.repeat(columns.length)}`);
		for (const { name, cells } of rows) lines.push(`| ${name} | ${cells.map(cell).join(' | ')} |`);
	}
	const notes = reasons.map((reason, index) => `${index + 1}. ${reason}`);
	return `${[...lines, '', ...notes].join('\n')}\n`;
}

/** Splits the page around the table; the markers stay outside. */
function splitPage(name: MatrixName): { before: string; shown: string; after: string } {
	const begin = `<!-- The matrix of ${name}, as its test saw it: written by \`npm run docs -- --matrix\` -->\n\n`;
	const end = `\n<!-- The end of the matrix of ${name} -->`;
	const [before, rest] = splitAt(readFileSync(pageFile, 'utf8'), begin);
	const [shown, after] = splitAt(rest, end);
	return { before: before + begin, shown, after: end + after };
}

function splitAt(text: string, marker: string): [string, string] {
	const at = text.indexOf(marker);
	if (at < 0) throw new Error(`${page} lacks '${marker.trim()}'`);
	return [text.slice(0, at), text.slice(at + marker.length)];
}
