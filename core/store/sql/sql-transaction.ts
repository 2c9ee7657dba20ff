import { collections, type CollectionName } from '../collections/collections';
import type { SqlExecutor } from './executor';
import type { Sealer } from './sealer';
import { CollectionShape, SqlCollection } from '../collections/sql-collection';
import { SqlConsumers } from './sql-consumers';
import { SqlCounters } from './sql-counters';
import { ReservedNumbers } from './reserved-numbers';
import { SqlAccountState } from '../account/account-rows';
import { SqlLeases, type LeaseRules } from './sql-leases';
import { SqlOutbox } from './sql-outbox';
import { readSyncOverview } from './sql-sync-overview';
import { write, type CompiledStatementCache } from './compiled-statement-cache';
import type { Collection, SyncOverview, WriteTransaction } from '../store';

/** State that all transactions of one open store share. */
export interface StoreShape {
	readonly compiled: CompiledStatementCache;
	readonly sealer: Sealer;
	readonly leases: LeaseRules;
	readonly collections: CollectionShapes;
	readonly numbers: ReservedNumbers;
}

/** Shapes of the collections, created on first use: an idle account uses few of them. */
class CollectionShapes {
	private readonly made = new Map<CollectionName, CollectionShape>();

	constructor(
		private readonly sealer: Sealer,
		private readonly compiled: CompiledStatementCache,
	) {}

	of(name: CollectionName): CollectionShape {
		const known = this.made.get(name);
		if (known !== undefined) return known;
		const shape = new CollectionShape<{ id: string }>(
			collections[name],
			this.sealer,
			this.compiled,
		);
		this.made.set(name, shape);
		return shape;
	}
}

export function storeShape(
	compiled: CompiledStatementCache,
	sealer: Sealer,
	leases: LeaseRules,
): StoreShape {
	return {
		compiled,
		sealer,
		leases,
		collections: new CollectionShapes(sealer, compiled),
		numbers: new ReservedNumbers(),
	};
}

/** Effects of a transaction that matter after its commit. */
export interface TransactionEffects {
	readonly appendedEvents: boolean;
	/** true if the commit must reach the disk before it is reported */
	readonly irreplaceable: boolean;
	/** callbacks within this process, run after the commit has been reported */
	readonly afterCommit: ReadonlyArray<() => void>;
}

/**
 * Transaction that `transact` and `read` pass to their work. Collections are created on first
 * access: most transactions use one or two.
 */
export class SqlTransaction implements WriteTransaction, TransactionEffects {
	appendedEvents = false;

	irreplaceable = false;

	readonly afterCommit: Array<() => void> = [];

	private readonly made = new Map<CollectionName, SqlCollection>();

	readonly accountState: SqlAccountState;

	readonly counters: SqlCounters;

	readonly consumers: SqlConsumers;

	readonly outbox: SqlOutbox;

	readonly leases: SqlLeases;

	constructor(
		private readonly executor: SqlExecutor,
		private readonly shape: StoreShape,
	) {
		const { compiled, sealer } = shape;
		this.accountState = new SqlAccountState(executor, compiled);
		this.counters = new SqlCounters(executor, shape, {
			mustReachDisk: () => {
				this.irreplaceable = true;
			},
			afterCommit: (work) => this.afterCommit.push(work),
		});
		this.consumers = new SqlConsumers(executor, compiled, sealer);
		this.leases = new SqlLeases(executor, compiled, shape.leases);
		this.outbox = new SqlOutbox(executor, shape, this.counters, this.consumers, () => {
			this.appendedEvents = true;
		});
	}

	async attempt<Result>(work: () => Promise<Result>): Promise<Result> {
		await write(this.executor, 'savepoint attempt');
		try {
			const result = await work();
			await this.executor.settle?.();
			await write(this.executor, 'release savepoint attempt');
			return result;
		} catch (error) {
			await this.executor.change('rollback to savepoint attempt', []);
			this.executor.onUndone?.();
			for (const collection of this.made.values()) collection.onUndone();
			this.outbox.onUndone();
			await write(this.executor, 'release savepoint attempt');
			throw error;
		}
	}

	syncOverview(): Promise<SyncOverview> {
		return readSyncOverview(this.executor, this.shape, this.leases);
	}

	/**
	 * The name determines the types of a collection: its records were checked against their schema when
	 * they were written.
	 */
	private collection<Name extends CollectionName>(name: Name): WriteTransaction[Name] {
		let collection = this.made.get(name);
		if (collection === undefined) {
			collection = new SqlCollection(this.shape.collections.of(name), this.executor, () => {
				this.irreplaceable = true;
			});
			this.made.set(name, collection);
		}
		// eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- the collection was made from the declaration of this name
		return collection as Collection<object, unknown, string> as WriteTransaction[Name];
	}

	get identity(): WriteTransaction['identity'] {
		return this.collection('identity');
	}

	get attributes(): WriteTransaction['attributes'] {
		return this.collection('attributes');
	}

	get attributeListeners(): WriteTransaction['attributeListeners'] {
		return this.collection('attributeListeners');
	}

	get localNotifications(): WriteTransaction['localNotifications'] {
		return this.collection('localNotifications');
	}

	get identityMetadata(): WriteTransaction['identityMetadata'] {
		return this.collection('identityMetadata');
	}

	get settings(): WriteTransaction['settings'] {
		return this.collection('settings');
	}

	get drafts(): WriteTransaction['drafts'] {
		return this.collection('drafts');
	}

	get requests(): WriteTransaction['requests'] {
		return this.collection('requests');
	}

	get templates(): WriteTransaction['templates'] {
		return this.collection('templates');
	}

	get relationships(): WriteTransaction['relationships'] {
		return this.collection('relationships');
	}

	get relationshipIntents(): WriteTransaction['relationshipIntents'] {
		return this.collection('relationshipIntents');
	}

	get messages(): WriteTransaction['messages'] {
		return this.collection('messages');
	}

	get sendIntents(): WriteTransaction['sendIntents'] {
		return this.collection('sendIntents');
	}

	get files(): WriteTransaction['files'] {
		return this.collection('files');
	}

	get tokens(): WriteTransaction['tokens'] {
		return this.collection('tokens');
	}

	get deletionProcesses(): WriteTransaction['deletionProcesses'] {
		return this.collection('deletionProcesses');
	}

	get objectIntents(): WriteTransaction['objectIntents'] {
		return this.collection('objectIntents');
	}

	get inbox(): WriteTransaction['inbox'] {
		return this.collection('inbox');
	}

	get waits(): WriteTransaction['waits'] {
		return this.collection('waits');
	}

	get syncState(): WriteTransaction['syncState'] {
		return this.collection('syncState');
	}
}
