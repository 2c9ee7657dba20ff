import { ownText, type JsonObject } from '../../model/json';

/** Value of a field; times are ISO texts. */
export type ColumnValue = string | number | boolean;

export type ColumnType = 'text' | 'integer' | 'boolean';

/** Column for filtering and ordering; its value is taken from the record. */
export interface ColumnDeclaration<Record> {
	readonly type: ColumnType;
	from(record: Record): ColumnValue | undefined;
	/** true for texts about persons or written by them (docs/adr/0005) */
	readonly sealed?: true;
}

/**
 * Field with any number of values per record. The side table of the collection holds the values of
 * all such fields, so that a new one needs no step of the schema. Lists cannot be ordered by it.
 */
export interface ValuesDeclaration<Record> {
	values(record: Record): readonly string[];
	readonly sealed?: true;
}

export const text = <Record>(
	from: (record: Record) => string | undefined,
): ColumnDeclaration<Record> => ({
	type: 'text',
	from,
});

/** Text about persons or written by them; lists cannot be ordered by it. */
export const sealedText = <Record>(
	from: (record: Record) => string | undefined,
): ColumnDeclaration<Record> => ({ type: 'text', from, sealed: true });

export const sealedValues = <Record>(
	values: (record: Record) => readonly string[],
): ValuesDeclaration<Record> => ({ values, sealed: true });

export const integer = <Record>(
	from: (record: Record) => number | undefined,
): ColumnDeclaration<Record> => ({ type: 'integer', from });

export const flag = <Record>(
	from: (record: Record) => boolean | undefined,
): ColumnDeclaration<Record> => ({ type: 'boolean', from });

/**
 * Returns a text member of content that a peer or a user wrote; any other value counts as absent.
 */
export function member(content: JsonObject, name: string): string | undefined {
	return ownText(content, name);
}
