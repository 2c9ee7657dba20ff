/** Runs compiled statements inside one transaction; each backend has its own. */
export interface SqlExecutor {
	query<Row>(sql: string, parameters: readonly SqlValue[]): Promise<Row[]>;
	/** Answers how many rows were changed. */
	change(sql: string, parameters: readonly SqlValue[]): Promise<number>;
	/** Another number after each commit of whomever; undefined where the backend cannot tell. */
	dataVersion?(): number | undefined;
}

export type SqlValue = string | number | null;
