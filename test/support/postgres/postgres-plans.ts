import { Client } from 'pg';
import { systemRandom } from '../../../core/base/random';
import { StoreKey } from '../../../core/crypto/sealing';
import { CollectionStatements } from '../../../core/store/collections/collection-statements';
import { ListStatements } from '../../../core/store/collections/lists/list-statements';
import { collections, type CollectionName } from '../../../core/store/collections/collections';
import { ColumnEncoder } from '../../../core/store/collections/column-values';
import type { SqlExecutor } from '../../../core/store/sql/executor';
import type { AccountConfig } from '../../../core/store/open-store';
import { queryBuilder } from '../../../core/store/postgres/postgres-dialect';
import { quoted, schemaOf } from '../../../core/store/postgres/postgres-settings';
import { Sealer } from '../../../core/store/sql/sealer';
import { CompiledStatementCache } from '../../../core/store/sql/compiled-statement-cache';
import type { Query } from '../../../core/store/store';
import type { PostgresConfig } from './postgres';

/** A step of a plan, in the words of PostgreSQL. */
export interface PlanNode {
	readonly 'Node Type': string;
	readonly 'Relation Name'?: string;
	readonly 'Index Name'?: string;
	readonly 'Index Cond'?: string;
	/** only of a statement that was run */
	readonly 'Actual Rows'?: number;
	readonly 'Actual Loops'?: number;
	readonly 'Rows Removed by Filter'?: number;
	readonly 'Rows Removed by Join Filter'?: number;
	readonly Plans?: readonly PlanNode[];
}

/** Tells how PostgreSQL goes about the lists of an account. */
export class PostgresPlans {
	private readonly book = new CompiledStatementCache(queryBuilder(), false);

	private constructor(private readonly client: Client) {}

	/** Of what is stored by then: the rows are counted now, or were counted before. */
	static async open(
		{ account, store }: AccountConfig,
		statistics: 'now' | 'before' = 'now',
	): Promise<PostgresPlans> {
		const config = store as PostgresConfig;
		const { host, port, database, user, password } = config;
		const client = new Client({ host, port, database, user, password });
		await client.connect();
		await client.query(`set search_path to ${quoted(schemaOf(config, account))}`);
		if (statistics === 'now') await client.query('analyze');
		return new PostgresPlans(client);
	}

	/** The steps of a list, from the outside to the inside; none when nothing is asked. */
	async ofList(name: CollectionName, query: Query<string>): Promise<PlanNode[]> {
		return await this.explained('explain (format json)', (executor) =>
			this.lists(name).list(executor, query),
		);
	}

	/** The same of counting them, where no order makes the primary key as good as any index. */
	async ofCount(name: CollectionName, query: Query<string>): Promise<PlanNode[]> {
		return await this.explained('explain (format json)', (executor) =>
			new CollectionStatements(this.encoder(name), this.book).count(executor, query),
		);
	}

	/** The same of a list that was run, with the rows that each step has given. */
	async ofListThatRan(name: CollectionName, query: Query<string>): Promise<PlanNode[]> {
		return await this.explained('explain (analyze, format json)', (executor) =>
			this.lists(name).list(executor, query),
		);
	}

	/** Whether it may read a table from end to end where it takes that for cheaper than an index. */
	async setSequentialScans(to: 'on' | 'off'): Promise<void> {
		await this.client.query(`set enable_seqscan to ${to}`);
	}

	async close(): Promise<void> {
		await this.client.end();
	}

	private lists(name: CollectionName): ListStatements {
		return new ListStatements(this.encoder(name), this.book);
	}

	private encoder(name: CollectionName): ColumnEncoder {
		const sealer = new Sealer(new StoreKey(new Uint8Array(32)), systemRandom, false);
		return new ColumnEncoder(collections[name], sealer);
	}

	private async explained(
		how: string,
		work: (executor: SqlExecutor) => Promise<unknown>,
	): Promise<PlanNode[]> {
		const roots: PlanNode[] = [];
		const executor = {
			query: async <Row>(sql: string, parameters: readonly unknown[]): Promise<Row[]> => {
				const { rows } = await this.client.query<{ 'QUERY PLAN': Array<{ Plan: PlanNode }> }>(
					`${how} ${sql}`,
					[...parameters],
				);
				roots.push(...rows.flatMap((row) => row['QUERY PLAN'].map(({ Plan }) => Plan)));
				// The answer to one statement may decide about the next.
				return (await this.client.query(sql, [...parameters])).rows as Row[];
			},
			change: () => Promise.reject(new TypeError('Lists change nothing')),
		};
		await work(executor);
		return roots.flatMap(stepsOf);
	}
}

/** Rows that a statement looked at, as often as it looked at them. */
export function rowsVisited(steps: readonly PlanNode[]): number {
	return steps.reduce((sum, step) => {
		const rows =
			(step['Actual Rows'] ?? 0) +
			(step['Rows Removed by Filter'] ?? 0) +
			(step['Rows Removed by Join Filter'] ?? 0);
		return sum + rows * (step['Actual Loops'] ?? 1);
	}, 0);
}

function stepsOf(node: PlanNode): PlanNode[] {
	return [node, ...(node.Plans ?? []).flatMap(stepsOf)];
}
