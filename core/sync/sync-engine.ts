import { sleep, throwIfAborted, type Cancellable } from '../base/abort';
import { newLeaseHolder } from '../base/lease-holder';
import { isoInstant, type Clock } from '../base/clock';
import { isGatewayError } from '../base/errors';
import type { Logger } from '../base/logger';
import type { Random } from '../base/random';
import { SingleFlight } from '../base/single-flight';
import type { Backbone } from '../backbone/backbone';
import type { WireMessage } from '../backbone/dto';
import type { InboxEvent, SyncState } from '../model/record/sync';
import type { Store, WriteTransaction } from '../store/store';
import { hasOpenWork } from './settle';
import { syncErrors } from './sync-errors';
import { dueEvents, markDone, pruneInbox, recordFailure, type InboxFailure } from './sync-inbox';
import { SyncRunFetcher } from './sync-run';
import { prepareStep, type StepServices, type Touched } from './steps';

const leaseMs = 60_000;
const leaseWaitMs = 30_000;
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

/** One run at a time: lease, fetch into the inbox, finalise, settle, apply (transport 13). */
export class SyncEngine {
	/** undefined: another process holds the lease */
	private readonly flight = new SingleFlight<SyncReport | undefined>();

	private readonly fetcher: SyncRunFetcher;

	private readonly holder: string;

	constructor(private readonly deps: SyncEngineDependencies) {
		this.fetcher = new SyncRunFetcher(deps);
		this.holder = newLeaseHolder(deps.random);
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
			const report = await this.flight.run(() => this.runIfFree(options));
			if (report !== undefined || options.skipIfBusy === true) return report;
			if (clock.now() >= giveUpAt) {
				throw syncErrors.create('busyElsewhere', {
					message: 'Another process has been synchronising this account for over 30 seconds.',
				});
			}
			await sleep(100, options);
		}
	}

	/** Resolves when no run is under way any more. */
	async idle(): Promise<void> {
		while (this.flight.isRunning) {
			await this.flight.run(() => Promise.resolve(undefined)).catch(() => undefined);
		}
	}

	private async runIfFree(options: Cancellable): Promise<SyncReport | undefined> {
		const { store, logger } = this.deps;
		const take = (tx: WriteTransaction): Promise<boolean> =>
			tx.leases.take('sync', this.holder, leaseMs);
		const begun = await store.transact(
			async (tx) => ((await take(tx)) ? await this.fetcher.begin(tx) : undefined),
			options,
		);
		if (begun === undefined) return undefined;
		const renewal = setInterval(() => {
			store.transact(take).catch((error: unknown) => {
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
		return { touched, failures };
	}

	/** Most syncs find nothing: then this is their last transaction. Answers whether there is work. */
	private async endFetching(tx: WriteTransaction, state: SyncState): Promise<boolean> {
		await this.fetcher.end(tx, state);
		if (state.reconciliationNeeded || (await hasOpenWork(tx))) return true;
		await tx.leases.drop('sync', this.holder);
		return false;
	}

	private async dropLease(): Promise<void> {
		try {
			await this.deps.store.transact((tx) => tx.leases.drop('sync', this.holder));
		} catch (error) {
			// It runs out by itself; whatever went wrong in the sync matters more.
			this.deps.logger.debug('the sync lease was not given back', { reason: String(error) });
		}
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
