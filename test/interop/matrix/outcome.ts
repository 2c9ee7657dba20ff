import { didNotWork, type Matrix } from '../../../scripts/docs/interoperability';
import { titleOf, pairs, type Column } from './columns';
import type { Heard } from './party';
import type { Row, RowGroup } from './row';
import type { Role } from './stage';

/** What one column saw: by row, that it works or why it cannot; and who heard which events. */
export class ColumnOutcome {
	readonly cells = new Map<Row, string>();

	readonly heard = new Map<Row, Readonly<Record<Role, readonly Heard[]>>>();

	constructor(readonly column: Column) {}

	/** Who published the event in any row: `both`, `actor`, `follower` or `neither`. */
	publishersOf(event: string): string {
		const roles = (['actor', 'follower'] as const).filter((role) =>
			[...this.heard.values()].some((heard) => heard[role].some((one) => one.event === event)),
		);
		return roles.length === 2 ? 'both' : (roles[0] ?? neither);
	}
}

export const neither = 'neither';

/** Events of docs/protocol/transport.md 15 that cannot be seen here. */
const unseen: Readonly<Record<string, string>> = {
	datawalletSynchronized: 'published with a datawallet only, and no party here has one',
};

const inOrder = pairs.flat();

export function matrixOf(
	outcomes: readonly ColumnOutcome[],
	groups: readonly RowGroup[],
	events: readonly string[],
): Matrix {
	const byColumn = inOrder.map((column) => {
		const found = outcomes.find((outcome) => outcome.column === column);
		return found ?? new ColumnOutcome(column);
	});
	const cellsOf = (row: Row): string[] => byColumn.map(({ cells }) => cells.get(row) ?? didNotWork);
	return {
		columns: inOrder.map(titleOf),
		groups: [
			...groups.map(({ title, source, rows }) => ({
				title,
				source,
				rows: rows.map((row) => ({ name: row.name, cells: cellsOf(row) })),
			})),
			{
				title: 'Events, and who published them',
				source: 'transport.md 15',
				rows: [...events, ...Object.keys(unseen)].map((event) => ({
					name: event,
					cells: byColumn.map((outcome) => publishersIn(outcome, event)),
				})),
			},
		],
	};
}

function publishersIn(outcome: ColumnOutcome, event: string): string {
	const publishers = outcome.publishersOf(event);
	return publishers === neither ? (unseen[event] ?? neither) : publishers;
}
