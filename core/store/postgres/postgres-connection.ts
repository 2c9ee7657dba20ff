import type { CompiledQuery, DatabaseConnection, QueryResult } from '../kysely';
import type { Client, QueryConfig, QueryResult as Answer } from 'pg';
import type { SqlExecutor, SqlValue } from '../sql/executor';
import { asStoreError } from './postgres-failures';
import { clientConfig, closeMs, setUpStatement, type PostgresConfig } from './postgres-settings';
import { toText } from '../collections/stored-text';

const mostNamed = 300;

declare module 'pg' {
	/** Members of the driver that its types omit. */
	interface Client {
		ref(): void;
		unref(): void;
	}
}

/**
 * One connection. Statements are sent at once and in order, without waiting for the previous
 * answer; statements that repeat are prepared. An idle connection does not keep the process alive.
 */
export class PostgresConnection implements DatabaseConnection, SqlExecutor {
	/**
	 * names of prepared statements by their text; undefined until a text occurs for the second time
	 */
	private readonly names = new Map<string, string | undefined>();

	private named = 0;

	private pending = 0;

	private isGathering = false;

	private hasEnded = false;

	private constructor(private readonly client: Client) {}

	/** @throws the codes `error.gateway.store.postgres*` */
	static async open(
		config: PostgresConfig,
		schema: string,
		onNotification: (payload: string) => void = () => undefined,
	): Promise<PostgresConnection> {
		// The driver has a bundle of its own, so that it is never loaded for accounts in SQLite.
		const driver = await import('./postgres-driver');
		const client = new driver.Client(clientConfig(config));
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
		return (await this.send(this.prepared(sql, parameters))).rows;
	}

	async change(sql: string, parameters: readonly SqlValue[]): Promise<number> {
		return (await this.send(this.prepared(sql, parameters))).rowCount ?? 0;
	}

	/** Runs several statements in one round trip and returns the result of the last one. */
	async run<Row>(sql: string): Promise<{ readonly command: string; readonly rows: Row[] }> {
		const answer: Answer | Answer[] = await this.send({ text: sql });
		const last = Array.isArray(answer) ? answer.at(-1) : answer;
		return { command: last?.command ?? '', rows: last?.rows ?? [] };
	}

	/** Runs a statement that changes the tables. */
	async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
		const answer = await this.send({ text: query.sql, values: [...query.parameters] });
		return { rows: answer.rows, numAffectedRows: BigInt(answer.rowCount ?? 0) };
	}

	// eslint-disable-next-line require-yield -- part of the interface, never called
	async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
		throw new TypeError('The store does not stream queries');
	}

	/** Closes the connection after pending answers have arrived, and after 5 seconds in any case. */
	async close(): Promise<void> {
		if (this.hasEnded) return;
		this.pending++;
		// A reference to the socket keeps the process alive until callers of `close` see its end.
		this.client.ref();
		const timer = setTimeout(() => this.abandon(), closeMs);
		try {
			await this.client.end();
		} finally {
			clearTimeout(timer);
		}
	}

	/**
	 * Ends a connection in an unknown state immediately. The server rolls back its open transaction.
	 */
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

	/** Sends the statements of one turn of the event loop in one packet. */
	private gather(): void {
		if (this.isGathering) return;
		this.isGathering = true;
		const { stream } = this.client.connection;
		stream.cork();
		process.nextTick(() => {
			this.isGathering = false;
			stream.uncork();
		});
	}

	private async send(query: QueryConfig): Promise<Answer> {
		if (this.pending++ === 0) this.client.ref();
		this.gather();
		try {
			return await this.client.query(query);
		} catch (error) {
			throw asStoreError(error);
		} finally {
			if (--this.pending === 0) this.client.unref();
		}
	}
}
