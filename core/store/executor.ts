/** Runs compiled statements inside one transaction; each backend has its own. */
export interface SqlExecutor {
	query<Row>(sql: string, parameters: readonly SqlValue[]): Promise<Row[]>;
	/** Answers how many rows were changed. */
	change(sql: string, parameters: readonly SqlValue[]): Promise<number>;
	/** Another number after each commit; undefined where that costs as much as reading, or is not known. */
	dataVersion?(): number | undefined;
}

export type SqlValue = string | number | null;
