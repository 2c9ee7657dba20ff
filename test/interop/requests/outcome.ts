import { didNotWork, works, type Matrix } from '../../../scripts/docs/interoperability';
import { names } from '../matrix/columns';
import { itemRows, type Channel, type ItemRow } from './item-rows';
import type { Kind } from './side';

/** Who asks whom. */
export interface Column {
	readonly sender: Kind;
	readonly recipient: Kind;
}

export type Outcome = 'accepted' | 'accepted without the optional items' | 'rejected';

/** One way to play a cell. */
export interface Variant {
	readonly channel: Channel;
	readonly outcome: Outcome | 'not sent';
}

const outcomes: readonly Outcome[] = [
	'accepted',
	'accepted without the optional items',
	'rejected',
];

export const columnsWith = (generation: 6 | 7): readonly Column[] => [
	{ sender: 'ours', recipient: generation },
	{ sender: generation, recipient: 'ours' },
];

export const titleOf = ({ sender, recipient }: Column): string =>
	sender === 'ours' ? `we ask ${names[recipient]}` : `${names[sender]} asks us`;

const isUnknownTo = ({ sender, recipient }: Column, { onlyIn6 }: ItemRow): boolean =>
	onlyIn6 !== undefined && (sender === 7 || recipient === 7);

/** All that a cell stands for. */
export function variantsOf(column: Column, row: ItemRow): readonly Variant[] {
	if (isUnknownTo(column, row)) return [{ channel: 'message', outcome: 'not sent' }];
	const channels: readonly Channel[] =
		row.notInTemplates === undefined ? ['message', 'template'] : ['message'];
	return channels.flatMap((channel) => outcomes.map((outcome) => ({ channel, outcome })));
}

/** Why the variants of a cell are not the ones of the others, or end otherwise. */
function excuseFor(column: Column, row: ItemRow): string | undefined {
	if (isUnknownTo(column, row)) return `version 7 ${row.onlyIn6}, and neither side sends it`;
	if (row.notInTemplates !== undefined) return `by message only: ${row.notInTemplates}`;
	const deafness = row.unheardBy?.[column.sender];
	if (deafness === undefined) return undefined;
	return `works, but the creator of a template ignores the acceptance: ${deafness}`;
}

/** What a run saw: the variants that were played to their end. */
export class RequestOutcomes {
	readonly #seen = new Set<string>();

	add(column: Column, row: ItemRow, variant: Variant): void {
		this.#seen.add(keyOf(column, row, variant));
	}

	matrix(): Matrix {
		const columns = ([6, 7] as const).flatMap(columnsWith);
		const cell = (column: Column, row: ItemRow): string => {
			const isComplete = variantsOf(column, row).every((variant) =>
				this.#seen.has(keyOf(column, row, variant)),
			);
			return isComplete ? (excuseFor(column, row) ?? works) : didNotWork;
		};
		const rows = itemRows.map((row) => ({
			name: nameOf(row),
			cells: columns.map((column) => cell(column, row)),
		}));
		return {
			columns: columns.map(titleOf),
			groups: [{ title: 'Items of requests', source: 'content.md 5.3', rows }],
		};
	}
}

export const nameOf = ({ type, variety }: ItemRow): string =>
	variety === undefined ? type : `${type} ${variety}`;

const keyOf = (column: Column, row: ItemRow, { channel, outcome }: Variant): string =>
	[titleOf(column), nameOf(row), channel, outcome].join(', ');
