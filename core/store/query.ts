import type { ColumnValue } from './collections/columns';

/** Condition on a field of the listed records, or several of which one group has to hold. */
export type Condition<Field extends string> =
	| FieldCondition<Field>
	/** holds when all conditions of at least one group hold */
	| {
			/** alternative of several groups */
			readonly op: 'anyOf';
			/** groups of conditions */
			readonly groups: ReadonlyArray<ReadonlyArray<Condition<Field>>>;
	  };

/** Comparison of one field of a record with a value. */
export type FieldCondition<Field extends string> =
	| {
			/** compared field */
			readonly field: Field;
			/** equal, not equal, less, at most, greater, at least */
			readonly op: 'eq' | 'ne' | 'lt' | 'lte' | 'gt' | 'gte';
			/** value to compare with; times are ISO texts */
			readonly value: ColumnValue;
	  }
	| {
			/** compared field */
			readonly field: Field;
			/** whether the field has one of the values, or none */
			readonly op: 'in' | 'notIn';
			/** values to compare with */
			readonly value: readonly ColumnValue[];
	  }
	| {
			/** searched field */
			readonly field: Field;
			/** case-insensitive text search */
			readonly op: 'contains' | 'startsWith' | 'endsWith';
			/** literal text */
			readonly value: string;
	  }
	| {
			/** field that is looked for */
			readonly field: Field;
			/** whether the record has the field */
			readonly op: 'exists' | 'missing';
	  };

/** Which records a list returns, and in which order. */
export interface Query<Field extends string> {
	/** conditions that all have to hold; absent: all records */
	readonly where?: ReadonlyArray<Condition<Field>>;
	/**
	 * Order of the list. The default `inserted` is the order of insertion; for a list that `where`
	 * limits by `createdAt`, or by a value of a field with several values, it is the order of
	 * creation.
	 */
	readonly orderBy?: {
		/** field by whose values the list is ordered */
		readonly field: Field | 'inserted';
		/** ascending or descending */
		readonly direction: 'asc' | 'desc';
	};
	/** greatest number of records; absent: no limit */
	readonly limit?: number;
	/** number of records that are left out; their number adds to the cost, unlike `after` */
	readonly offset?: number;
	/** id of the record after which the list continues, normally the last one of the page before */
	readonly after?: string;
}
