import { sleep, type Cancellable } from '../base/abort';
import { correlatedAnyway } from '../base/correlation';
import { newLeaseHolder } from '../base/lease-holder';
import type { Random } from '../base/random';
import { SingleFlight } from '../base/single-flight';
import { isToBeDeleted } from '../domain/identity/identity-deletion';
import type { ExternalEventFailure, SyncState } from '../model/record/sync';
import type { ReadTransaction, WriteTransaction } from '../store/store';
import { abandonedMarks, AskingMark } from './asking-mark';
import { InboxApplier, type InboxApplierDependencies } from './inbox-applier';
import { syncErrors } from './sync-errors';
import { isAnotherRunOpen, SyncRunFetcher } from './sync-run';
import type { Touched } from './steps';

const leaseName = 'sync';
const leaseMs = 60_000;
const leaseWaitMs = 30_000;
/** a run that nobody finalises expires after 10 s */
const openRunWaitMs = 5_000;
const refusalsOfOthers = 4;
const saveEveryMs = 60_000;

export interface SyncEngineDependencies extends InboxApplierDependencies {
	readonly random: Random;
	/** what our own interrupted actions left open is settled before new events are looked at */
	readonly settle: (options: Cancellable & { readonly reconcile: boolean }) => Promise<Touched[]>;
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

	/** how often in a row a run was open that nobody seems to own */
	private refusals = 0;

	constructor(private readonly deps: SyncEngineDependencies) {
		this.fetcher = new SyncRunFetcher(deps);
		this.inbox = new InboxApplier(deps);
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
			return await correlatedAnyway(() => this.runIfFree(options));
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
		const failures: ExternalEventFailure[] = [];
		let isLeaseHeld = true;
		try {
			const state = await this.fetcher.fetchAll(begun, options);
			const ended = await this.deps.store.transact((tx) => this.endFetching(tx, state));
			isLeaseHeld = ended.hasWork;
			if (ended.hasWork) {
				const { reconcile } = ended;
				touched.push(...(await this.deps.settle({ ...options, reconcile })));
				if (reconcile) await this.deps.store.transact((tx) => this.fetcher.reconciled(tx));
				await this.inbox.apply({ touched, failures }, options);
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
		const { reconciliationNeeded: reconcile } = await this.fetcher.end(tx, state);
		if (reconcile || (await tx.syncOverview()).hasOpenWork) return { hasWork: true, reconcile };
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
