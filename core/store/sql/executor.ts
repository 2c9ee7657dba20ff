/** Runs compiled statements inside one transaction; each backend has its own implementation. */
export interface SqlExecutor {
	query<Row>(sql: string, parameters: readonly SqlValue[]): Promise<Row[]>;
	/** Returns the number of changed rows. */
	change(sql: string, parameters: readonly SqlValue[]): Promise<number>;
	/**
	 * Sends a change without waiting for its answer. Later statements see the change; when it fails,
	 * they and the commit fail with its error. Absent in reading transactions, and where answers come
	 * at once.
	 */
	later?(sql: string, parameters: readonly SqlValue[]): Promise<void>;
	/** Waits for the answers to changes that were sent with `later`; throws the first error. */
	settle?(): Promise<void>;
	/** Notes that the transaction was rolled back to a savepoint, and with it all failed changes. */
	onUndone?(): void;
	/** Waits for the turn to number events; absent where writers run one after the other anyway. */
	beforeEvent?(): Promise<void>;
}

/** Effects of a transaction that matter after its commit. */
export interface TransactionEffects {
	appendedEvents: boolean;
	/** true if the commit must reach the disk before it is reported */
	irreplaceable: boolean;
	/** callbacks within this process, run after the commit has been reported */
	readonly afterCommit: Array<() => void>;
}

export type SqlValue = string | number | null;

/** Parameter of a statement of the query builder, which does not keep its type. */
export function sqlValue(parameter: unknown): SqlValue {
	// eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- statements are built with these types only
	return parameter as SqlValue;
}
