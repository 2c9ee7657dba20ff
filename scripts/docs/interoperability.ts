import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { projectRoot } from './source-files';

/** What a matrix test saw (`test/interop/*matrix.test.ts`): a cell is a sign or a reason. */
export interface Matrix {
	readonly columns: readonly string[];
	readonly groups: ReadonlyArray<{
		readonly title: string;
		/** in docs/protocol */
		readonly source: string;
		readonly rows: ReadonlyArray<{ readonly name: string; readonly cells: readonly string[] }>;
	}>;
}

/** Each has a test, which sees it, and its place on the page. */
export const matrixNames = ['transport', 'requests'] as const;
export type MatrixName = (typeof matrixNames)[number];

export const works = 'yes';
/** Of a run that failed or played a part only; never shown. */
export const didNotWork = 'did not work';

/** Cells that stand for themselves; every other one is a reason. */
const signs: Readonly<Record<string, string>> = {
	[works]: '✓',
	both: 'both',
	actor: 'first',
	follower: 'second',
};

const page = 'docs/interoperability.md';
const pageFile = join(projectRoot, page);

/** Where a run of the test leaves what it saw. */
const seenFile = (name: MatrixName): string => join(projectRoot, '.tmp', `${name}-matrix.json`);

/** Lets `showSeenMatrices` find what a run of the test saw. */
export function keepSeenMatrix(name: MatrixName, seen: Matrix): void {
	mkdirSync(dirname(seenFile(name)), { recursive: true });
	writeFileSync(seenFile(name), `${JSON.stringify(seen, undefined, '\t')}\n`);
}

/** What the page says that was seen. */
export function shownMatrix(name: MatrixName): string {
	return splitPage(name).shown;
}

/**
 * Lets the page show what the last runs of the matrix tests saw; a test may not have run yet.
 *
 * @throws when no test has, or when one has not seen everything work
 */
export function showSeenMatrices(): void {
	const names = matrixNames.filter((name) => existsSync(seenFile(name)));
	if (names.length === 0) throw new Error("Nothing was seen yet: run 'npm run test:interop' first");
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

/** The page around the table; the markers stay outside. */
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
