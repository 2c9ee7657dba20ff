import { sleep, waitOrAbort, type Cancellable } from '../../base/abort';
import { backOffMs, withJitter } from '../../base/back-off';
import { systemClock } from '../../base/clock';
import { SingleFlight } from '../../base/single-flight';
import type { SqlWork } from '../sql/sql-store';
import { storeErrors } from '../store-errors';
import { Semaphore } from '../../base/semaphore';
import type { PostgresConnection } from './postgres-connection';
import { asStoreError, isConnectionLost } from './postgres-failures';
import { lockKeys } from './postgres-settings';
import { TransactionExecutor } from './transaction-executor';

const outcomePatienceMs = 20_000;
const reconnectPauses = { firstMs: 100, longestMs: 30_000 };
const outcomePauses = { firstMs: 20, longestMs: 1_000 };
/** clocks that differ by less count as equal, because the answer may have been delayed */
const clockToleranceMs = 2_000;

export interface PostgresWriterOptions {
	readonly schema: string;
	readonly open: () => Promise<PostgresConnection>;
	/** called when a lost connection is restored, because notifications in between were missed */
	readonly onReconnected: () => void;
}

interface Begun {
	readonly connection: PostgresConnection;
	/** transaction id of the server, with which the outcome can be queried later */
	readonly id: string;
}

/**
 * Writers of one account, which run one after the other across all processes: each transaction
 * begins by taking the account's advisory lock. Sequence numbers therefore appear in the order of
 * the commits, a transaction that reads before it writes has read the newest state, and no two
 * transactions can cause each other's rollback.
 */
export class PostgresWriter {
	/** difference by which the server's clock is ahead of the local one */
	clockAheadMs = 0;

	private readonly turn = new Semaphore();

	private readonly opening = new SingleFlight<PostgresConnection>();

	private readonly closing = new AbortController();

	private readonly beginStatement: string;

	private connection: PostgresConnection | undefined;

	constructor(private readonly options: PostgresWriterOptions) {
		this.beginStatement =
			`begin; select pg_advisory_xact_lock(${lockKeys(options.schema).writer}); ` +
			'select pg_current_xact_id()::text as id, ' +
			'extract(epoch from clock_timestamp())::float8 * 1000 as now';
	}

	/**
	 * Runs work in a transaction.
	 *
	 * @param commit the statement that commits, known once the work has resolved
	 * @throws `error.gateway.store.busy` when another process holds the lock for 25 seconds
	 */
	async run<Result>(
		work: SqlWork<Result>,
		options: Cancellable = {},
		commit: () => string = () => 'commit',
	): Promise<Result> {
		await this.turn.acquire(options);
		const beginning = this.begin();
		try {
			await waitOrAbort(beginning, options);
		} catch (error) {
			// The caller has aborted; the rollback leaves the connection in order for the next
			// transaction.
			void beginning
				.then(({ connection }) => this.rollBack(connection))
				.catch(() => undefined)
				.finally(() => this.turn.release());
			throw error;
		}
		try {
			return await this.runBegun(await beginning, work, commit);
		} finally {
			this.turn.release();
		}
	}

	/** Closes the connection after all earlier transactions have ended. */
	async close(): Promise<void> {
		this.closing.abort();
		await this.turn.acquire();
		await this.connection?.close();
		this.turn.release();
	}

	/** @throws the codes `error.gateway.store.postgres*` */
	async connect(): Promise<PostgresConnection> {
		if (this.connection?.isOpen === true) return this.connection;
		return await this.opening.run(async () => {
			const connection = await this.options.open();
			this.connection = connection;
			connection.onceEnded(() => void this.reconnect(connection));
			return connection;
		});
	}

	/**
	 * Restores the connection in the background, so that this process receives the events of other
	 * processes again.
	 */
	private async reconnect(lost: PostgresConnection): Promise<void> {
		const { signal } = this.closing;
		for (let tries = 1; !signal.aborted; tries++) {
			const pauseMs = withJitter(backOffMs(tries, reconnectPauses), Math.random());
			try {
				await sleep(pauseMs, { signal, background: true });
				if (this.connection !== lost && this.connection?.isOpen === true) return;
				await this.connect();
				this.options.onReconnected();
				return;
			} catch {
				// Callers that need the store in the meantime get the error themselves.
			}
		}
	}

	/**
	 * Begins a transaction. The work has not started yet, so a dead connection is simply replaced.
	 */
	private async begin(): Promise<Begun> {
		const wasOpen = this.connection?.isOpen === true;
		const connection = await this.connect();
		try {
			const { rows } = await connection.run<{ id: string; now: number }>(this.beginStatement);
			const [{ id, now } = { id: '', now: 0 }] = rows;
			const aheadMs = Math.round(now - systemClock.now());
			this.clockAheadMs = Math.abs(aheadMs) < clockToleranceMs ? 0 : aheadMs;
			return { connection, id };
		} catch (error) {
			if (isConnectionLost(error)) {
				connection.abandon();
				if (wasOpen) return await this.begin();
			} else await this.rollBack(connection);
			throw error;
		}
	}

	private async runBegun<Result>(
		begun: Begun,
		work: SqlWork<Result>,
		commit: () => string,
	): Promise<Result> {
		const { connection } = begun;
		const executor = new TransactionExecutor(connection);
		let result: Result;
		try {
			result = await work(executor);
		} catch (error) {
			executor.end();
			await this.rollBack(connection);
			throw asStoreError(error);
		}
		executor.end();
		await this.commit(begun, commit());
		return result;
	}

	private async commit(begun: Begun, statement: string): Promise<void> {
		const { connection } = begun;
		try {
			const { command } = await connection.run(statement);
			if (command === 'COMMIT') return;
		} catch (error) {
			if (!isConnectionLost(error)) {
				await this.rollBack(connection);
				throw error;
			}
			connection.abandon();
			if (await this.hasCommitted(begun.id, error)) return;
			throw error;
		}
		throw new TypeError(
			'A statement failed within the transaction, and its failure was overlooked',
		);
	}

	/**
	 * Asks the server for the outcome of a commit whose answer was lost with the connection.
	 *
	 * @throws `error.gateway.store.postgresOutcomeUnknown`
	 */
	private async hasCommitted(id: string, cause: unknown): Promise<boolean> {
		const giveUpAt = performance.now() + outcomePatienceMs;
		for (let tries = 1; performance.now() < giveUpAt; tries++) {
			const status = await this.statusOf(id).catch(() => undefined);
			if (status === 'committed') return true;
			if (status === 'aborted') return false;
			await sleep(backOffMs(tries, outcomePauses));
		}
		throw storeErrors.create('postgresOutcomeUnknown', {
			message: 'The connection to PostgreSQL was lost while a change was being stored.',
			cause,
		});
	}

	private async statusOf(id: string): Promise<string | undefined> {
		const connection = await this.connect();
		const rows = await connection.query<{ status: string }>(
			'select pg_xact_status($1::xid8) as status',
			[id],
		);
		return rows[0]?.status;
	}

	/** Rolls back; if the connection is lost, the server rolls back by itself. */
	private async rollBack(connection: PostgresConnection): Promise<void> {
		try {
			await connection.run('rollback');
		} catch {
			connection.abandon();
		}
	}
}
