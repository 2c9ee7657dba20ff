import { sleep, type Cancellable } from '../base/abort';
import { isoInstant } from '../base/clock';
import { correlatedAnyway } from '../base/correlation';
import { newLeaseHolder } from '../base/lease-holder';
import type { Random } from '../base/random';
import { SingleFlight } from '../base/single-flight';
import { explainRefusal, isStillRefused } from '../domain/identity/deletion-refusal';
import type { ExternalEventFailure, SyncState } from '../model/record/sync';
import type { ReadTransaction, WriteTransaction } from '../store/store';
import { abandonedMarks, AskingMark } from './asking-mark';
import { InboxApplier, type InboxApplierDependencies } from './inbox-applier';
import { isReconciliationDue } from './reconciliation/reconciliation-state';
import { syncErrors } from './sync-errors';
import { isAnotherRunOpen, SyncRunFetcher, type SyncRunDependencies } from './sync-run';
import type { Touched } from './steps';
import { nextTryAt } from './waiting-events';

const leaseName = 'sync';
const leaseWaitMs = 30_000;
/** a run that nobody finalises expires after 10 s */
const openRunWaitMs = 5_000;
const refusalsOfOthers = 4;
const saveEveryMs = 60_000;
/** after a sync by hand, until the process counts as one that asks no more */
const idleMs = 2_000;
/** until a Backbone has noticed that the deletion of our identity was cancelled */
const pausesAfterCancellationMs = [0, 500, 1_500];

export interface SyncEngineDependencies extends InboxApplierDependencies {
	readonly random: Random;
	readonly leaseMs: number;
	readonly eventsFound: SyncRunDependencies['eventsFound'];
	/** whether the store is an old backup, which is easier to tell before anything is fetched; never fails */
	readonly lookAtStore: (options: Cancellable) => Promise<void>;
	/** what our own interrupted actions left open is settled before new events are looked at */
	readonly settle: (options: Cancellable) => Promise<Touched[]>;
	/** puts into the inbox what the Backbone has stored and never announced */
	readonly reconcile: (options: Cancellable) => Promise<Touched[]>;
	/** whether a loop syncs this account in this process */
	readonly isFollowed: () => boolean;
	/** after every sync that was made, of any kind */
	readonly afterSync: () => void;
	/** what new events leave to be done that needs the Backbone; never fails a sync */
	readonly followUp: (options: Cancellable) => Promise<void>;
}

export interface SyncReport {
	readonly touched: readonly Touched[];
	readonly failures: readonly ExternalEventFailure[];
}

/**
 * One run at a time: ask for a run, and when there is one or something is open: lease, fetch into the
 * inbox, finalise, settle, apply (transport 13).
 */
export class SyncEngine {
	/** undefined: another process holds the lease */
	private readonly flight = new SingleFlight<SyncReport | undefined>();

	private readonly fetcher: SyncRunFetcher;

	private readonly inbox: InboxApplier;

	private readonly mark: AskingMark;

	private readonly holder: string;

	/** of the newest sync of this process; the store learns of empty ones once a minute */
	private lastCompleted: { readonly at: number; readonly savedAt: number } | undefined;

	/** Whether the newest sync of this process has seen, or may have left, anything that is to be done. */
	private hasOpenWork = true;

	private idle: NodeJS.Timeout | undefined;

	/** how often in a row a run was open that nobody seems to own */
	private refusals = 0;

	constructor(private readonly deps: SyncEngineDependencies) {
		this.fetcher = new SyncRunFetcher(deps);
		this.inbox = new InboxApplier(deps);
		this.holder = newLeaseHolder(deps.random);
		this.mark = new AskingMark(deps.store, this.holder, deps.logger, deps.leaseMs);
	}

	/** Milliseconds since the epoch; undefined when this process has not synced yet. */
	get lastCompletedAt(): number | undefined {
		return this.lastCompleted?.at;
	}

	/** When a planned retry is due, milliseconds since the epoch; costs nothing where nothing is open. */
	async nextDueAt(options: Cancellable): Promise<number | undefined> {
		if (!this.hasOpenWork) return undefined;
		const { store, clock } = this.deps;
		return await store.read((tx) => nextTryAt(tx, clock.now()), options);
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
			const report = await this.flight
				.run(() => this.attempt(options), options)
				.finally(() => this.endAskingWhenIdle());
			if (report !== undefined) this.deps.afterSync();
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
		await this.endAsking();
	}

	/**
	 * To be called when nothing syncs regularly any more: hosts end without closing what is open, and a
	 * mark that is left behind looks like an interrupted sync. The next run sets it again.
	 */
	async endAsking(): Promise<void> {
		clearTimeout(this.idle);
		while (this.flight.isRunning) {
			await this.flight.run(() => Promise.resolve(undefined)).catch(() => undefined);
		}
		let isStored = false;
		await this.mark.remove(async (tx) => {
			if (!this.fetcher.isUnsure) return;
			await this.fetcher.begin(tx, { runId: undefined, mayHaveLostEvents: true });
			isStored = true;
		});
		if (isStored) this.fetcher.suspicionStored();
	}

	/** After a run that nobody follows: further ones by hand may come soon, and find the mark set. */
	private endAskingWhenIdle(): void {
		clearTimeout(this.idle);
		if (this.deps.isFollowed()) return;
		this.idle = setTimeout(() => {
			if (this.deps.isFollowed()) return;
			this.endAsking().catch((error: unknown) => {
				this.deps.logger.debug('the mark of the sync was not removed', { reason: String(error) });
			});
		}, idleMs);
		this.idle.unref();
	}

	/** A run that was refused because of the deletion of our identity brings its processes in line. */
	private async attempt(options: Cancellable): Promise<SyncReport | undefined> {
		const { identityDeletion } = this.deps.services;
		for (let refusals = 0; ; refusals++) {
			try {
				return await correlatedAnyway(() => this.runIfFree(options));
			} catch (error) {
				const reason = await explainRefusal(identityDeletion, error, options);
				const pauseMs = pausesAfterCancellationMs[refusals];
				if (pauseMs === undefined || !isStillRefused(reason)) throw reason;
				await sleep(pauseMs, options);
			}
		}
	}

	private async runIfFree(options: Cancellable): Promise<SyncReport | undefined> {
		await this.deps.lookAtStore(options);
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
		const { leases, state, openWorkDueAt } = await tx.syncOverview();
		this.hasOpenWork = openWorkDueAt !== undefined;
		const running = leases.find(({ name }) => name === leaseName);
		if (running !== undefined && running.holder !== this.holder && !running.isOver) {
			return 'busyElsewhere';
		}
		const isOpen =
			this.fetcher.isUnsure ||
			abandonedMarks(leases, this.holder).length > 0 ||
			(state !== undefined && state.phase !== 'idle') ||
			isReconciliationDue(state, this.deps.clock.now()) ||
			this.isDue(openWorkDueAt);
		return isOpen ? 'work' : 'nothing';
	}

	private isDue(openWorkDueAt: string | undefined): boolean {
		return openWorkDueAt !== undefined && openWorkDueAt <= isoInstant(this.deps.clock.now());
	}

	private async runUnderLease(
		runId: string | undefined,
		options: Cancellable,
	): Promise<SyncReport | undefined> {
		const { store, logger, leaseMs } = this.deps;
		this.hasOpenWork = true;
		const begun = await this.begin(runId, options);
		if (begun === undefined) return undefined;
		const lease = { name: leaseName, holder: this.holder };
		const renewal = setInterval(() => {
			// Under it as well: one that was lost, and given back by the successor, must not be taken anew.
			store
				.underLease(lease, () =>
					store.transact((tx) => tx.leases.take(leaseName, this.holder, leaseMs)),
				)
				.catch((error: unknown) => {
					logger.warn('the sync lease could not be renewed', { reason: String(error) });
				});
		}, leaseMs / 3);
		renewal.unref();
		try {
			// Whoever stood still for longer than the lease must not commit beside its successor.
			return await store.underLease(lease, () => this.syncNow(begun, options));
		} finally {
			clearInterval(renewal);
		}
	}

	/** Takes the lease. Another process may be about to end while the new run waits for its events. */
	private async begin(
		runId: string | undefined,
		options: Cancellable,
	): Promise<SyncState | undefined> {
		const { store, clock, leaseMs } = this.deps;
		const giveUpAt = runId === undefined ? 0 : clock.now() + openRunWaitMs;
		// A run that is known is stored even if the sync is to end: the next one goes on with it.
		const whole = runId === undefined ? options : {};
		for (;;) {
			const begun = await store.transact(async (tx) => {
				if (!(await tx.leases.take(leaseName, this.holder, leaseMs))) return undefined;
				const abandoned = abandonedMarks(await tx.leases.list(), this.holder);
				for (const { name, holder } of abandoned) await tx.leases.drop(name, holder);
				const mayHaveLostEvents = this.fetcher.isUnsure || abandoned.length > 0;
				return await this.fetcher.begin(tx, { runId, mayHaveLostEvents });
			}, whole);
			if (begun !== undefined) this.fetcher.suspicionStored();
			if (begun !== undefined || clock.now() >= giveUpAt) return begun;
			await sleep(100, whole);
		}
	}

	private async syncNow(begun: SyncState, options: Cancellable): Promise<SyncReport> {
		const touched: Touched[] = [];
		const failures: ExternalEventFailure[] = [];
		let isLeaseHeld = true;
		try {
			const state = await this.fetcher.fetchAll(begun, options);
			const ended = await this.deps.store.transact((tx) => this.endFetching(tx, state));
			isLeaseHeld = ended.hasWork;
			if (ended.hasWork) {
				const { reconcile } = ended;
				touched.push(...(await this.deps.settle(options)));
				await this.inbox.apply({ touched, failures }, options);
				if (reconcile) {
					// What was announced is stored by now, and not found again.
					touched.push(...(await this.deps.reconcile(options)));
					await this.inbox.apply({ touched, failures }, options);
				}
				await this.deps.followUp(options);
			}
		} finally {
			if (isLeaseHeld) await this.dropLease();
		}
		const now = this.deps.clock.now();
		this.lastCompleted = { at: now, savedAt: now };
		return { touched, failures };
	}

	/** Answers whether there is work left; otherwise this is the last transaction of the sync. */
	private async endFetching(
		tx: WriteTransaction,
		state: SyncState,
	): Promise<{ readonly hasWork: boolean; readonly reconcile: boolean }> {
		const ended = await this.fetcher.end(tx, state);
		const reconcile = isReconciliationDue(ended, this.deps.clock.now());
		const { openWorkDueAt } = await tx.syncOverview();
		if (reconcile || this.isDue(openWorkDueAt)) return { hasWork: true, reconcile };
		await tx.leases.drop(leaseName, this.holder);
		return { hasWork: false, reconcile };
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
}
