import { sleep, waitOrAbort } from '../../base/abort';
import { backOffMs, withJitter } from '../../base/back-off';
import { systemClock } from '../../base/clock';
import { SingleFlight } from '../../base/single-flight';
import type { SqlWork } from '../sql/sql-store';
import { storeErrors } from '../store-errors';
import { Semaphore } from '../../base/semaphore';
import type { TransactOptions } from '../store';
import type { PostgresConnection } from './postgres-connection';
import { PostgresTransaction, type Beginning } from './postgres-transaction';
import { asStoreError, isConnectionLost } from './postgres-failures';
import { lockKeys, scopeKeys } from './postgres-settings';

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

/**
 * Writers of one account, which run one after the other across all processes: each transaction
 * begins by taking the account's advisory lock. Sequence numbers therefore appear in the order of
 * the commits, a transaction that reads before it writes has read the newest state, and no two
 * transactions can cause each other's rollback.
 *
 * Transactions with a scope share that lock and take one for each name of the scope. They take
 * turns only for events, from the first event to the commit.
 */
export class PostgresWriter {
	/** difference by which the server's clock is ahead of the local one */
	clockAheadMs = 0;

	private readonly turn = new Semaphore();

	private readonly opening = new SingleFlight<PostgresConnection>();

	private readonly closing = new AbortController();

	private isClosed = false;

	private connection: PostgresConnection | undefined;

	constructor(private readonly options: PostgresWriterOptions) {}

	/**
	 * Runs work in a transaction.
	 *
	 * @param commit the statement that commits, known once the work has resolved
	 * @throws `error.gateway.store.busy` when another process holds the lock for 25 seconds
	 */
	async run<Result>(
		work: SqlWork<Result>,
		options: TransactOptions = {},
		commit: () => string = () => 'commit',
	): Promise<Result> {
		await this.turn.acquire(options);
		const wasOpen = this.isConnected;
		const connecting = this.connect();
		try {
			await waitOrAbort(connecting, options);
		} catch (error) {
			void connecting.catch(() => undefined).finally(() => this.turn.release());
			throw error;
		}
		const transaction = this.begin(await connecting, wasOpen, options);
		let result: Result;
		try {
			result = await work(transaction);
			// The commit needs the transaction's id, to ask for its outcome if its answer is lost.
			await transaction.begun;
		} catch (error) {
			await this.rollBackAndRelease(transaction);
			throw asStoreError(error);
		}
		try {
			transaction.end();
			await this.commit(transaction, commit());
			return result;
		} finally {
			this.turn.release();
		}
	}

	/** Closes the connection after all earlier transactions have ended. */
	async close(): Promise<void> {
		this.closing.abort();
		await this.turn.acquire();
		this.isClosed = true;
		await this.connection?.close();
		this.turn.release();
	}

	/** @throws the codes `error.gateway.store.postgres*`, and `error.gateway.store.closed` */
	async connect(): Promise<PostgresConnection> {
		if (this.connection !== undefined && this.isConnected) return this.connection;
		const isJoined = this.opening.isRunning;
		try {
			return await this.open();
		} catch (error) {
			// The attempt of an earlier caller may have begun before the server was back.
			if (!isJoined) throw error;
			return await this.open();
		}
	}

	private async open(): Promise<PostgresConnection> {
		return await this.opening.run(async () => {
			const isFirst = this.connection === undefined;
			const connection = await this.options.open();
			if (this.isClosed) {
				await connection.close();
				throw storeErrors.create('closed', { message: 'The store of this account is closed.' });
			}
			this.connection = connection;
			connection.onceEnded(() => void this.reconnect());
			if (!isFirst) this.options.onReconnected();
			return connection;
		});
	}

	/**
	 * Restores the connection in the background, so that this process receives the events of other
	 * processes again.
	 */
	private async reconnect(): Promise<void> {
		const { signal } = this.closing;
		for (let tries = 1; !signal.aborted; tries++) {
			const pauseMs = withJitter(backOffMs(tries, reconnectPauses), Math.random());
			try {
				await sleep(pauseMs, { signal, background: true });
				await this.connect();
				return;
			} catch {
				// Callers that need the store in the meantime get the error themselves.
			}
		}
	}

	private get isConnected(): boolean {
		return this.connection?.isOpen === true;
	}

	private begin(
		connection: PostgresConnection,
		isReplaceable: boolean,
		options: TransactOptions,
	): PostgresTransaction {
		const beginning = {
			...beginningOf(this.options.schema, options.scope),
			isReplaceable,
			reconnect: () => this.connect(),
			onBegun: (serverNow: number) => {
				const aheadMs = Math.round(serverNow - systemClock.now());
				this.clockAheadMs = Math.abs(aheadMs) < clockToleranceMs ? 0 : aheadMs;
			},
		};
		return new PostgresTransaction(connection, beginning, options);
	}

	private async commit(transaction: PostgresTransaction, statement: string): Promise<void> {
		const { connection } = transaction;
		try {
			const { command } = await connection.run(statement);
			if (command === 'COMMIT') return;
		} catch (error) {
			if (!isConnectionLost(error)) {
				await this.rollBack(connection);
				throw asStoreError(await transaction.causeOf(error));
			}
			connection.abandon();
			if (await this.hasCommitted(await transaction.begun, error)) return;
			throw error;
		}
		throw asStoreError(
			await transaction.causeOf(
				new TypeError('A statement failed within the transaction, and its failure was overlooked'),
			),
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

	/**
	 * Rolls back before the next transaction begins. While the server has not confirmed the
	 * beginning, the caller does not wait: another process may hold the lock.
	 */
	private async rollBackAndRelease(transaction: PostgresTransaction): Promise<void> {
		transaction.end();
		const { hasBegun } = transaction;
		const ended = transaction.begun
			.catch(() => undefined)
			.then(() => this.rollBack(transaction.connection))
			.finally(() => this.turn.release());
		if (hasBegun) await ended;
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

/** Statement that begins a transaction and takes its locks, in one round trip. */
function beginningOf(
	schema: string,
	scope: readonly string[] | undefined,
): Pick<Beginning, 'statement' | 'eventsLock'> {
	const { writer, events } = lockKeys(schema);
	const locks =
		scope === undefined
			? [`pg_advisory_xact_lock(${writer})`]
			: [
					`pg_advisory_xact_lock_shared(${writer})`,
					...scopeKeys(schema, scope).map((key) => `pg_advisory_xact_lock(${key})`),
				];
	const statement =
		`begin; ${locks.map((lock) => `select ${lock}; `).join('')}` +
		'select pg_current_xact_id()::text as id, ' +
		'extract(epoch from clock_timestamp())::float8 * 1000 as now';
	return { statement, eventsLock: scope === undefined ? undefined : events };
}
