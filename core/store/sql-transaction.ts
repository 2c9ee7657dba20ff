import { collections, type CollectionName } from './collections';
import type { SqlExecutor } from './executor';
import type { Sealer } from './sealer';
import { CollectionShape, SqlCollection } from './sql-collection';
import { SqlConsumers } from './sql-consumers';
import { SqlCounters } from './sql-counters';
import { ReservedNumbers } from './reserved-numbers';
import { SqlLife } from './account-rows';
import { SqlLeases, type LeaseRules } from './sql-leases';
import { SqlOutbox } from './sql-outbox';
import { readSyncOverview, type KnownOverview } from './sql-sync-overview';
import type { StatementBook } from './statement-book';
import type { SyncOverview, WriteTransaction } from './store';

/** What all transactions of one open store share. */
export interface StoreShape {
	readonly book: StatementBook;
	readonly sealer: Sealer;
	readonly leases: LeaseRules;
	readonly collections: Readonly<Record<CollectionName, CollectionShape>>;
	readonly overview: KnownOverview;
	readonly numbers: ReservedNumbers;
}

export function storeShape(book: StatementBook, sealer: Sealer, leases: LeaseRules): StoreShape {
	const shapes = Object.entries(collections).map(([name, declaration]) => [
		name,
		new CollectionShape(declaration, sealer, book),
	]);
	const byName = Object.fromEntries(shapes) as StoreShape['collections'];
	return {
		book,
		sealer,
		leases,
		collections: byName,
		overview: { rows: [] },
		numbers: new ReservedNumbers(),
	};
}

/** What happened inside a transaction that matters after its commit. */
export interface TransactionEffects {
	readonly appendedEvents: boolean;
	/** whether the commit has to reach the disk before it is told */
	readonly irreplaceable: boolean;
	/** what follows from the commit within this process, once it has been told */
	readonly afterCommit: ReadonlyArray<() => void>;
}

/**
 * The object that `transact` and `read` hand to their work. Its collections are made when they are
 * asked for: most transactions touch one or two.
 */
export class SqlTransaction implements TransactionEffects {
	appendedEvents = false;

	irreplaceable = false;

	readonly afterCommit: Array<() => void> = [];

	private readonly made = new Map<CollectionName, SqlCollection>();

	readonly life: SqlLife;

	readonly counters: SqlCounters;

	readonly consumers: SqlConsumers;

	readonly outbox: SqlOutbox;

	readonly leases: SqlLeases;

	constructor(
		private readonly executor: SqlExecutor,
		private readonly shape: StoreShape,
	) {
		const { book, sealer } = shape;
		this.life = new SqlLife(executor, book);
		this.counters = new SqlCounters(executor, book, shape.numbers, {
			mustReachDisk: () => {
				this.irreplaceable = true;
			},
			afterCommit: (work) => this.afterCommit.push(work),
		});
		this.consumers = new SqlConsumers(executor, book, sealer);
		this.leases = new SqlLeases(executor, book, shape.leases);
		this.outbox = new SqlOutbox(executor, shape, this.counters, this.consumers, () => {
			this.appendedEvents = true;
		});
	}

	async attempt<Result>(work: () => Promise<Result>): Promise<Result> {
		await this.executor.change('savepoint attempt', []);
		try {
			const result = await work();
			await this.executor.change('release savepoint attempt', []);
			return result;
		} catch (error) {
			await this.executor.change('rollback to savepoint attempt', []);
			await this.executor.change('release savepoint attempt', []);
			this.outbox.onUndone();
			throw error;
		}
	}

	syncOverview(): Promise<SyncOverview> {
		return readSyncOverview(this.executor, this.shape, this.leases);
	}

	collection(name: CollectionName): SqlCollection {
		const known = this.made.get(name);
		if (known !== undefined) return known;
		const made = new SqlCollection(this.shape.collections[name], this.executor, () => {
			this.irreplaceable = true;
		});
		this.made.set(name, made);
		return made;
	}
}

for (const name of Object.keys(collections) as CollectionName[]) {
	Object.defineProperty(SqlTransaction.prototype, name, {
		get(this: SqlTransaction) {
			return this.collection(name);
		},
	});
}

/** The types of the port; records were checked against their schemas, so the names decide. */
export function asWriteTransaction(transaction: SqlTransaction): WriteTransaction {
	return transaction as unknown as WriteTransaction;
}
