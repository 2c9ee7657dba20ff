import type { Cost, SideBySide, SideBySideLine } from '../side-by-side';
import { alignedTable, shown } from './report';

const bytesPerMegabyte = 1_000_000;

const heading = [
	'',
	'other',
	'ours',
	'ratio',
	'cpu other',
	'cpu ours',
	'ratio of cpu',
	'calls other',
	'calls ours',
	'KB other',
	'KB ours',
];

/** Tables for the terminal: cost per operation, then memory. */
export function sideBySideTables({ lines, memory }: SideBySide): string {
	const [other, ours] = [memory.other, memory.ours].map((bytes) =>
		bytes === undefined ? 'unknown' : `${shown(bytes / bytesPerMegabyte)} MB`,
	);
	return [
		alignedTable([heading, ...lines.map(row), ...floors(lines)]),
		`Resident memory after the run: other ${other}, ours ${ours}.`,
	].join('\n\n');
}

function row({ name, other, ours }: SideBySideLine): string[] {
	return [
		name,
		of(other, ({ ms }) => `${shown(ms)} ms`),
		`${shown(ours.ms)} ms`,
		of(other, ({ ms }) => shown(ms / ours.ms)),
		of(other, ({ processorMs }) => cpu(processorMs)),
		cpu(ours.processorMs),
		of(other, ({ processorMs }) =>
			processorMs === undefined || ours.processorMs === undefined
				? ''
				: shown(processorMs / ours.processorMs),
		),
		of(other, ({ calls }) => shown(calls)),
		shown(ours.calls),
		of(other, ({ bytes }) => shown(bytes / 1_000)),
		shown(ours.bytes / 1_000),
	];
}

/** Lines of the bare server, in the columns of this gateway. */
function floors(lines: readonly SideBySideLine[]): string[][] {
	return lines.flatMap(({ name, floor }) =>
		floor === undefined
			? []
			: [row({ name: `${name}, bare Hono`, other: undefined, ours: floor, floor })],
	);
}

const of = (cost: Cost | undefined, text: (cost: Cost) => string): string =>
	cost === undefined ? '' : text(cost);

const cpu = (milliseconds: number | undefined): string =>
	milliseconds === undefined ? '' : `${shown(milliseconds)} ms`;
