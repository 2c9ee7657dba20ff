import type { SealingLine } from '../sealing-figures';
import { alignedTable, shown } from './report';

const heading = ['', 'in clear', 'sealed', 'ratio', 'ratio of cpu'];

/** Tables for the terminal, one per store. */
export function sealingTables(
	stores: ReadonlyArray<readonly [store: string, lines: readonly SealingLine[]]>,
): string {
	const rowOf = ({ name, clear, sealed, processorRatio }: SealingLine): string[] => [
		name,
		`${shown(clear)} ms`,
		`${shown(sealed)} ms`,
		shown(sealed / clear),
		shown(processorRatio),
	];
	return stores
		.map(([store, lines]) => `${store}\n\n${alignedTable([heading, ...lines.map(rowOf)])}`)
		.join('\n\n');
}
