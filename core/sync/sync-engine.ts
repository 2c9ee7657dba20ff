import { sleep, type Cancellable } from '../base/abort';
import { isoInstant } from '../base/clock';
import { correlatedAnyway } from '../base/observation/correlation';
import { newLeaseHolder } from '../base/lease/lease-holder';
import { startLeaseRenewal } from '../base/lease/lease-renewal';
import type { Random } from '../base/random';
import { SingleFlight } from '../base/single-flight';
import { explainRefusal, isStillRefused } from '../domain/identity/deletion-refusal';
import type { ExternalEventFailure, SyncState } from '../model/record/sync';
import type { ReadTransaction, WriteTransaction } from '../store/store';
import { abandonedMarks, SyncRunMarker } from './sync-run-marker';
import { InboxApplier, type InboxApplierDependencies } from './inbox-applier';
import { isReconciliationDue } from './reconciliation/reconciliation-state';
import { syncErrors } from './sync-errors';
import type { SyncDemand } from './sync-demand';
import type { SyncAttempt, SyncReport } from './sync-result';
import { isAnotherRunOpen, SyncRunFetcher, type SyncRunDependencies } from './sync-run';
import type { ChangedIds } from './steps/step';
import { nextTryAt } from './waiting-events';

const leaseName = 'sync';
const leaseWaitMs = 30_000;
/** longest wait for an open run; a run that is not finalised expires after 10 s */
const openRunWaitMs = 5_000;
const refusalsOfOthers = 4;
const saveEveryMs = 60_000;
/** time after a manual sync until the process no longer counts as syncing */
const idleMs = 2_000;
/** pauses until the Backbone has noticed that the deletion of the own identity was cancelled */
const pausesAfterCancellationMs = [0, 500, 1_500];

export interface SyncEngineDependencies extends InboxApplierDependencies {
	readonly random: Random;
	readonly leaseMs: number;
	/** runs a sync and observes its duration and result */
	readonly observe: (sync: SyncAttempt) => ReturnType<SyncAttempt>;
	readonly push: SyncRunDependencies['push'];
	/**
	 * checks whether the store is an old backup, which is easier to detect before anything is
	 * fetched; never fails
	 */
	readonly lookAtStore: (options: Cancellable) => Promise<void>;
	/** completes interrupted actions of this account before new events are examined */
	readonly settle: (options: Cancellable) => Promise<ChangedIds[]>;
	/** adds to the inbox the changes that the Backbone has stored but never reported */
	readonly reconcile: (options: Cancellable) => Promise<ChangedIds[]>;
	readonly demand: Pick<SyncDemand, 'isFollowed'>;
	/** called after every completed sync of any kind */
	readonly afterSync: () => void;
	/** work caused by new events that needs the Backbone; never fails a sync */
	readonly followUp: (options: Cancellable) => Promise<void>;
}

/**
 * Runs one sync at a time. It asks for a run; if there is one, or there is open work, it takes the
 * lease, fetches events into the inbox, finalises the run, completes interrupted actions, and
 * applies the events (transport 13).
 */
export class SyncEngine {
	/** running sync; its result is undefined if another process holds the lease */
	private readonly flight = new SingleFlight<SyncReport | undefined>();

	private readonly fetcher: SyncRunFetcher;

	private readonly inbox: InboxApplier;

	private readonly mark: SyncRunMarker;

	private readonly holder: string;

	/** times of the newest sync of this process; syncs without events are stored once a minute */
	private lastCompleted: { readonly at: number; readonly savedAt: number } | undefined;

	/** True if the newest sync of this process has found, or may have left, open work. */
	private hasOpenWork = true;

	private idle: NodeJS.Timeout | undefined;

	/** number of consecutive refusals because of an open run without a known owner */
	private refusals = 0;

	constructor(private readonly dependencies: SyncEngineDependencies) {
		this.fetcher = new SyncRunFetcher(dependencies);
		this.inbox = new InboxApplier(dependencies);
		const { store, logger, random, leaseMs } = dependencies;
		this.holder = newLeaseHolder(random);
		this.mark = new SyncRunMarker(store, this.holder, logger, leaseMs);
	}

	/**
	 * Time of the last sync in milliseconds since the epoch; undefined before the first sync of this
	 * process.
	 */
	get lastCompletedAt(): number | undefined {
		return this.lastCompleted?.at;
	}

	/**
	 * Returns the time of the next planned retry in milliseconds since the epoch, without access to
	 * the store if there is no open work.
	 */
	async nextDueAt(options: Cancellable): Promise<number | undefined> {
		if (!this.hasOpenWork) return undefined;
		const { store, clock } = this.dependencies;
		return await store.read((tx) => nextTryAt(tx, clock.now()), options);
	}

	/**
	 * Joins the running sync of this process or starts one. While another process syncs, waits for
	 * its end, or returns undefined at once if `skipIfBusy` is set.
	 */
	async run(
		options: Cancellable & { readonly skipIfBusy?: boolean },
	): Promise<SyncReport | undefined> {
		const { clock, observe } = this.dependencies;
		const giveUpAt = clock.now() + leaseWaitMs;
		for (;;) {
			const report = await this.flight
				.run(() => correlatedAnyway(() => observe(() => this.attempt(options))), options)
				.finally(() => this.endAskingWhenIdle());
			if (report !== undefined) this.dependencies.afterSync();
			if (report !== undefined || options.skipIfBusy === true) return report;
			if (clock.now() >= giveUpAt) {
				throw syncErrors.create('busyElsewhere', {
					message: 'Another process has been synchronising this account for over 30 seconds.',
				});
			}
			await sleep(100, options);
		}
	}

	/** Waits for the running sync and removes the mark. */
	async close(): Promise<void> {
		await this.endAsking();
	}

	/**
	 * Removes the mark of this process once no regular sync is left: hosts end without closing the
	 * account, and a remaining mark looks like an interrupted sync. The next run sets it again.
	 */
	async endAsking(): Promise<void> {
		clearTimeout(this.idle);
		await this.flight.settled();
		let isStored = false;
		await this.mark.remove(async (tx) => {
			if (!this.fetcher.mayHaveLostRun) return;
			await this.fetcher.begin(tx, { runId: undefined, mayHaveLostEvents: true });
			isStored = true;
		});
		if (isStored) this.fetcher.markLossRecorded();
	}

	/**
	 * Removes the mark some time after a run without a follower: further manual runs may follow soon
	 * and reuse it.
	 */
	private endAskingWhenIdle(): void {
		clearTimeout(this.idle);
		const { logger } = this.dependencies;
		this.idle = setTimeout(() => {
			if (this.dependencies.demand.isFollowed) return;
			this.endAsking().catch((error: unknown) => {
				logger.debug('the mark of the sync was not removed', { reason: String(error) });
			});
		}, idleMs).unref();
	}

	/**
	 * Runs one sync. If the Backbone refuses it because of the deletion of the own identity, the
	 * stored deletion processes are updated.
	 */
	private async attempt(options: Cancellable): Promise<SyncReport | undefined> {
		const { identityDeletion } = this.dependencies.services;
		for (let refusals = 0; ; refusals++) {
			try {
				return await this.runIfFree(options);
			} catch (error) {
				const reason = await explainRefusal(identityDeletion, error, options);
				const pauseMs = pausesAfterCancellationMs[refusals];
				if (pauseMs === undefined || !isStillRefused(reason)) throw reason;
				await sleep(pauseMs, options);
			}
		}
	}

	private async runIfFree(options: Cancellable): Promise<SyncReport | undefined> {
		await this.dependencies.lookAtStore(options);
		await this.mark.set(options);
		const seen = await this.dependencies.store.read((tx) => this.look(tx), options);
		if (seen === 'busyElsewhere') return undefined;
		if (seen === 'work') return await this.runUnderLease(undefined, options);
		let runId: string | undefined;
		try {
			runId = await this.fetcher.ask(options);
		} catch (error) {
			if (!isAnotherRunOpen(error)) throw error;
			// Another process was probably faster and is about to take the lease.
			if (++this.refusals < refusalsOfOthers) return undefined;
			return await this.runUnderLease(undefined, options);
		}
		this.refusals = 0;
		if (runId !== undefined) return await this.runUnderLease(runId, options);
		await this.noteCompletion();
		return { touched: [], failures: [] };
	}

	/** Determines the open work besides asking the Backbone; undefined without any. */
	private async look(tx: ReadTransaction): Promise<'work' | 'busyElsewhere' | undefined> {
		const { leases, state, inboxDueAt, workDueAt } = await tx.syncOverview();
		this.hasOpenWork = (inboxDueAt ?? workDueAt) !== undefined;
		const running = leases.find(({ name }) => name === leaseName);
		if (running !== undefined && running.holder !== this.holder && !running.isExpired) {
			return 'busyElsewhere';
		}
		const isOpen =
			this.fetcher.mayHaveLostRun ||
			abandonedMarks(leases, this.holder).length > 0 ||
			(state !== undefined && state.phase !== 'idle') ||
			isReconciliationDue(state, this.dependencies.clock.now()) ||
			this.isDue(inboxDueAt) ||
			this.isDue(workDueAt);
		return isOpen ? 'work' : undefined;
	}

	private isDue(dueAt: string | undefined): boolean {
		return dueAt !== undefined && dueAt <= isoInstant(this.dependencies.clock.now());
	}

	private async runUnderLease(
		runId: string | undefined,
		options: Cancellable,
	): Promise<SyncReport | undefined> {
		const { store, logger, leaseMs } = this.dependencies;
		this.hasOpenWork = true;
		const begun = await this.begin(runId, options);
		if (begun === undefined) return undefined;
		const lease = { name: leaseName, holder: this.holder };
		const take = (tx: WriteTransaction) => tx.leases.take(leaseName, this.holder, leaseMs);
		const stopRenewal = startLeaseRenewal({
			leaseMs,
			// The renewal is fenced as well: after a successor has taken and dropped the lease, this
			// process must not take it again.
			renew: () => store.underLease(lease, () => store.transact(take)),
			onFailure: (error) =>
				logger.warn('the sync lease could not be renewed', { reason: String(error) }),
		});
		try {
			// A process that was suspended for longer than the lease must not commit while its successor
			// runs.
			return await store.underLease(lease, () => this.syncNow(begun, options));
		} finally {
			stopRenewal();
		}
	}

	/** Takes the lease. With a new run, waits for a process that may be about to finish. */
	private async begin(
		runId: string | undefined,
		options: Cancellable,
	): Promise<SyncState | undefined> {
		const { store, clock, leaseMs } = this.dependencies;
		const giveUpAt = runId === undefined ? 0 : clock.now() + openRunWaitMs;
		// A known run is stored even if the sync was aborted, so that the next sync continues it.
		const whole = runId === undefined ? options : {};
		for (;;) {
			const begun = await store.transact(async (tx) => {
				const [isTaken, leases] = await Promise.all([
					tx.leases.take(leaseName, this.holder, leaseMs),
					tx.leases.list(),
				]);
				if (!isTaken) return undefined;
				const abandoned = abandonedMarks(leases, this.holder);
				for (const { name, holder } of abandoned) await tx.leases.drop(name, holder);
				const mayHaveLostEvents = this.fetcher.mayHaveLostRun || abandoned.length > 0;
				return await this.fetcher.begin(tx, { runId, mayHaveLostEvents });
			}, whole);
			if (begun !== undefined) this.fetcher.markLossRecorded();
			if (begun !== undefined || clock.now() >= giveUpAt) return begun;
			await sleep(100, whole);
		}
	}

	private async syncNow(begun: SyncState, options: Cancellable): Promise<SyncReport> {
		const touched: ChangedIds[] = [];
		const failures: ExternalEventFailure[] = [];
		let isLeaseHeld = true;
		try {
			const state = await this.fetcher.fetchAll(begun, options);
			const ended = await this.dependencies.store.transact((tx) => this.endFetching(tx, state));
			isLeaseHeld = ended !== undefined;
			if (ended !== undefined) {
				if (ended.isWorkDue) touched.push(...(await this.dependencies.settle(options)));
				await this.inbox.apply({ touched, failures }, options);
				if (ended.reconcile) {
					// Reported events are stored by now, so the comparison does not find them again.
					touched.push(...(await this.dependencies.reconcile(options)));
					await this.inbox.apply({ touched, failures }, options);
				}
				await this.dependencies.followUp(options);
			}
		} finally {
			if (isLeaseHeld) await this.dropLease();
		}
		const now = this.dependencies.clock.now();
		this.lastCompleted = { at: now, savedAt: now };
		return { touched, failures };
	}

	/**
	 * Ends fetching and returns which work is left; undefined without any, and then this is the last
	 * transaction of the sync.
	 */
	private async endFetching(
		tx: WriteTransaction,
		state: SyncState,
	): Promise<{ readonly reconcile: boolean; readonly isWorkDue: boolean } | undefined> {
		const { inboxDueAt, workDueAt } = await tx.syncOverview();
		const ended = await this.fetcher.end(tx, state);
		const reconcile = isReconciliationDue(ended, this.dependencies.clock.now());
		const isWorkDue = this.isDue(workDueAt);
		if (reconcile || isWorkDue || this.isDue(inboxDueAt)) return { reconcile, isWorkDue };
		await tx.leases.drop(leaseName, this.holder);
		return undefined;
	}

	private async dropLease(): Promise<void> {
		const { store, logger } = this.dependencies;
		try {
			await store.transact((tx) => tx.leases.drop(leaseName, this.holder));
		} catch (error) {
			// The lease expires by itself; a failure of the sync is more important.
			logger.debug('the sync lease was not given back', { reason: String(error) });
		}
	}

	private async noteCompletion(): Promise<void> {
		const { store, clock } = this.dependencies;
		const at = clock.now();
		const savedAt = this.lastCompleted?.savedAt ?? 0;
		if (at - savedAt < saveEveryMs) {
			this.lastCompleted = { at, savedAt };
			return;
		}
		await store.transact((tx) => this.fetcher.noteEmptySync(tx));
		this.lastCompleted = { at, savedAt: at };
	}
}
