import type { AnyCollection, AnyColumn } from './collection-declaration';
import { columnName, isValues } from './collections';
import { text, type ColumnType } from './columns';
import type { SqlValue } from '../sql/executor';
import type { ColumnPlace, Sealer } from '../sql/sealer';
import type { ColumnValue } from '../store';
import { storeErrors } from '../store-errors';
import { comparedText, indexedText } from './stored-text';

/** Kind of a column; texts in an index have an encoding of their own. */
export type ColumnKind = ColumnType | 'indexed text';

/** Every table has the id of its records, which no collection declares. */
const idColumn = text<object>((record) => ('id' in record ? String(record.id) : undefined));

/** @throws TypeError for a field that the collection does not declare */
export function columnOf(collection: AnyCollection, field: string): AnyColumn {
	const column = Object.hasOwn(collection.columns, field) ? collection.columns[field] : undefined;
	if (column !== undefined) return column;
	if (field === 'id') return idColumn;
	throw unknownField(field);
}

function unknownField(field: string): Error {
	return storeErrors.create('invalidList', {
		message: `The list has no field '${String(field).slice(0, 100)}'.`,
		facts: { field: 'where' },
	});
}

/** Encodes the values of one field as the account stores them. */
export class FieldEncoder {
	readonly kind: ColumnKind;

	/** true if the column can only show whether texts are equal */
	readonly isHashed: boolean;

	/** true if the column itself is in an index */
	readonly isIndexed: boolean;

	private readonly isSealed: boolean;

	private readonly place: ColumnPlace;

	private readonly toStored: (text: string) => string;

	constructor(
		collection: AnyCollection,
		field: string,
		column: AnyColumn,
		private readonly sealer: Sealer,
	) {
		this.isIndexed = isIndexed(collection, field);
		this.kind = kindOf(column, this.isIndexed);
		this.isSealed = column.sealed === true;
		this.isHashed = this.isSealed && sealer.sealsContents;
		this.place = { table: collection.table, column: columnName(field) };
		this.toStored = this.kind === 'indexed text' ? indexedText : comparedText;
	}

	encode(value: ColumnValue | undefined): SqlValue {
		switch (typeof value) {
			case 'undefined':
				return null;
			case 'boolean':
				return Number(value);
			case 'string':
				return this.toStored(this.hidden(value));
			default:
				return value;
		}
	}

	/** Encodes a part of a text to search for. */
	encodePart(part: string): string {
		return comparedText(this.hidden(part));
	}

	private hidden(text: string): string {
		return this.isSealed ? this.sealer.toColumn(text, this.place) : text;
	}
}

/** True if the column itself is in an index, which limits the length of its texts. */
function isIndexed({ indexes = {} }: AnyCollection, field: string): boolean {
	const { all = [], sparse = [], unique = [] } = indexes;
	return (
		sparse.includes(field) ||
		unique.includes(field) ||
		all.some(({ fields }) => fields.includes(field))
	);
}

/** Determines the kind of a column. Side tables are indexed as a whole. */
function kindOf(column: AnyColumn, isInIndex: boolean): ColumnKind {
	if (isValues(column)) return 'indexed text';
	return column.type === 'text' && isInIndex ? 'indexed text' : column.type;
}

/** Encoders for the fields of one collection. */
export class ColumnEncoder {
	private readonly encoders: ReadonlyMap<string, FieldEncoder>;

	constructor(
		readonly collection: AnyCollection,
		sealer: Sealer,
	) {
		this.encoders = new Map(
			Object.entries({ id: idColumn, ...collection.columns }).map(([field, column]) => [
				field,
				new FieldEncoder(collection, field, column, sealer),
			]),
		);
	}

	/** @throws TypeError for a field that the collection does not declare */
	of(field: string): FieldEncoder {
		const encoder = this.encoders.get(field);
		if (encoder !== undefined) return encoder;
		throw unknownField(field);
	}
}
