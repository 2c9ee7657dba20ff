import { sleep, throwIfAborted, type Cancellable } from '../base/abort';
import { newLeaseHolder } from '../base/lease-holder';
import { isoInstant, type Clock } from '../base/clock';
import { isGatewayError } from '../base/errors';
import type { Logger } from '../base/logger';
import type { Random } from '../base/random';
import { SingleFlight } from '../base/single-flight';
import type { Backbone } from '../backbone/backbone';
import type { WireMessage } from '../backbone/dto';
import { isToBeDeleted } from '../domain/identity/identity-deletion';
import type { InboxEvent, SyncState } from '../model/record/sync';
import type { ReadTransaction, Store, WriteTransaction } from '../store/store';
import { abandonedMarks, AskingMark } from './asking-mark';
import { syncErrors } from './sync-errors';
import { dueEvents, markDone, pruneInbox, recordFailure, type InboxFailure } from './sync-inbox';
import { isAnotherRunOpen, SyncRunFetcher } from './sync-run';
import { prepareStep, type StepServices, type Touched } from './steps';

const leaseName = 'sync';
const leaseMs = 60_000;
const leaseWaitMs = 30_000;
/** a run that nobody finalises expires after 10 s */
const openRunWaitMs = 5_000;
const refusalsOfOthers = 4;
const saveEveryMs = 60_000;
/** messages asked for with one call; each may hold up to 10 MiB */
const prefetchCount = 50;
const inboxRetentionMs = 7 * 24 * 3_600_000;

export interface SyncEngineDependencies {
	readonly store: Store;
	readonly backbone: Backbone;
	readonly clock: Clock;
	readonly random: Random;
	readonly logger: Logger;
	readonly services: StepServices;
	/** what our own interrupted actions left open is settled before new events are looked at */
	readonly settle: (options: Cancellable & { readonly reconcile: boolean }) => Promise<Touched[]>;
}

export interface SyncReport {
	readonly touched: readonly Touched[];
	readonly failures: readonly InboxFailure[];
}

/**
 * One run at a time: ask for a run, and when there is one or something is open: lease, fetch into the
 * inbox, finalise, settle, apply (transport 13).
 */
export class SyncEngine {
	/** undefined: another process holds the lease */
	private readonly flight = new SingleFlight<SyncReport | undefined>();

	private readonly fetcher: SyncRunFetcher;

	private readonly mark: AskingMark;

	private readonly holder: string;

	/** of the newest sync of this process; the store learns of empty ones once a minute */
	private lastCompleted: { readonly at: number; readonly savedAt: number } | undefined;

	/** how often in a row a run was open that nobody seems to own */
	private refusals = 0;

	constructor(private readonly deps: SyncEngineDependencies) {
		this.fetcher = new SyncRunFetcher(deps);
		this.holder = newLeaseHolder(deps.random);
		this.mark = new AskingMark(deps.store, this.holder, deps.logger);
	}

	/** Milliseconds since the epoch; undefined when this process has not synced yet. */
	get lastCompletedAt(): number | undefined {
		return this.lastCompleted?.at;
	}

	/**
	 * Joins the run of this process if there is one. While another process syncs: waits its turn, or
	 * answers undefined at once when `skipIfBusy` is set.
	 */
	async run(
		options: Cancellable & { readonly skipIfBusy?: boolean },
	): Promise<SyncReport | undefined> {
		const { clock } = this.deps;
		const giveUpAt = clock.now() + leaseWaitMs;
		for (;;) {
			const report = await this.flight.run(() => this.attempt(options));
			if (report !== undefined || options.skipIfBusy === true) return report;
			if (clock.now() >= giveUpAt) {
				throw syncErrors.create('busyElsewhere', {
					message: 'Another process has been synchronising this account for over 30 seconds.',
				});
			}
			await sleep(100, options);
		}
	}

	/** Waits for the run that is under way, and ends in order. */
	async close(): Promise<void> {
		while (this.flight.isRunning) {
			await this.flight.run(() => Promise.resolve(undefined)).catch(() => undefined);
		}
		await this.mark.remove(async (tx) => {
			if (!this.fetcher.isUnsure) return;
			await this.fetcher.begin(tx, { runId: undefined, mayHaveLostEvents: true });
		});
	}

	/** The Backbone starts no run while our identity is about to be deleted: then the reason is read. */
	private async attempt(options: Cancellable): Promise<SyncReport | undefined> {
		const { services, logger } = this.deps;
		try {
			return await this.runIfFree(options);
		} catch (error) {
			if (isToBeDeleted(error)) {
				await services.identityDeletion.refresh(options).catch((reason: unknown) => {
					logger.debug('the deletion processes could not be read', { reason: String(reason) });
				});
			}
			throw error;
		}
	}

	private async runIfFree(options: Cancellable): Promise<SyncReport | undefined> {
		await this.mark.set(options);
		const seen = await this.deps.store.read((tx) => this.look(tx), options);
		if (seen === 'busyElsewhere') return undefined;
		if (seen === 'work') return await this.runUnderLease(undefined, options);
		let runId: string | undefined;
		try {
			runId = await this.fetcher.ask(options);
		} catch (error) {
			if (!isAnotherRunOpen(error)) throw error;
			// Most likely another process was faster and is about to take the lease.
			if (++this.refusals < refusalsOfOthers) return undefined;
			return await this.runUnderLease(undefined, options);
		}
		this.refusals = 0;
		if (runId !== undefined) return await this.runUnderLease(runId, options);
		await this.noteCompletion();
		return { touched: [], failures: [] };
	}

	/** Whether anything but asking the Backbone is to be done. */
	private async look(tx: ReadTransaction): Promise<'nothing' | 'work' | 'busyElsewhere'> {
		const { leases, state, hasOpenWork } = await tx.syncOverview();
		const running = leases.find(({ name }) => name === leaseName);
		if (running !== undefined && running.holder !== this.holder && !running.isOver) {
			return 'busyElsewhere';
		}
		const isOpen =
			this.fetcher.isUnsure ||
			abandonedMarks(leases, this.holder).length > 0 ||
			(state !== undefined && (state.phase !== 'idle' || state.reconciliationNeeded)) ||
			hasOpenWork;
		return isOpen ? 'work' : 'nothing';
	}

	private async runUnderLease(
		runId: string | undefined,
		options: Cancellable,
	): Promise<SyncReport | undefined> {
		const { store, logger } = this.deps;
		const begun = await this.begin(runId, options);
		if (begun === undefined) return undefined;
		const renewal = setInterval(() => {
			store
				.transact((tx) => tx.leases.take(leaseName, this.holder, leaseMs))
				.catch((error: unknown) => {
					logger.warn('the sync lease could not be renewed', { reason: String(error) });
				});
		}, leaseMs / 3);
		renewal.unref();
		try {
			return await this.syncNow(begun, options);
		} finally {
			clearInterval(renewal);
		}
	}

	/** Takes the lease. Another process may be about to end while the new run waits for its events. */
	private async begin(
		runId: string | undefined,
		options: Cancellable,
	): Promise<SyncState | undefined> {
		const { store, clock } = this.deps;
		const giveUpAt = runId === undefined ? 0 : clock.now() + openRunWaitMs;
		for (;;) {
			const begun = await store.transact(async (tx) => {
				if (!(await tx.leases.take(leaseName, this.holder, leaseMs))) return undefined;
				const abandoned = abandonedMarks(await tx.leases.list(), this.holder);
				for (const { name, holder } of abandoned) await tx.leases.drop(name, holder);
				const mayHaveLostEvents = this.fetcher.isUnsure || abandoned.length > 0;
				return await this.fetcher.begin(tx, { runId, mayHaveLostEvents });
			}, options);
			if (begun !== undefined) this.fetcher.suspicionStored();
			if (begun !== undefined || clock.now() >= giveUpAt) return begun;
			await sleep(100, options);
		}
	}

	private async syncNow(begun: SyncState, options: Cancellable): Promise<SyncReport> {
		const touched: Touched[] = [];
		const failures: InboxFailure[] = [];
		let isLeaseHeld = true;
		try {
			const state = await this.fetcher.fetchAll(begun, options);
			isLeaseHeld = await this.deps.store.transact((tx) => this.endFetching(tx, state));
			if (isLeaseHeld) {
				const { reconciliationNeeded: reconcile } = state;
				touched.push(...(await this.deps.settle({ ...options, reconcile })));
				if (reconcile) await this.deps.store.transact((tx) => this.fetcher.reconciled(tx));
				await this.applyInbox(touched, failures, options);
			}
		} finally {
			if (isLeaseHeld) await this.dropLease();
		}
		const now = this.deps.clock.now();
		this.lastCompleted = { at: now, savedAt: now };
		return { touched, failures };
	}

	/** Answers whether there is work left; otherwise this is the last transaction of the sync. */
	private async endFetching(tx: WriteTransaction, state: SyncState): Promise<boolean> {
		await this.fetcher.end(tx, state);
		if (state.reconciliationNeeded || (await tx.syncOverview()).hasOpenWork) return true;
		await tx.leases.drop(leaseName, this.holder);
		return false;
	}

	private async dropLease(): Promise<void> {
		try {
			await this.deps.store.transact((tx) => tx.leases.drop(leaseName, this.holder));
		} catch (error) {
			// It runs out by itself; whatever went wrong in the sync matters more.
			this.deps.logger.debug('the sync lease was not given back', { reason: String(error) });
		}
	}

	private async noteCompletion(): Promise<void> {
		const { store, clock } = this.deps;
		const at = clock.now();
		const savedAt = this.lastCompleted?.savedAt ?? 0;
		if (at - savedAt < saveEveryMs) {
			this.lastCompleted = { at, savedAt };
			return;
		}
		await store.transact((tx) => this.fetcher.noteEmptySync(tx));
		this.lastCompleted = { at, savedAt: at };
	}

	private async applyInbox(
		touched: Touched[],
		failures: InboxFailure[],
		options: Cancellable,
	): Promise<void> {
		const { store, clock } = this.deps;
		const due = await store.read((tx) => dueEvents(tx, clock));
		for (let start = 0; start < due.length; start += prefetchCount) {
			const batch = due.slice(start, start + prefetchCount);
			const messages = await this.prefetchMessages(batch, options);
			for (const event of batch) {
				throwIfAborted(options);
				const outcome = await this.applyEvent(event, messages, options);
				if ('code' in outcome) failures.push(outcome);
				else touched.push(outcome);
			}
		}
		if (due.length > 0) {
			const olderThan = isoInstant(clock.now() - inboxRetentionMs);
			await store.transact((tx) => pruneInbox(tx, olderThan));
		}
	}

	/** Applies one event and marks it done in the same transaction; failures are counted and kept. */
	private async applyEvent(
		event: InboxEvent,
		messages: ReadonlyMap<string, WireMessage>,
		options: Cancellable,
	): Promise<Touched | InboxFailure> {
		const { store, clock, logger, services } = this.deps;
		try {
			const apply = await prepareStep(event, services, messages, options);
			return await store.transact(async (tx: WriteTransaction) => {
				// Done already when another process was faster or a run was repeated.
				const current = await tx.inbox.get(event.id);
				if (current?.record.state !== 'pending') return {};
				const result = await apply(tx);
				await markDone(tx, event);
				return result;
			}, options);
		} catch (error) {
			throwIfAborted(options);
			// The Backbone or the store is away: nothing is wrong with the event, the sync fails whole.
			if (isGatewayError(error) && error.kind === 'unavailable') throw error;
			const { parked, ...failure } = await recordFailure(store, clock, event, error);
			logger.warn(parked ? 'an external event was given up' : 'an external event failed', {
				eventId: event.id,
				type: event.type,
				code: failure.code,
				reason: failure.message,
				attempt: event.attempts + 1,
				...(isGatewayError(error) ? {} : { detail: String(error) }),
			});
			return failure;
		}
	}

	/** One call for many messages; what is missing from the answer is asked for one by one later. */
	private async prefetchMessages(
		batch: readonly InboxEvent[],
		options: Cancellable,
	): Promise<ReadonlyMap<string, WireMessage>> {
		const ids = batch
			.filter((event) => event.type === 'MessageReceived')
			.map((event) => event.payload['id'])
			.filter((id) => typeof id === 'string');
		if (ids.length < 2) return new Map();
		try {
			const messages = await this.deps.backbone.messages.list(ids, options);
			return new Map(messages.map((message) => [message.id, message]));
		} catch (error) {
			throwIfAborted(options);
			// One bad or huge message must not hold up the others: each is fetched by itself.
			this.deps.logger.debug('fetching messages together failed', { reason: String(error) });
			return new Map();
		}
	}
}
