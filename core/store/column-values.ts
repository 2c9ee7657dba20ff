import { isValues, type AnyColumn } from './collections';
import type { ColumnType } from './columns';
import type { SqlValue } from './executor';
import { isIndexed } from './indexes';
import type { ColumnValue } from './store';
import { comparedText, indexedText } from './stored-text';

/** What stands in a column: texts of an index are written in a way of their own. */
export type ColumnKind = ColumnType | 'indexed text';

/** Side tables stand in an index as a whole. */
export function kindOf(table: string, field: string, column: AnyColumn): ColumnKind {
	if (isValues(column)) return 'indexed text';
	return column.type === 'text' && isIndexed(table, field) ? 'indexed text' : column.type;
}

export function toSql(value: ColumnValue | undefined, kind: ColumnKind): SqlValue {
	switch (typeof value) {
		case 'undefined':
			return null;
		case 'boolean':
			return Number(value);
		case 'string':
			return kind === 'indexed text' ? indexedText(value) : comparedText(value);
		default:
			return value;
	}
}
