import type { JsonObject } from '../model/json';
import type { ColumnValue } from './store';

export type ColumnType = 'text' | 'integer' | 'boolean';

/** A column that can be filtered and ordered by; its value is taken from the record. */
export interface ColumnDeclaration<Record> {
	readonly type: ColumnType;
	readonly from: (record: Record) => ColumnValue | undefined;
	/** whether it is about persons, or written by them (docs/adr/0005) */
	readonly sealed?: true;
}

/** Several values of one record; they live in a side table. */
export interface ValuesDeclaration<Record> {
	readonly values: (record: Record) => readonly string[];
	readonly sealed?: true;
}

export const text = <Record>(
	from: (record: Record) => string | undefined,
): ColumnDeclaration<Record> => ({
	type: 'text',
	from,
});

/** A text about persons, or written by them: it has no order in lists. */
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

/** A text member of peer or user content; anything else counts as absent. */
export function member(content: JsonObject, name: string): string | undefined {
	const value = Object.hasOwn(content, name) ? content[name] : undefined;
	return typeof value === 'string' ? value : undefined;
}
