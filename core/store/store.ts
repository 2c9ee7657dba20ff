import type { Cancellable } from '../base/abort';
import type { Clock } from '../base/clock';
import type { ConsumerRecord, OutboxEvent } from '../model/record/event';
import type { SyncState } from '../model/record/sync';
import type { AccountLife } from './account-life';
import type { CollectionTypes } from './collection-types';

/**
 * The store port: everything that one account keeps. Two backends stand behind it (SQLite and
 * PostgreSQL, a folder each); `test/contract/store.contract.ts` states the promises.
 *
 * Rules that every backend keeps:
 * - `transact` runs writers one after the other and commits all or nothing; events appended inside
 *   become visible with the commit, in sequence order, without gaps.
 * - A record is validated by its schema when written. Secrets are sealed with the account's key and
 *   bound to their table and id, so that a row cannot be moved; they are opened only when looked at.
 * - Lists come in order of insertion unless a query says otherwise.
 */
export interface Store {
	readonly capabilities: StoreCapabilities;
	/** The time shared by all who have the account open, whatever the clocks of their hosts say. */
	readonly clock: Clock;
	/** How often it has lost its database and connected anew, perhaps to an older copy. */
	readonly reconnections: number;
	/** A consistent snapshot; work must not write. */
	read<Result>(
		work: (tx: ReadTransaction) => Promise<Result>,
		options?: Cancellable,
	): Promise<Result>;
	/** Commits when `work` resolves, rolls back when it throws. Never call the network inside. */
	transact<Result>(
		work: (tx: WriteTransaction) => Promise<Result>,
		options?: Cancellable,
	): Promise<Result>;
	/**
	 * A fence: what `work` begins commits only while that lease is still the holder's. A process that
	 * stood still for longer than its lease finds out before it can undo what its successor did.
	 *
	 * @throws `error.gateway.store.leaseLost`, from `transact` inside
	 */
	underLease<Result>(lease: HeldLease, work: () => Promise<Result>): Promise<Result>;
	/**
	 * Called after each commit that appended events, of other processes as far as the backend can tell.
	 * Returns the unsubscriber.
	 */
	onEventsAppended(listener: () => void): () => void;
	close(): Promise<void>;
}

export interface StoreCapabilities {
	readonly backend: 'sqlite' | 'postgres';
	/** whether processes on other hosts may open the same account */
	readonly sharedBetweenHosts: boolean;
	/** whether the backend can wake readers in other processes, or they have to look themselves */
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
	readonly life: ReadLife;
	readonly counters: ReadCounters;
	readonly leases: ReadLeases;
	/** What has to be known before the Backbone is asked for events. */
	syncOverview(): Promise<SyncOverview>;
	readonly outbox: ReadOutbox;
	readonly consumers: ReadConsumers;
}

/** Reads what it has written. */
export interface WriteTransaction extends WriteCollections {
	/** A part that may fail by itself: when `work` throws, what it did is undone and the rest stays. */
	attempt<Result>(work: () => Promise<Result>): Promise<Result>;
	readonly life: Life;
	readonly counters: Counters;
	readonly leases: Leases;
	syncOverview(): Promise<SyncOverview>;
	readonly outbox: Outbox;
	readonly consumers: Consumers;
}

export type * from './fields';

export type ColumnValue = string | number | boolean;

export type Condition<Field extends string> =
	| FieldCondition<Field>
	/** holds when all conditions of at least one group hold */
	| { readonly op: 'anyOf'; readonly groups: ReadonlyArray<ReadonlyArray<Condition<Field>>> };

export type FieldCondition<Field extends string> =
	| {
			readonly field: Field;
			readonly op: 'eq' | 'ne' | 'lt' | 'lte' | 'gt' | 'gte';
			readonly value: ColumnValue;
	  }
	| { readonly field: Field; readonly op: 'in' | 'notIn'; readonly value: readonly ColumnValue[] }
	/** case-insensitive text search; the value is taken literally */
	| {
			readonly field: Field;
			readonly op: 'contains' | 'startsWith' | 'endsWith';
			readonly value: string;
	  }
	| { readonly field: Field; readonly op: 'exists' | 'missing' };

export interface Query<Field extends string> {
	readonly where?: ReadonlyArray<Condition<Field>>;
	/** `inserted` is the order of insertion, the default */
	readonly orderBy?: { readonly field: Field | 'inserted'; readonly direction: 'asc' | 'desc' };
	readonly limit?: number;
	readonly offset?: number;
}

/** A stored record; `secrets` opens the sealed part on first access. */
export interface Entry<Record, Secrets> {
	readonly record: Record;
	readonly secrets: Secrets;
}

export interface ReadCollection<Record, Secrets, Field extends string> {
	/** Inside `transact` the row is locked until the end. */
	get(id: string): Promise<Entry<Record, Secrets> | undefined>;
	/** In the order of the ids; unknown ones are left out. */
	getMany(ids: readonly string[]): Promise<Array<Entry<Record, Secrets>>>;
	list(query?: Query<Field>): Promise<Array<Entry<Record, Secrets>>>;
	/**
	 * For who reads everything: in the order of insertion, what comes after a position. The answer
	 * names the next one; 0 is the first.
	 */
	scan(
		after: number,
		limit: number,
	): Promise<{ readonly entries: Array<Entry<Record, Secrets>>; readonly position: number }>;
	/** The first of `list`. */
	first(query?: Query<Field>): Promise<Entry<Record, Secrets> | undefined>;
	count(query?: Query<Field>): Promise<number>;
}

export interface Collection<Record, Secrets, Field extends string> extends ReadCollection<
	Record,
	Secrets,
	Field
> {
	/**
	 * Adds the record unless its id (or a unique column) is taken: then nothing changes and the
	 * answer is false.
	 */
	insert(record: Record, secrets: Secrets): Promise<boolean>;
	/** Replaces the record of that id (it must exist). Secrets stay as they are unless given. */
	update(record: Record, secrets?: Secrets): Promise<void>;
	/** Returns whether there was one. */
	delete(id: string): Promise<boolean>;
}

/** Whether the account lives in this store, or is on its way from or to another one. */
export interface ReadLife {
	get(): Promise<AccountLife>;
}

export interface Life extends ReadLife {
	set(life: AccountLife): Promise<void>;
}

export interface ReadCounters {
	/** Every counter by name, with how many numbers it has handed out. */
	list(): Promise<Array<{ readonly name: string; readonly next: number }>>;
}

/**
 * Numbers that are handed out once and never again, whatever becomes of the caller, of commits that
 * the disk did not have yet, or of a database that goes back to an older state while it is open.
 */
export interface Counters extends ReadCounters {
	/**
	 * A fresh number, the lowest that may be used. It may be used once `transact` has resolved.
	 *
	 * @throws `error.gateway.store.rolledBack`
	 */
	reserve(name: string, atLeast?: number): Promise<number>;
	/** All numbers below count as handed out from now on. */
	raise(name: string, to: number): Promise<void>;
	/** The same for every counter whose name starts with the prefix. */
	raiseAll(namePrefix: string, to: number): Promise<void>;
	delete(name: string): Promise<void>;
}

export interface SyncOverview {
	readonly leases: readonly Lease[];
	/** undefined before the first sync */
	readonly state: SyncState | undefined;
	/**
	 * Earliest try of pending inbox events, prepared sends, unfinished changes and a deletion of our
	 * identity: '' for at once, undefined when nothing is open.
	 */
	readonly openWorkDueAt: string | undefined;
}

export interface ReadLeases {
	/** A name as it is stored, with what tells later whether its process still has the account open. */
	mark(holder: string): string;
	/**
	 * Whether the process behind a marked name is known to be gone, or to have closed the account. A
	 * process that has lost its connection to the store looks gone until it has it again.
	 */
	isGone(marked: string): Promise<boolean>;
	/** `isOver`: its time has passed, or its process is known to be gone. */
	list(): Promise<Lease[]>;
}

export interface HeldLease {
	readonly name: string;
	readonly holder: string;
}

export interface Lease extends HeldLease {
	readonly isOver: boolean;
}

/** Who alone may do something for a while, among all processes that have the account open. */
export interface Leases extends ReadLeases {
	/** Takes or prolongs the named lease; false while another holder's lease runs. Clock: the store's. */
	take(name: string, holder: string, ttlMs: number): Promise<boolean>;
	/** Another holder's lease stays. */
	drop(name: string, holder: string): Promise<void>;
}

export interface ReadOutbox {
	/** Events after the position in sequence order. */
	readAfter(position: number, limit: number): Promise<OutboxEvent[]>;
	/** The newest event of the given names that fits, looking back at most `lookBack` rows. */
	newest(names: readonly string[], lookBack: number): Promise<OutboxEvent[]>;
	/** Sequence of the last event, also of one that is kept no longer; 0 when there was none. */
	lastSequence(): Promise<number>;
	/** Sequence of the oldest event still kept, 0 when there is none. */
	firstSequence(): Promise<number>;
}

export type NewOutboxEvent = Omit<OutboxEvent, 'sequence' | 'correlationId'>;

export interface Outbox extends ReadOutbox {
	/** Remembers what caused it (`base/correlation`). */
	append(event: NewOutboxEvent): Promise<void>;
	/** The next event gets a higher number than this one. */
	passTo(sequence: number): Promise<void>;
	/** Empties the data of all events about the subject (data protection). */
	erase(subject: string): Promise<void>;
	/**
	 * Removes events older than the instant that every known consumer has passed and none has parked,
	 * among the next few after a position.
	 */
	prune(
		olderThan: string,
		slice: { readonly after: number; readonly limit: number },
	): Promise<PrunedEvents>;
	/** Brings the index that `erase` uses nearer to the newest event; returns how many were added. */
	indexSubjects(limit: number): Promise<number>;
}

export interface PrunedEvents {
	readonly removed: number;
	/** where the next slice begins */
	readonly position: number;
	/** whether old events may be left behind the position */
	readonly hasMore: boolean;
}

export interface ReadConsumers {
	get(name: string): Promise<ConsumerRecord | undefined>;
	list(): Promise<ConsumerRecord[]>;
}

export interface Consumers extends ReadConsumers {
	/** Inserts or replaces. */
	put(record: ConsumerRecord): Promise<void>;
	delete(name: string): Promise<void>;
}
