import { sleep, type Cancellable } from '../../base/abort';
import { backOffMs, withJitter } from '../../base/back-off';
import { usualTimings } from '../../base/timings';
import type { SqlExecutor, SqlValue } from '../sql/executor';
import { storeErrors } from '../store-errors';
import { Semaphore } from '../../base/semaphore';
import type { FileIdentity } from './file-identity';
import type { SqliteConnection } from './sqlite-connection';
import { asStoreError, isBusy } from './sqlite-failures';

const busyPauses = { firstMs: 1, longestMs: 50 };

export type Begin = 'begin' | 'begin immediate';

/**
 * Transactions on one connection, run one after the other in the order of the calls. Waits for the
 * lock of another process without blocking the event loop, up to 30 seconds.
 */
export class SqliteSession {
	private readonly turn = new Semaphore();

	/**
	 * @param busyTimeoutMs longest wait for another process
	 * @param identity absent for a database in memory
	 */
	constructor(
		readonly connection: SqliteConnection,
		private readonly busyTimeoutMs = usualTimings.sqliteBusyMs,
		private readonly identity?: FileIdentity,
	) {}

	/**
	 * Runs work in a transaction.
	 *
	 * @throws `error.gateway.store.busy`, `error.gateway.store.databaseReplaced`
	 */
	async run<Result>(
		begin: Begin,
		work: (executor: SqlExecutor) => Promise<Result>,
		options: Cancellable = {},
	): Promise<Result> {
		await this.turn.acquire(options);
		try {
			const { busyTimeoutMs } = this;
			await whileBusy(() => this.connection.run(begin), { ...options, busyTimeoutMs });
			return await this.runBegun(begin, work);
		} finally {
			this.turn.release();
		}
	}

	/** Gives memory back after all earlier transactions have ended. */
	async rest(): Promise<void> {
		await this.turn.acquire();
		try {
			this.connection.rest();
		} finally {
			this.turn.release();
		}
	}

	/** Closes the connection after all earlier transactions have ended. */
	async close(): Promise<void> {
		await this.turn.acquire();
		this.connection.close();
		this.turn.release();
	}

	private async runBegun<Result>(
		begin: Begin,
		work: (executor: SqlExecutor) => Promise<Result>,
	): Promise<Result> {
		const executor = new TransactionExecutor(this.connection);
		try {
			if (begin === 'begin') this.identity?.requireSameForRead();
			const result = await work(executor);
			if (begin === 'begin immediate') this.identity?.requireSame();
			executor.end();
			this.connection.run('commit');
			return result;
		} catch (error) {
			executor.end();
			// SQLite rolls back by itself when the disk is full or fails.
			if (this.connection.isInTransaction) this.connection.run('rollback');
			throw asStoreError(error);
		}
	}
}

/**
 * Repeats an attempt while another process holds the lock.
 *
 * @throws `error.gateway.store.busy` after 30 seconds, or after `busyTimeoutMs`
 */
export async function whileBusy<Result>(
	attempt: () => Result,
	options: Cancellable & { readonly busyTimeoutMs?: number } = {},
): Promise<Result> {
	const { busyTimeoutMs = usualTimings.sqliteBusyMs } = options;
	let waitedMs = 0;
	for (let tries = 1; ; tries++) {
		try {
			return attempt();
		} catch (error) {
			if (!isBusy(error)) throw asStoreError(error);
			if (waitedMs >= busyTimeoutMs) {
				throw storeErrors.create('busy', {
					message: `The store stayed locked by another process for ${busyTimeoutMs / 1_000} seconds.`,
					cause: error,
				});
			}
		}
		// Jitter keeps the waiting processes out of step; otherwise the same one would always be first.
		const pauseMs = withJitter(backOffMs(tries, busyPauses), Math.random());
		await sleep(pauseMs, options);
		waitedMs += pauseMs;
	}
}

/** Refuses statements after the end of the transaction: they would run outside any transaction. */
class TransactionExecutor implements SqlExecutor {
	private hasEnded = false;

	constructor(private readonly connection: SqliteConnection) {}

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
		if (this.hasEnded) return Promise.reject(new TypeError('The transaction has ended'));
		if (this.connection.isInTransaction) return undefined;
		const message = 'The disk failed in the middle of a transaction, which was undone.';
		return Promise.reject(storeErrors.create('ioFailed', { message }));
	}
}
