import { AsyncLocalStorage } from 'node:async_hooks';
import { isDeadHolder } from '../../base/lease-holder';
import { throwIfAborted, type Cancellable } from '../../base/abort';
import type { Clock } from '../../base/clock';
import type { SqlExecutor } from '../executor';
import type { Sealer } from '../sealer';
import {
	asWriteTransaction,
	SqlTransaction,
	storeShape,
	type StoreShape,
} from '../sql-transaction';
import type { StatementBook } from '../statement-book';
import type { ReadTransaction, Store, StoreCapabilities, WriteTransaction } from '../store';
import { storeErrors } from '../store-errors';
import type { LogSync } from './log-sync';
import type { Begin, SqliteSession } from './sqlite-session';

export interface SqliteStoreParts {
	readonly writer: SqliteSession;
	/** the writer itself for a database in memory */
	readonly reader: SqliteSession;
	readonly book: StatementBook;
	readonly sealer: Sealer;
	readonly clock: Clock;
	readonly log: LogSync;
}

/** One account in one SQLite file (design, decision 2): a connection to write and one to read. */
export class SqliteStore implements Store {
	readonly capabilities: StoreCapabilities = {
		backend: 'sqlite',
		sharedBetweenHosts: false,
		wakesOtherProcesses: false,
	};

	private readonly shape: StoreShape;

	private readonly listeners = new Set<() => void>();

	private readonly current = new AsyncLocalStorage<{ isRunning: boolean }>();

	private closing: Promise<void> | undefined;

	constructor(private readonly parts: SqliteStoreParts) {
		const { book, sealer, clock } = parts;
		// All processes of a SQLite file live on this host: a killed one blocks nobody.
		this.shape = storeShape(book, sealer, { clock, isDeadHolder });
	}

	async read<Result>(
		work: (tx: ReadTransaction) => Promise<Result>,
		options: Cancellable = {},
	): Promise<Result> {
		return await this.run(
			this.parts.reader,
			'begin',
			(executor) => work(asWriteTransaction(new SqlTransaction(executor, this.shape))),
			options,
		);
	}

	async transact<Result>(
		work: (tx: WriteTransaction) => Promise<Result>,
		options: Cancellable = {},
	): Promise<Result> {
		let transaction: SqlTransaction | undefined;
		const result = await this.run(
			this.parts.writer,
			'begin immediate',
			(executor) => {
				transaction = new SqlTransaction(executor, this.shape);
				return work(asWriteTransaction(transaction));
			},
			options,
		);
		if (transaction?.irreplaceable === true) await this.parts.log.now();
		else this.parts.log.soon();
		if (transaction?.appendedEvents === true) this.tellListeners();
		return result;
	}

	onEventsAppended(listener: () => void): () => void {
		this.listeners.add(listener);
		return () => this.listeners.delete(listener);
	}

	/** Waits for what is under way; may be called twice. */
	close(): Promise<void> {
		this.closing ??= this.closeConnections();
		return this.closing;
	}

	/** A transaction inside another would wait for itself for ever, or read another state. */
	private async run<Result>(
		session: SqliteSession,
		begin: Begin,
		work: (executor: SqlExecutor) => Promise<Result>,
		options: Cancellable = {},
	): Promise<Result> {
		if (this.closing !== undefined) {
			throw storeErrors.create('closed', { message: 'The store of this account is closed.' });
		}
		throwIfAborted(options);
		// Background work that was started inside a transaction may outlive it and have its own.
		if (this.current.getStore()?.isRunning === true) {
			throw new TypeError('Transactions do not nest');
		}
		const context = { isRunning: true };
		return await session.run(
			begin,
			async (executor) => {
				try {
					return await this.current.run(context, work, executor);
				} finally {
					context.isRunning = false;
				}
			},
			options,
		);
	}

	private tellListeners(): void {
		for (const listener of [...this.listeners]) {
			try {
				listener();
			} catch {
				// Listeners only wake readers. The commit has happened and must not look failed.
			}
		}
	}

	private async closeConnections(): Promise<void> {
		this.listeners.clear();
		const { reader, writer, log } = this.parts;
		if (reader !== writer) await reader.close();
		await writer.close();
		await log.close();
	}
}
