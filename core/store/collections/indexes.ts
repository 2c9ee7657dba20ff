import { collections } from './collections';
import type { AnyCollection } from './collection-declaration';

/** Fields of the indexes of a table. */
export interface IndexedFields {
	/** fields of each index of all rows */
	readonly full: ReadonlyArray<readonly string[]>;
	/** fields with an index of their own that holds only the rows with a value */
	readonly sparse: readonly string[];
	/** fields with an index of the beginnings of their texts */
	readonly prefix: readonly string[];
}

/** Number of characters in an index of beginnings. */
export const indexedPrefix = 64;

const byTable = new Map(
	Object.values<AnyCollection>(collections).map(({ table, indexes }): [string, IndexedFields] => {
		const { all = [], sparse = [], unique = [], prefix = [] } = indexes ?? {};
		const full = all.map(({ fields }) => fields);
		return [table, { full, sparse: [...sparse, ...unique], prefix }];
	}),
);

export function indexesOf(table: string): IndexedFields {
	return byTable.get(table) ?? { full: [], sparse: [], prefix: [] };
}

/** True if the column itself is in an index, which limits the length of its texts. */
export function isIndexed(table: string, field: string): boolean {
	const { full, sparse } = indexesOf(table);
	return sparse.includes(field) || full.some((fields) => fields.includes(field));
}
