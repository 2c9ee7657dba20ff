import { AsyncLocalStorage } from 'node:async_hooks';
import type { Clock } from '../../base/clock';
import type { Cancellable } from '../../base/abort';
import type { SqlExecutor, TransactionEffects } from './executor';
import type { SqlLeases } from './sql-leases';
import { SqlTransaction, type StoreShape } from './sql-transaction';
import type {
	HeldLease,
	ReadTransaction,
	Store,
	StoreCapabilities,
	TransactOptions,
	WriteTransaction,
} from '../store';
import { storeErrors } from '../store-errors';

/** Work inside one transaction, called with the executor that runs its statements. */
export type SqlWork<Result> = (executor: SqlExecutor) => Promise<Result>;

/**
 * Common part of the backends: it refuses nested transactions, checks fences, calls listeners, and
 * waits for pending work when it closes.
 */
export abstract class SqlStore implements Store {
	abstract readonly capabilities: StoreCapabilities;

	get clock(): Clock {
		return this.shape.leases.clock;
	}

	get reconnections(): number {
		return this.shape.numbers.reconnections;
	}

	protected abstract readonly shape: StoreShape;

	private readonly listeners = new Set<() => void>();

	private readonly current = new AsyncLocalStorage<{ isRunning: boolean }>();

	private readonly fences = new AsyncLocalStorage<HeldLease & { isExpired: boolean }>();

	private readonly noted = new AsyncLocalStorage<{ readonly keyId: string; isRunning: boolean }>();

	private closing: Promise<void> | undefined;

	async read<Result>(
		work: (tx: ReadTransaction) => Promise<Result>,
		options: Cancellable = {},
	): Promise<Result> {
		const inside: SqlWork<Result> = (executor) =>
			work(new SqlTransaction(executor, this.shape, newEffects()));
		return await this.reading(this.alone(inside), options);
	}

	async transact<Result>(
		work: (tx: WriteTransaction) => Promise<Result>,
		options: TransactOptions = {},
	): Promise<Result> {
		const effects = newEffects();
		const fence = this.fences.getStore();
		const noted = this.noted.getStore();
		const inside: SqlWork<Result> = (executor) => {
			const transaction = new SqlTransaction(executor, this.shape, effects);
			const begin = async (): Promise<Result> => {
				const worked = await work(transaction);
				if (noted?.isRunning === true) await transaction.noteCreations(noted.keyId);
				return worked;
			};
			return fence?.isExpired === false ? fenced(transaction.leases, fence, begin) : begin();
		};
		const result = await this.writing(this.alone(inside), effects, options);
		for (const follow of effects.afterCommit) follow();
		if (effects.appendedEvents) this.tellListeners();
		return result;
	}

	async underLease<Result>(lease: HeldLease, work: () => Promise<Result>): Promise<Result> {
		const fence = { ...lease, isExpired: false };
		try {
			return await this.fences.run(fence, work);
		} finally {
			// Work that was started inside and continues afterwards is no longer bound to the lease.
			fence.isExpired = true;
		}
	}

	async notingCreations<Result>(keyId: string, work: () => Promise<Result>): Promise<Result> {
		const noted = { keyId, isRunning: true };
		try {
			return await this.noted.run(noted, work);
		} finally {
			// Work that was started inside and continues afterwards is not a part of the call.
			noted.isRunning = false;
		}
	}

	onEventsAppended(listener: () => void): () => void {
		this.listeners.add(listener);
		return () => this.listeners.delete(listener);
	}

	/** Closes the store after pending work has ended; may be called twice. */
	close(): Promise<void> {
		this.listeners.clear();
		this.closing ??= this.closeConnections();
		return this.closing;
	}

	[Symbol.asyncDispose](): Promise<void> {
		return this.close();
	}

	/** Runs work on a consistent snapshot. */
	protected abstract reading<Result>(work: SqlWork<Result>, options: Cancellable): Promise<Result>;

	/**
	 * Runs work in a write transaction.
	 *
	 * @param effects effects of the work, complete once it has resolved
	 */
	protected abstract writing<Result>(
		work: SqlWork<Result>,
		effects: TransactionEffects,
		options: TransactOptions,
	): Promise<Result>;

	protected abstract closeConnections(): Promise<void>;

	protected tellListeners(): void {
		for (const listener of [...this.listeners]) {
			try {
				listener();
			} catch {
				// Listeners only wake readers. The commit has succeeded and must not be reported as failed.
			}
		}
	}

	/**
	 * Marks the asynchronous context of work as a transaction. Refuses a closed store and nested
	 * transactions: a transaction inside another would deadlock or read a different state.
	 */
	private alone<Result>(work: SqlWork<Result>): SqlWork<Result> {
		if (this.closing !== undefined) {
			throw storeErrors.create('closed', { message: 'The store of this account is closed.' });
		}
		// Background work that was started inside a transaction may outlive it and open its own.
		if (this.current.getStore()?.isRunning === true) {
			throw new TypeError('Transactions do not nest');
		}
		const context = { isRunning: true };
		return async (executor) => {
			try {
				return await this.current.run(context, work, executor);
			} finally {
				context.isRunning = false;
			}
		};
	}
}

function newEffects(): TransactionEffects {
	return { appendedEvents: false, irreplaceable: false, afterCommit: [] };
}

/**
 * Runs work while the fence is checked, and commits only if it holds. The check precedes the work's
 * statements, and its answer arrives together with theirs.
 */
async function fenced<Result>(
	leases: Pick<SqlLeases, 'requireHeld'>,
	fence: HeldLease,
	work: () => Promise<Result>,
): Promise<Result> {
	const held = leases.requireHeld(fence);
	held.catch(() => undefined);
	try {
		return await work();
	} finally {
		await held;
	}
}
