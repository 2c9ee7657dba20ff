import { collections, type CollectionName } from '../collections/collections';
import type { SqlExecutor, TransactionEffects } from './executor';
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

/** Records that are noted for one call; the first ones are what it was asked to create. */
const mostNoted = 20;

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

/**
 * Transaction that `transact` and `read` pass to their work. Its parts are created on first access:
 * most transactions use one or two.
 */
export class SqlTransaction implements WriteTransaction {
	private readonly made = new Map<CollectionName, SqlCollection>();

	private usedOutbox: SqlOutbox | undefined;

	constructor(
		private readonly executor: SqlExecutor,
		private readonly shape: StoreShape,
		private readonly effects: TransactionEffects,
	) {}

	get accountState(): SqlAccountState {
		return new SqlAccountState(this.executor, this.shape.compiled);
	}

	get counters(): SqlCounters {
		return new SqlCounters(this.executor, this.shape, this.effects);
	}

	get consumers(): SqlConsumers {
		return new SqlConsumers(this.executor, this.shape.compiled, this.shape.sealer);
	}

	get leases(): SqlLeases {
		return new SqlLeases(this.executor, this.shape.compiled, this.shape.leases);
	}

	get outbox(): SqlOutbox {
		this.usedOutbox ??= new SqlOutbox(this.executor, this.shape, this, this.effects);
		return this.usedOutbox;
	}

	async attempt<Result>(work: () => Promise<Result>): Promise<Result> {
		await write(this.executor, 'savepoint attempt');
		const before = new Map([...this.made].map(([name, { added }]) => [name, added.length]));
		try {
			const result = await work();
			await this.executor.settle?.();
			await write(this.executor, 'release savepoint attempt');
			return result;
		} catch (error) {
			await this.executor.change('rollback to savepoint attempt', []);
			this.executor.onUndone?.();
			for (const [name, collection] of this.made) collection.onUndone(before.get(name) ?? 0);
			this.usedOutbox?.onUndone();
			await write(this.executor, 'release savepoint attempt');
			throw error;
		}
	}

	/** Notes in the row of an idempotency key which records this transaction has added. */
	async noteCreations(keyId: string): Promise<void> {
		const added = [...this.made].flatMap(([collection, { added: ids }]) =>
			ids.map((id) => ({ collection, id })),
		);
		if (added.length === 0) return;
		const row = (await this.idempotencyKeys.get(keyId))?.record;
		if (row === undefined) return;
		const created = [...(row.created ?? []), ...added].slice(0, mostNoted);
		await this.idempotencyKeys.update({ ...row, created });
	}

	syncOverview(): Promise<SyncOverview> {
		return readSyncOverview(this.executor, this.shape, this.leases);
	}

	/**
	 * The name determines the types of a collection: its records were checked against their schema
	 * when they were written.
	 */
	private collection<Name extends CollectionName>(name: Name): WriteTransaction[Name] {
		let collection = this.made.get(name);
		if (collection === undefined) {
			const shape = this.shape.collections.of(name);
			collection = new SqlCollection(shape, this.executor, this.effects);
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

	get accessKeys(): WriteTransaction['accessKeys'] {
		return this.collection('accessKeys');
	}

	get auditEntries(): WriteTransaction['auditEntries'] {
		return this.collection('auditEntries');
	}

	get auditChain(): WriteTransaction['auditChain'] {
		return this.collection('auditChain');
	}

	get hostedAccounts(): WriteTransaction['hostedAccounts'] {
		return this.collection('hostedAccounts');
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

	get work(): WriteTransaction['work'] {
		return this.collection('work');
	}

	get inbox(): WriteTransaction['inbox'] {
		return this.collection('inbox');
	}

	get waits(): WriteTransaction['waits'] {
		return this.collection('waits');
	}

	get webhooks(): WriteTransaction['webhooks'] {
		return this.collection('webhooks');
	}

	get idempotencyKeys(): WriteTransaction['idempotencyKeys'] {
		return this.collection('idempotencyKeys');
	}

	get syncState(): WriteTransaction['syncState'] {
		return this.collection('syncState');
	}
}
