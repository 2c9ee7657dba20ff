import type { Cancellable } from '../../base/abort';
import type { SqlWork } from '../sql/sql-store';
import { Semaphore } from '../../base/semaphore';
import type { PostgresConnection } from './postgres-connection';
import { isConnectionLost } from './postgres-failures';
import { TransactionExecutor } from './transaction-executor';

/**
 * Limit of reading connections, because several processes and other programs share the
 * connections of the server.
 */
const mostReaders = 2;
const keptIdleMs = 30_000;
/** time after its last answer in which a connection is assumed to be alive */
const freshMs = 1_000;
const begin = 'begin isolation level repeatable read read only';

interface IdleReader {
	readonly connection: PostgresConnection;
	readonly since: number;
	readonly timer: NodeJS.Timeout;
}

/** Snapshots on a few connections that are opened on demand. */
export class PostgresReaders {
	private readonly permits = new Semaphore(mostReaders);

	private readonly idle: IdleReader[] = [];

	constructor(private readonly open: () => Promise<PostgresConnection>) {}

	async run<Result>(work: SqlWork<Result>, options: Cancellable = {}): Promise<Result> {
		await this.permits.acquire(options);
		try {
			const connection = await this.begun();
			try {
				return await this.read(connection, work);
			} finally {
				void this.giveBack(connection);
			}
		} finally {
			this.permits.release();
		}
	}

	/** Closes the connections after pending reads have ended. */
	async close(): Promise<void> {
		for (let place = 0; place < mostReaders; place++) await this.permits.acquire();
		const idle = this.idle.splice(0);
		for (const { timer } of idle) clearTimeout(timer);
		await Promise.all(idle.map(({ connection }) => connection.close()));
		for (let place = 0; place < mostReaders; place++) this.permits.release();
	}

	/**
	 * Returns a connection on which the snapshot transaction was begun. Beginning changes nothing, so
	 * it may be repeated on another connection.
	 */
	private async begun(): Promise<PostgresConnection> {
		for (;;) {
			const reader = this.idle.pop();
			if (reader === undefined) {
				const connection = await this.open();
				beginWithFirstStatement(connection);
				return connection;
			}
			clearTimeout(reader.timer);
			const { connection, since } = reader;
			if (!connection.isOpen) continue;
			if (performance.now() - since < freshMs) {
				beginWithFirstStatement(connection);
				return connection;
			}
			try {
				await connection.run(begin);
				return connection;
			} catch (error) {
				connection.abandon();
				if (!isConnectionLost(error)) throw error;
			}
		}
	}

	private async read<Result>(
		connection: PostgresConnection,
		work: SqlWork<Result>,
	): Promise<Result> {
		const executor = new TransactionExecutor(connection);
		try {
			return await work(executor);
		} finally {
			executor.end();
		}
	}

	/** Ends the transaction. The caller does not wait for this, because its reads are complete. */
	private async giveBack(connection: PostgresConnection): Promise<void> {
		try {
			const ended = connection.run('rollback');
			this.keep(connection);
			await ended;
		} catch {
			connection.abandon();
		}
	}

	private keep(connection: PostgresConnection): void {
		if (!connection.isOpen) return;
		const timer = setTimeout(() => {
			// The first one has been idle for the longest time.
			this.idle.shift();
			connection.close().catch(() => undefined);
		}, keptIdleMs);
		timer.unref();
		this.idle.push({ connection, since: performance.now(), timer });
	}
}

/**
 * Sends the begin together with the first statement; when the begin fails, the statement fails too.
 */
function beginWithFirstStatement(connection: PostgresConnection): void {
	connection.run(begin).catch(() => connection.abandon());
}
