import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import type { Client, QueryConfig, QueryResult as Answer } from 'pg';
import type { SqlExecutor, SqlValue } from '../executor';
import { asStoreError } from './postgres-failures';
import { clientConfig, setUpStatement, type PostgresConfig } from './postgres-settings';
import { toText } from '../stored-text';

const mostNamed = 300;

/** What the driver has and its types do not tell. */
type DriverClient = Client & {
	ref(): void;
	unref(): void;
	readonly connection: { readonly stream: { destroy(): void } };
};

/**
 * One connection. Statements go out at once, in order, without waiting for the answer to the one
 * before; those that come a second time are prepared. An idle connection keeps no process alive.
 */
export class PostgresConnection implements DatabaseConnection, SqlExecutor {
	/** by text; a name once it was seen before */
	private readonly names = new Map<string, string | undefined>();

	private named = 0;

	private pending = 0;

	private hasEnded = false;

	private constructor(private readonly client: DriverClient) {}

	/** @throws the codes `error.gateway.store.postgres*` */
	static async open(
		config: PostgresConfig,
		schema: string,
		onNotification: (payload: string) => void = () => undefined,
	): Promise<PostgresConnection> {
		// A bundle of its own: whoever keeps accounts in SQLite never loads the driver.
		const driver = await import('./postgres-driver');
		const client = new driver.Client(clientConfig(config)) as DriverClient;
		const connection = new PostgresConnection(client);
		const end = (): void => {
			connection.hasEnded = true;
		};
		client.on('error', end);
		client.on('end', end);
		client.on('notification', ({ payload }) => onNotification(payload ?? ''));
		try {
			await client.connect();
			await connection.run(setUpStatement(schema));
			return connection;
		} catch (error) {
			connection.abandon();
			throw asStoreError(error);
		}
	}

	get isOpen(): boolean {
		return !this.hasEnded;
	}

	onceEnded(listener: () => void): void {
		this.client.once('end', listener);
	}

	async query<Row>(sql: string, parameters: readonly SqlValue[]): Promise<Row[]> {
		return (await this.send(this.prepared(sql, parameters))).rows as Row[];
	}

	async change(sql: string, parameters: readonly SqlValue[]): Promise<number> {
		return (await this.send(this.prepared(sql, parameters))).rowCount ?? 0;
	}

	/** Several statements in one round trip; answers what the last one did. */
	async run<Row>(sql: string): Promise<{ readonly command: string; readonly rows: Row[] }> {
		const answer = (await this.send({ text: sql })) as Answer | Answer[];
		const last = Array.isArray(answer) ? answer.at(-1) : answer;
		return { command: last?.command ?? '', rows: (last?.rows ?? []) as Row[] };
	}

	/** For the migrator. */
	async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
		const answer = await this.send({
			text: query.sql,
			values: query.parameters as SqlValue[],
		});
		return { rows: answer.rows as Row[], numAffectedRows: BigInt(answer.rowCount ?? 0) };
	}

	// eslint-disable-next-line require-yield -- part of the interface, unused by us
	async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
		throw new TypeError('The store does not stream queries');
	}

	/** Waits for the answers that are under way. */
	async close(): Promise<void> {
		if (this.hasEnded) return;
		this.pending++;
		// Whoever waits for the end of an idle connection is still to be told.
		this.client.ref();
		await this.client.end();
	}

	/** Ends it now: nobody knows any more what state it is in. The server undoes what is open. */
	abandon(): void {
		this.hasEnded = true;
		this.client.connection.stream.destroy();
	}

	private prepared(sql: string, parameters: readonly SqlValue[]): QueryConfig {
		const values = parameters.map((value) => (typeof value === 'string' ? toText(value) : value));
		const name = this.names.get(sql);
		if (name !== undefined) return { name, text: sql, values };
		if (this.names.has(sql)) this.names.set(sql, `s${++this.named}`);
		else if (this.names.size < mostNamed) this.names.set(sql, undefined);
		return { text: sql, values };
	}

	private async send(query: QueryConfig): Promise<Answer> {
		if (this.pending++ === 0) this.client.ref();
		try {
			return await this.client.query(query);
		} catch (error) {
			throw asStoreError(error);
		} finally {
			if (--this.pending === 0) this.client.unref();
		}
	}
}
