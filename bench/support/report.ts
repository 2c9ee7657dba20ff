import type { Line } from './measurements';

/** Minimum ratio of every figure to the official runtime's. */
export const requiredRatio = 2;

const ratioOf = ({ official, ours }: Line): number => official / ours;

export function shown(value: number): string {
	return value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0);
}

function verdict(line: Line): string {
	const ratio = ratioOf(line);
	if (ratio < requiredRatio) return `below ${requiredRatio}`;
	if (line.target === undefined || ratio >= line.target) return 'reached';
	return `${shown(line.target / ratio)} times to go`;
}

function row(line: Line): string[] {
	return [
		line.name,
		`${shown(line.official)} ${line.unit}`,
		`${shown(line.ours)} ${line.unit}`,
		shown(ratioOf(line)),
		line.target === undefined ? '' : String(line.target),
		line.floor === undefined ? '' : `${shown(line.floor)} ${line.unit}`,
		line.floor === undefined ? '' : `${Math.round((100 * line.floor) / line.ours)} %`,
		line.processor === undefined ? '' : shown(line.processor.official),
		line.processor === undefined ? '' : shown(line.processor.ours),
		verdict(line),
	];
}

const heading = [
	'',
	'official',
	'ours',
	'ratio',
	'target',
	'floor',
	'floor/ours',
	'cpu official',
	'cpu ours',
	'',
];

export function table(lines: readonly Line[]): string {
	return alignedTable([heading, ...lines.map(row)]);
}

/**
 * Aligns a table for the terminal: numbers to the right; the first column and columns without a
 * heading contain text.
 */
export function alignedTable(rows: readonly (readonly string[])[]): string {
	const [first = []] = rows;
	const widths = first.map((_, column) =>
		Math.max(...rows.map((cells) => cells[column]?.length ?? 0)),
	);
	return rows
		.map((cells) =>
			cells
				.map((cell, column) => {
					const width = widths[column] ?? 0;
					return first[column] === '' ? cell.padEnd(width) : cell.padStart(width);
				})
				.join('  ')
				.trimEnd(),
		)
		.join('\n');
}

export function belowRequirement(lines: readonly Line[]): Line[] {
	return lines.filter((line) => ratioOf(line) < requiredRatio);
}
