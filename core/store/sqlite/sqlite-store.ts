import { AsyncLocalStorage } from 'node:async_hooks';
import { CompiledQuery, Kysely } from 'kysely';
import { throwIfAborted, type Cancellable } from '../../base/abort';
import type { Clock } from '../../base/clock';
import type { AnyDatabase } from '../collection-statements';
import { collectionShapes, sqlTransaction, type CollectionShapes } from '../sql-transaction';
import type { Sealer } from '../sealer';
import type { ReadTransaction, Store, StoreCapabilities, WriteTransaction } from '../store';
import { storeErrors } from '../store-errors';

/** One account in one SQLite file (design, decision 2). */
export class SqliteStore implements Store {
	readonly capabilities: StoreCapabilities = {
		backend: 'sqlite',
		sharedBetweenHosts: false,
		wakesOtherProcesses: false,
	};

	private readonly shapes: CollectionShapes;

	private readonly listeners = new Set<() => void>();

	private readonly inTransaction = new AsyncLocalStorage<true>();

	private closing: Promise<void> | undefined;

	constructor(
		private readonly writer: AnyDatabase,
		private readonly reader: AnyDatabase,
		private readonly clock: Clock,
		sealer: Sealer,
	) {
		this.shapes = collectionShapes(sealer);
	}

	async read<Result>(
		work: (tx: ReadTransaction) => Promise<Result>,
		options: Cancellable = {},
	): Promise<Result> {
		this.requireOpen();
		throwIfAborted(options);
		return await this.reader
			.transaction()
			.execute(async (db) => await work(sqlTransaction(db, this.shapes)));
	}

	async transact<Result>(
		work: (tx: WriteTransaction) => Promise<Result>,
		options: Cancellable = {},
	): Promise<Result> {
		this.requireOpen();
		throwIfAborted(options);
		// It would wait for itself for ever.
		if (this.inTransaction.getStore() === true) throw new TypeError('Transactions do not nest');
		let appended = false;
		const result = await this.writer.transaction().execute(async (db) => {
			throwIfAborted(options);
			const tx = sqlTransaction(db, this.shapes);
			const value = await this.inTransaction.run(true, () => work(tx));
			appended = tx.appendedEvents;
			return value;
		});
		if (appended) for (const listener of this.listeners) listener();
		return result;
	}

	async acquireLease(
		name: string,
		holder: string,
		ttlMs: number,
		options: Cancellable = {},
	): Promise<boolean> {
		this.requireOpen();
		throwIfAborted(options);
		const now = this.clock.now();
		return await this.writer.transaction().execute(async (db) => {
			const { rows } = await db.executeQuery(
				CompiledQuery.raw(
					'insert into leases (name, holder, expires_at) values (?, ?, ?) ' +
						'on conflict (name) do update set holder = excluded.holder, expires_at = excluded.expires_at ' +
						'where leases.holder = excluded.holder or leases.expires_at <= ? returning name',
					[name, holder, now + ttlMs, now],
				),
			);
			return rows.length > 0;
		});
	}

	async releaseLease(name: string, holder: string): Promise<void> {
		if (this.closing !== undefined) return;
		await this.writer.transaction().execute(async (db) => {
			await db.executeQuery(
				CompiledQuery.raw('delete from leases where name = ? and holder = ?', [name, holder]),
			);
		});
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

	private async closeConnections(): Promise<void> {
		this.listeners.clear();
		// Queueing behind the running work: whoever holds the connection finishes first.
		await this.reader.connection().execute(() => Promise.resolve());
		await this.writer.connection().execute(() => Promise.resolve());
		await this.reader.destroy();
		await this.writer.destroy();
	}

	private requireOpen(): void {
		if (this.closing === undefined) return;
		throw storeErrors.create('closed', { message: 'The store of this account is closed.' });
	}
}

export function database(dialect: ConstructorParameters<typeof Kysely>[0]['dialect']): AnyDatabase {
	return new Kysely<Record<string, Record<string, unknown>>>({ dialect });
}
