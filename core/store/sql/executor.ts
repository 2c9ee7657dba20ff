/** Runs compiled statements inside one transaction; each backend has its own implementation. */
export interface SqlExecutor {
	query<Row>(sql: string, parameters: readonly SqlValue[]): Promise<Row[]>;
	/** Returns the number of changed rows. */
	change(sql: string, parameters: readonly SqlValue[]): Promise<number>;
	/**
	 * Returns a number that differs after each commit of any process; undefined where the backend has
	 * none.
	 */
	dataVersion?(): number | undefined;
}

export type SqlValue = string | number | null;
