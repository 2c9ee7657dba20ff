import type { z } from 'zod';
import type { ColumnDeclaration, ValuesDeclaration } from './columns';

export interface CollectionDeclaration<Stored extends { id: string }, Field extends string> {
	readonly table: string;
	readonly record: z.ZodType<Stored>;
	/** schema of the secrets; absent when the collection has none */
	readonly secrets?: z.ZodType;
	/**
	 * True if no other party can supply a lost row again, so that it must reach the disk before the
	 * commit is reported.
	 */
	readonly irreplaceable?: boolean;
	/** True if decrypted secrets are cached in memory, because every message needs them. */
	readonly cachesDecryptedSecrets?: boolean;
	/** True if its records are shown to callers without the key, and so are never sealed. */
	readonly isReadWithoutKey?: boolean;
	readonly indexes?: Indexes<Field>;
	readonly columns: {
		readonly [Name in Field]: ColumnDeclaration<Stored> | ValuesDeclaration<Stored>;
	};
}

/**
 * Column or values of any collection, for code that has matched the record with its declaration.
 */
export type AnyColumn = ColumnDeclaration<object> | ValuesDeclaration<object>;
export interface AnyCollection {
	readonly table: string;
	readonly record: z.ZodType<{ id: string }>;
	readonly secrets?: z.ZodType;
	readonly irreplaceable?: boolean;
	readonly cachesDecryptedSecrets?: boolean;
	readonly isReadWithoutKey?: boolean;
	readonly indexes?: Indexes<string>;
	readonly columns: { readonly [field: string]: AnyColumn };
}

/** Columns of a collection, or fields with several values, by name. */
export type Columns<Stored> = Readonly<
	Record<string, ColumnDeclaration<Stored> | ValuesDeclaration<Stored>>
>;

/** Declares a collection of records; its fields are the names of its columns. */
export function declare<Stored extends { id: string }, Declared extends Columns<Stored>>(
	record: z.ZodType<Stored>,
	declaration: Omit<
		CollectionDeclaration<Stored, NoInfer<keyof Declared & string>>,
		'record' | 'columns'
	> & { readonly columns: Declared },
): CollectionDeclaration<Stored, keyof Declared & string> {
	return { ...declaration, record };
}

/** Indexes of a table; each costs one more written page per row. */
export interface Indexes<Field extends string> {
	/** indexes that lists are read from in order */
	readonly all?: ReadonlyArray<IndexOfAll<Field>>;
	/** fields with an index of their own that holds only the rows with a value */
	readonly sparse?: readonly Field[];
	/** the same, and it refuses a second row with the same value */
	readonly unique?: readonly Field[];
}

interface IndexOfAll<Field extends string> {
	readonly fields: readonly Field[];
	/**
	 * Of ten thousand rows, the number with one value of the first field, of the first two, and so
	 * on. SQLite plans with these numbers for any content of an account; PostgreSQL counts by itself.
	 */
	readonly rows?: readonly number[];
	/** field that the rows of the index lack; absent: the index has all rows */
	readonly without?: Field;
}
