import type { Cancellable } from '../base/abort';
import type { Clock } from '../base/clock';
import type { Random } from '../base/random';
import type { ConsumerRecord, OutboxEvent } from '../model/record/event';
import type { SyncState } from '../model/record/sync';
import type { AccountState } from './account/account-state';
import type { CollectionTypes } from './collections/collection-types';
import type { Query } from './query';

/**
 * Port of the store, which keeps all data of one account. It has two backends (SQLite and
 * PostgreSQL, a folder each); `test/contract/store.contract.ts` states the promises.
 *
 * Rules for every backend:
 * - `transact` runs writers one after the other, unless their scopes differ, and commits all or
 *   nothing. Events appended inside become visible with the commit, in sequence order, without
 *   gaps.
 * - A record is validated by its schema when it is written. Secrets are sealed with the account's
 *   key and bound to their table and id, so that a row cannot be moved; they are unsealed only on
 *   access.
 * - Lists are in order of insertion unless a query says otherwise (`query.ts`).
 */
export interface Store {
	readonly capabilities: StoreCapabilities;
	/**
	 * Time shared by all processes that have the account open, independent of the clocks of their
	 * hosts.
	 */
	readonly clock: Clock;
	/** Number of times the store has lost its database and reconnected, possibly to an older copy. */
	readonly reconnections: number;
	/** Runs work on a consistent snapshot; the work must not write. */
	read<Result>(
		work: (tx: ReadTransaction) => Promise<Result>,
		options?: Cancellable,
	): Promise<Result>;
	/**
	 * Commits when `work` resolves and rolls back when it throws. The work must not call the network.
	 */
	transact<Result>(
		work: (tx: WriteTransaction) => Promise<Result>,
		options?: TransactOptions,
	): Promise<Result>;
	/**
	 * Fences work: its transactions commit only while the holder still has the lease. A process that
	 * was suspended for longer than its lease detects this before it can undo changes of its
	 * successor.
	 *
	 * @throws `error.gateway.store.leaseLost`, from `transact` inside
	 */
	underLease<Result>(lease: HeldLease, work: () => Promise<Result>): Promise<Result>;
	/**
	 * Notes which records work creates: its transactions add the ids of the records that they insert
	 * to the row of this idempotency key, if there is one.
	 */
	notingCreations<Result>(keyId: string, work: () => Promise<Result>): Promise<Result>;
	/**
	 * Calls the listener after each commit that appended events, including commits of other processes
	 * if the backend can report them.
	 *
	 * @returns a function that removes the listener
	 */
	onEventsAppended(listener: () => void): () => void;
	close(): Promise<void>;
}

export interface TransactOptions extends Cancellable {
	/**
	 * Names of everything that the work writes, and reads although another scoped transaction may
	 * write it. Transactions of different processes whose scopes have no name in common may run at
	 * the same time; all others run alone. Without a scope, the transaction runs alone. Events are
	 * excepted: every transaction may append them.
	 */
	readonly scope?: readonly string[] | undefined;
}

export interface StoreCapabilities {
	readonly backend: 'sqlite' | 'postgres';
	/** true if processes on other hosts may open the same account */
	readonly sharedBetweenHosts: boolean;
	/** true if the backend can wake readers in other processes; otherwise they have to poll */
	readonly wakesOtherProcesses: boolean;
}

type ReadCollections = {
	readonly [Name in keyof CollectionTypes]: ReadCollection<
		CollectionTypes[Name][0],
		CollectionTypes[Name][1],
		CollectionTypes[Name][2]
	>;
};

type WriteCollections = {
	readonly [Name in keyof CollectionTypes]: Collection<
		CollectionTypes[Name][0],
		CollectionTypes[Name][1],
		CollectionTypes[Name][2]
	>;
};

export interface ReadTransaction extends ReadCollections {
	readonly accountState: ReadStoredAccountState;
	readonly counters: ReadCounters;
	readonly leases: ReadLeases;
	/** Reads everything that a sync needs to know before it asks the Backbone for events. */
	syncOverview(): Promise<SyncOverview>;
	readonly outbox: ReadOutbox;
	readonly consumers: ReadConsumers;
}

/** Transaction that sees its own writes. */
export interface WriteTransaction extends WriteCollections {
	/**
	 * Runs work that may fail without ending the transaction: when `work` throws, only the changes
	 * that it made are rolled back, and the transaction can still commit its other changes.
	 */
	attempt<Result>(work: () => Promise<Result>): Promise<Result>;
	readonly accountState: StoredAccountState;
	readonly counters: Counters;
	readonly leases: Leases;
	syncOverview(): Promise<SyncOverview>;
	readonly outbox: Outbox;
	readonly consumers: Consumers;
}

export type * from './collections/fields';
export type * from './query';
export type { ColumnValue } from './collections/columns';

/** Stored record; `secrets` unseals the sealed part on first access. A spread does not copy it. */
export interface Entry<Record, Secrets> {
	readonly record: Record;
	readonly secrets: Secrets;
}

export interface ReadCollection<Record, Secrets, Field extends string> {
	/** Reads one record; inside `transact` its row is locked until the transaction ends. */
	get(id: string): Promise<Entry<Record, Secrets> | undefined>;
	/** Reads records in the order of the ids, without unknown ids. */
	getMany(ids: readonly string[]): Promise<Array<Entry<Record, Secrets>>>;
	list(query?: Query<Field>): Promise<Array<Entry<Record, Secrets>>>;
	/**
	 * Reads all records in batches: in order of insertion, the records after a position. The result
	 * contains the next position; the first one is 0.
	 */
	scan(
		after: number,
		limit: number,
	): Promise<{ readonly entries: Array<Entry<Record, Secrets>>; readonly position: number }>;
	/** Reads the first entry of `list`. */
	first(query?: Query<Field>): Promise<Entry<Record, Secrets> | undefined>;
	count(query?: Query<Field>): Promise<number>;
	/** Counts the records by values of a field, in one query; values without a record are absent. */
	countBy(field: Field, values: readonly string[]): Promise<Map<string, number>>;
}

export interface Collection<Record, Secrets, Field extends string> extends ReadCollection<
	Record,
	Secrets,
	Field
> {
	/**
	 * Adds a record that is new. The transaction fails, at the latest when it commits, if its id or a
	 * unique column is taken.
	 */
	insert(record: Record, secrets: Secrets): Promise<void>;
	/** Adds the record; returns false and changes nothing when its id or a unique column is taken. */
	insertIfNew(record: Record, secrets: Secrets): Promise<boolean>;
	/**
	 * Replaces the record with the same id, without which the transaction fails, at the latest when
	 * it commits. Secrets stay unless new ones are given.
	 */
	update(record: Record, secrets?: Secrets): Promise<void>;
	/** Deletes the record, if there is one. */
	delete(id: string): Promise<void>;
}

/** State of the account: living in this store, or moving from or to another one. */
export interface ReadStoredAccountState {
	get(): Promise<AccountState>;
}

export interface StoredAccountState extends ReadStoredAccountState {
	set(accountState: AccountState): Promise<void>;
}

export interface ReadCounters {
	/** Lists every counter by name, with its next number. */
	list(): Promise<Array<{ readonly name: string; readonly next: number }>>;
}

/**
 * Counters whose numbers are handed out once and never again, even if the caller fails, commits are
 * lost before they reach the disk, or the database returns to an older state while it is open.
 */
export interface Counters extends ReadCounters {
	/**
	 * Reserves the lowest unused number. The number may be used once `transact` has resolved.
	 *
	 * @param spread source of a random distance that this process keeps from the lowest number, so
	 * that copies of the database that do not know each other rarely hand out the same numbers
	 * @throws `error.gateway.store.rolledBack`
	 */
	reserve(name: string, atLeast?: number, spread?: Random): Promise<number>;
	/**
	 * Lets this process continue all counters in a new block, which begins at the given number or
	 * later.
	 */
	beginBlock(atLeast: number): Promise<void>;
	/** Raises the counter, so that all numbers below the given one count as handed out. */
	raise(name: string, to: number): Promise<void>;
	/** Raises every counter whose name starts with the prefix. */
	raiseAll(namePrefix: string, to: number): Promise<void>;
	delete(name: string): Promise<void>;
}

export interface SyncOverview {
	readonly leases: readonly Lease[];
	/** state of the sync; undefined before the first sync */
	readonly state: SyncState | undefined;
	/** earliest attempt at an external event: '' for immediately, undefined without one */
	readonly inboxDueAt: string | undefined;
	/** earliest attempt at the work in the ledger, in the same form */
	readonly workDueAt: string | undefined;
}

export interface ReadLeases {
	/** Adds a mark to a name that later shows whether its process still has the account open. */
	mark(holder: string): string;
	/**
	 * Returns true if the process behind a marked name has certainly ended or closed the account. A
	 * process without a connection to the store also appears gone until it reconnects.
	 */
	isGone(marked: string): Promise<boolean>;
	/**
	 * Lists all leases. `isExpired`: the lease has expired, or the process of its holder is known to
	 * be gone.
	 */
	list(): Promise<Lease[]>;
}

export interface HeldLease {
	readonly name: string;
	readonly holder: string;
}

export interface Lease extends HeldLease {
	readonly isExpired: boolean;
}

/**
 * Leases give one holder, among all processes that have the account open, an exclusive right for a
 * limited time.
 */
export interface Leases extends ReadLeases {
	/**
	 * Takes or prolongs the named lease by the clock of the store; false while another holder has it.
	 */
	take(name: string, holder: string, ttlMs: number): Promise<boolean>;
	/** Drops the lease; a lease of another holder stays. */
	drop(name: string, holder: string): Promise<void>;
}

export interface ReadOutbox {
	/** Reads the events after the position in sequence order. */
	readAfter(position: number, limit: number): Promise<OutboxEvent[]>;
	/** Reads the newest events with the given names, at most `lookBack` rows. */
	newest(names: readonly string[], lookBack: number): Promise<OutboxEvent[]>;
	/** Sequence of the last event, even if it has been removed; 0 before the first event. */
	lastSequence(): Promise<number>;
	/** Sequence of the oldest stored event; 0 when there is none. */
	firstSequence(): Promise<number>;
}

export type NewOutboxEvent = Omit<OutboxEvent, 'sequence' | 'correlationId'>;

export interface Outbox extends ReadOutbox {
	/** Appends an event with the correlation id of its cause (`base/observation/correlation`). */
	append(event: NewOutboxEvent): Promise<void>;
	/** Ensures that the next event gets a higher number than this one. */
	passTo(sequence: number): Promise<void>;
	/** Empties the data of all events about the subject (data protection). */
	erase(subject: string): Promise<void>;
	/**
	 * Removes old events that every known consumer has passed and none has parked, from a limited
	 * number of events after a position.
	 */
	prune(
		olderThan: string,
		slice: { readonly after: number; readonly limit: number },
	): Promise<PrunedEvents>;
	/**
	 * Extends the index that `erase` uses towards the newest event; returns the number of added rows.
	 */
	indexSubjects(limit: number): Promise<number>;
}

export interface PrunedEvents {
	readonly removed: number;
	/** position after which the next slice begins */
	readonly position: number;
	/** true if old events may remain after the position */
	readonly hasMore: boolean;
}

export interface ReadConsumers {
	get(name: string): Promise<ConsumerRecord | undefined>;
	list(): Promise<ConsumerRecord[]>;
}

export interface Consumers extends ReadConsumers {
	/** Inserts or replaces the record of a consumer. */
	put(record: ConsumerRecord): Promise<void>;
	delete(name: string): Promise<void>;
}
