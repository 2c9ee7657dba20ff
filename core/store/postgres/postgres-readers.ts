import type { Cancellable } from '../../base/abort';
import type { SqlWork } from '../sql-store';
import { WaitingLine } from '../waiting-line';
import type { PostgresConnection } from './postgres-connection';
import { isConnectionLost } from './postgres-failures';
import { TransactionExecutor } from './transaction-executor';

/** Several processes and other programs share the server's connections. */
const mostReaders = 2;
const keptIdleMs = 30_000;
/** a connection that answered just now is taken to be alive */
const freshMs = 1_000;
const begin = 'begin isolation level repeatable read read only';

interface IdleReader {
	readonly connection: PostgresConnection;
	readonly since: number;
	readonly timer: NodeJS.Timeout;
}

/** Snapshots on a few connections that are opened when needed. */
export class PostgresReaders {
	private readonly line = new WaitingLine(mostReaders);

	private readonly idle: IdleReader[] = [];

	constructor(private readonly open: () => Promise<PostgresConnection>) {}

	async run<Result>(work: SqlWork<Result>, options: Cancellable = {}): Promise<Result> {
		await this.line.enter(options);
		try {
			const connection = await this.begun();
			try {
				return await this.read(connection, work);
			} finally {
				void this.giveBack(connection);
			}
		} finally {
			this.line.leave();
		}
	}

	/** Waits for what is under way. */
	async close(): Promise<void> {
		for (let place = 0; place < mostReaders; place++) await this.line.enter();
		const idle = this.idle.splice(0);
		for (const { timer } of idle) clearTimeout(timer);
		await Promise.all(idle.map(({ connection }) => connection.close()));
		for (let place = 0; place < mostReaders; place++) this.line.leave();
	}

	/** A connection whose snapshot has been asked for. The begin changes nothing, so it may be repeated. */
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

	/** The reader does not wait for the end of its transaction: it has seen everything. */
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
			const index = this.idle.findIndex((reader) => reader.connection === connection);
			if (index >= 0) this.idle.splice(index, 1);
			connection.close().catch(() => undefined);
		}, keptIdleMs);
		timer.unref();
		this.idle.push({ connection, since: performance.now(), timer });
	}
}

/** Goes out together with what is asked first; when it fails, so does that. */
function beginWithFirstStatement(connection: PostgresConnection): void {
	connection.run(begin).catch(() => connection.abandon());
}
