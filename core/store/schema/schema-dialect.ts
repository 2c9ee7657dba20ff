import { sql, type RawBuilder } from '../kysely';

/** Differences between the tables of the backends. */
export interface SchemaDialect {
	/** type of the key that numbers rows in order of insertion */
	readonly ordinal: 'integer' | 'bigserial';
	/** type of texts, which are compared and ordered byte by byte in any language of the database */
	readonly text: 'text' | RawBuilder<unknown>;
	/**
	 * type that holds any JavaScript number, so that a comparison with any other number never fails
	 */
	readonly number: 'integer' | 'double precision';
	/**
	 * Type of numeric primary keys: SQLite keeps a second tree for a primary key that is not spelled
	 * `integer`.
	 */
	readonly bigKey: 'integer' | 'bigint';
	/** suffix of a table whose rows are found only by their primary key */
	readonly keyedTable: 'without rowid' | '';
	/** true if every index also has the order of insertion */
	readonly indexesHoldOrder: boolean;
	/** true if the planner uses only stored index statistics; other databases gather their own */
	readonly needsIndexStatistics: boolean;
}

export const sqliteSchema: SchemaDialect = {
	ordinal: 'integer',
	text: 'text',
	number: 'integer',
	bigKey: 'integer',
	keyedTable: 'without rowid',
	indexesHoldOrder: true,
	needsIndexStatistics: true,
};

export const postgresSchema: SchemaDialect = {
	ordinal: 'bigserial',
	text: sql`text collate "C"`,
	number: 'double precision',
	bigKey: 'bigint',
	keyedTable: '',
	indexesHoldOrder: false,
	needsIndexStatistics: false,
};
