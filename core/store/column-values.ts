import { columnName, isValues, type AnyCollection, type AnyColumn } from './collections';
import type { ColumnType } from './columns';
import type { SqlValue } from './executor';
import { isIndexed } from './indexes';
import type { Sealer } from './sealer';
import type { ColumnValue } from './store';
import { comparedText, indexedText } from './stored-text';

/** What stands in a column: texts of an index are written in a way of their own. */
export type ColumnKind = ColumnType | 'indexed text';

const known = new WeakMap<AnyCollection, Map<string, ColumnKind>>();

/** @throws TypeError for a field that the collection does not declare */
export function kindOf(collection: AnyCollection, field: string): ColumnKind {
	let kinds = known.get(collection);
	if (kinds === undefined) known.set(collection, (kinds = new Map<string, ColumnKind>()));
	let kind = kinds.get(field);
	if (kind === undefined) kinds.set(field, (kind = findKind(collection, field)));
	return kind;
}

/** Side tables stand in an index as a whole. */
function findKind(collection: AnyCollection, field: string): ColumnKind {
	const column = columnOf(collection, field);
	if (isValues(column)) return 'indexed text';
	return column.type === 'text' && isIndexed(collection.table, field)
		? 'indexed text'
		: column.type;
}

/** @throws TypeError for a field that the collection does not declare */
export function columnOf(collection: AnyCollection, field: string): AnyColumn {
	const column = Object.hasOwn(collection.columns, field) ? collection.columns[field] : undefined;
	if (column !== undefined) return column;
	throw new TypeError(`The collection '${collection.table}' has no field '${field}'`);
}

/** Writes values into the columns of one collection, in the form in which one account keeps them. */
export class ColumnEncoder {
	constructor(
		readonly collection: AnyCollection,
		private readonly sealer: Sealer,
	) {}

	encode(field: string, value: ColumnValue | undefined): SqlValue {
		switch (typeof value) {
			case 'undefined':
				return null;
			case 'boolean':
				return Number(value);
			case 'string':
				return kindOf(this.collection, field) === 'indexed text'
					? indexedText(this.hidden(field, value))
					: comparedText(this.hidden(field, value));
			default:
				return value;
		}
	}

	/** Whether the column only tells if texts are equal. */
	isHashed(field: string): boolean {
		return this.sealer.sealsContents && columnOf(this.collection, field).sealed === true;
	}

	/** A part of a text to search for. */
	encodePart(field: string, part: string): string {
		return comparedText(this.hidden(field, part));
	}

	private hidden(field: string, text: string): string {
		if (columnOf(this.collection, field).sealed !== true) return text;
		const place = { table: this.collection.table, column: columnName(field) };
		return this.sealer.toColumn(text, place);
	}
}
