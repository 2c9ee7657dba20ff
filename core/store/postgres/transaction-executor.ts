import type { SqlExecutor, SqlValue } from '../sql/executor';
import type { PostgresConnection } from './postgres-connection';

/** Refuses statements after the end of the transaction: they would run outside any transaction. */
export class TransactionExecutor implements SqlExecutor {
	private hasEnded = false;

	constructor(private readonly connection: PostgresConnection) {}

	end(): void {
		this.hasEnded = true;
	}

	query<Row>(sql: string, parameters: readonly SqlValue[]): Promise<Row[]> {
		return this.refusal() ?? this.connection.query<Row>(sql, parameters);
	}

	change(sql: string, parameters: readonly SqlValue[]): Promise<number> {
		return this.refusal() ?? this.connection.change(sql, parameters);
	}

	private refusal(): Promise<never> | undefined {
		if (!this.hasEnded) return undefined;
		return Promise.reject(new TypeError('The transaction has ended'));
	}
}
