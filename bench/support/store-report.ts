import type { StoreResult, UseCaseLine } from '../store-figures';
import { alignedTable, shown } from './report';

const heading = ['', 'SQLite', 'PostgreSQL', 'ratio', 'statements', 'round trips'];

function row({ name, sqlite, postgres, statements, roundTrips }: UseCaseLine): string[] {
	return [
		name,
		`${shown(sqlite)} ms`,
		`${shown(postgres)} ms`,
		shown(postgres / sqlite),
		shown(statements),
		shown(roundTrips),
	];
}

/** Tables for the terminal: the cost of a use case, then the throughput of several processes. */
export function storeTables({ useCases, throughput }: StoreResult): string {
	const { sqlite, one, two } = throughput;
	const lines: ReadonlyArray<readonly [string, number]> = [
		['one process, SQLite', sqlite],
		['one process, PostgreSQL', one],
		['two processes, PostgreSQL', two],
	];
	const rows = lines.map(([name, perSecond]) => [
		name,
		shown(perSecond),
		shown(perSecond / sqlite),
		shown(perSecond / one),
	]);
	return [
		alignedTable([heading, ...useCases.map(row)]),
		alignedTable([['', 'mails/s', 'of SQLite', 'of one with PostgreSQL'], ...rows]),
	].join('\n\n');
}
