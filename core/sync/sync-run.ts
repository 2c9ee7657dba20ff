import { sleep, throwIfAborted, withGrace, type Cancellable } from '../base/abort';
import { isoInstant, type Clock } from '../base/clock';
import { codeOf, isGatewayError } from '../base/errors';
import type { Logger } from '../base/logger';
import type { Backbone } from '../backbone/backbone';
import type { WireExternalEvent } from '../backbone/dto';
import { isOutcomeUnknown } from '../domain/outcome';
import type { InboxEvent, SyncState } from '../model/record/sync';
import type { Store, WriteTransaction } from '../store/store';
import { dayMs } from './reconciliation/reconciliation-state';

const anotherRunIsOpen =
	'error.platform.validation.syncRun.cannotStartSyncRunWhenAnotherSyncRunIsRunning';
const alreadyFinalized = 'error.platform.validation.syncRun.syncRunAlreadyFinalized';
/** a run that nobody finalises expires after 10 s (docs/protocol/backbone-api.md 11.1) */
const openRunPatienceMs = 12_000;

/** for the answer to a question that is under way when the sync is to end: it may name a run */
const askingGraceMs = 2_000;

/** runs that one sync fetches: a Backbone that always has more must not keep us from applying it */
const maxRunsPerSync = 20;

/** A new account has nothing to lose yet: it is compared after its first day. */
function neverSynced(now: number): SyncState {
	const reconciliation = { dueAt: isoInstant(now + dayMs) };
	return { id: 'sync', phase: 'idle', reconciliationNeeded: false, reconciliation };
}

export interface SyncRunDependencies {
	readonly store: Store;
	readonly backbone: Backbone;
	readonly clock: Clock;
	readonly logger: Logger;
	/** creation times of what was received, milliseconds since the epoch by the Backbone's clock */
	readonly eventsFound: (createdAt: readonly number[]) => void;
}

/**
 * Brings external events from the Backbone into the durable inbox. The run's id is stored before its
 * events are asked for and the events before the run is finalised, so that a process that dies
 * anywhere in between goes on with the same run (docs/adr/0007).
 */
export class SyncRunFetcher {
	private mayHaveLostRun = false;

	constructor(private readonly deps: SyncRunDependencies) {}

	/** Whether a run may have been created whose id we did not get to see. */
	get isUnsure(): boolean {
		return this.mayHaveLostRun;
	}

	/** The id of a new run; undefined when the Backbone has no events. */
	async ask(options: Cancellable): Promise<string | undefined> {
		throwIfAborted(options);
		try {
			const { syncRuns } = this.deps.backbone;
			const run = await withGrace(options, askingGraceMs, (late) =>
				syncRuns.start('ExternalEventSync', late),
			);
			return run?.id;
		} catch (error) {
			this.mayHaveLostRun ||= !isAnotherRunOpen(error) && mayHaveArrived(error);
			throw error;
		}
	}

	/** Under the lease: what there is to go on with. @param runId of a run that was just created */
	async begin(
		tx: WriteTransaction,
		found: { readonly runId: string | undefined; readonly mayHaveLostEvents: boolean },
	): Promise<SyncState> {
		const stored = (await tx.syncState.get('sync'))?.record;
		const reconciliationNeeded = found.mayHaveLostEvents || (stored?.reconciliationNeeded ?? false);
		const known = { ...(stored ?? this.neverSynced()), reconciliationNeeded };
		// A run that somebody else did not finish is over when there is a new one.
		const state: SyncState =
			found.runId === undefined ? known : { ...known, phase: 'fetching', runId: found.runId };
		if (stored === undefined) await tx.syncState.insert(state, undefined);
		else await tx.syncState.update(state);
		return state;
	}

	/** After `begin` with `mayHaveLostEvents` was committed: from now on the store knows. */
	suspicionStored(): void {
		this.mayHaveLostRun = false;
	}

	/** Fetches until the Backbone has nothing new. @param begun the answer of `begin` */
	async fetchAll(begun: SyncState, options: Cancellable): Promise<SyncState> {
		let { state, more } = await this.goOn(begun, options);
		for (let runs = 1; more && runs <= maxRunsPerSync; runs++) {
			const started = await this.start(state, options);
			if (started.runId === undefined) return started.state;
			const { runId } = started;
			state = await this.save({ ...started.state, phase: 'fetching', runId });
			({ state, more } = await this.fetch(state, runId, options));
		}
		return state;
	}

	/** Nothing is under way any more. */
	async end(tx: WriteTransaction, state: SyncState): Promise<SyncState> {
		return await write(tx, { ...withoutRun(state), lastCompletedAt: this.now() });
	}

	async noteEmptySync(tx: WriteTransaction): Promise<void> {
		const stored = await tx.syncState.get('sync');
		const state = { ...(stored?.record ?? this.neverSynced()), lastCompletedAt: this.now() };
		if (stored === undefined) await tx.syncState.insert(state, undefined);
		else await tx.syncState.update(state);
	}

	/** Finishes a run whose id is known. */
	private async goOn(begun: SyncState, options: Cancellable): Promise<FinishedRun> {
		if (begun.phase === 'idle' || begun.runId === undefined) {
			return { state: withoutRun(begun), more: true };
		}
		try {
			return begun.phase === 'fetching'
				? await this.fetch(begun, begun.runId, options)
				: await this.finalize(begun, begun.runId, options);
		} catch (error) {
			if (codeOf(error) !== 'error.runtime.recordNotFound') throw error;
			// Its expiry cost its events one of three offers.
			return { state: { ...withoutRun(begun), reconciliationNeeded: true }, more: true };
		}
	}

	private async save(state: SyncState): Promise<SyncState> {
		return await this.deps.store.transact((tx) => write(tx, state));
	}

	/** As `ask`, waiting until a run that is open has expired. */
	private async start(
		begun: SyncState,
		options: Cancellable,
	): Promise<{ readonly state: SyncState; readonly runId: string | undefined }> {
		const { clock, logger } = this.deps;
		const giveUpAt = clock.now() + openRunPatienceMs;
		let state = begun;
		for (;;) {
			try {
				return { state, runId: await this.ask(options) };
			} catch (error) {
				if (!isAnotherRunOpen(error) || clock.now() >= giveUpAt) throw error;
				// One device per identity: the open run is one of ours whose answer was lost.
				if (!state.reconciliationNeeded) {
					state = await this.save({ ...state, reconciliationNeeded: true });
				}
				logger.info('waiting for an interrupted sync run to expire');
				await sleep(1_000, options);
			}
		}
	}

	private async fetch(state: SyncState, runId: string, options: Cancellable): Promise<FinishedRun> {
		const { backbone, store } = this.deps;
		let events: WireExternalEvent[];
		let isWhole = true;
		const onUnreadable = (): void => {
			isWhole = false;
		};
		try {
			events = await backbone.syncRuns.events(runId, { ...options, onUnreadable });
		} catch (error) {
			if (codeOf(error) !== alreadyFinalized) throw error;
			events = [];
		}
		const next = await store.transact(async (tx) => {
			for (const event of events) {
				const received = toInboxEvent(event, runId, this.deps.clock.now());
				if (await tx.inbox.insert(received, undefined)) continue;
				// Offered again although we have it: this run must report it too, its state stays.
				const known = await tx.inbox.get(event.id);
				if (known !== undefined) await tx.inbox.update({ ...known.record, runId });
			}
			// What was left out, or says nothing of its object, is found by a comparison.
			const isUnclear = !isWhole || events.some(({ type }) => type === undefined);
			const reconciliationNeeded = state.reconciliationNeeded || isUnclear;
			return await write(tx, { ...state, reconciliationNeeded, phase: 'finalizing' });
		});
		this.deps.eventsFound(
			events.flatMap(({ createdAt }) => (createdAt === undefined ? [] : [Date.parse(createdAt)])),
		);
		const finished = await this.finalize(next, runId, options);
		// What was left out is offered again, three times in all: the next offer is for the next sync.
		return { ...finished, more: finished.more && isWhole };
	}

	private async finalize(
		state: SyncState,
		runId: string,
		options: Cancellable,
	): Promise<FinishedRun> {
		const { backbone, store } = this.deps;
		const stored = await store.read((tx) =>
			tx.inbox.list({ where: [{ field: 'runId', op: 'eq', value: runId }] }),
		);
		const results = stored.map(({ record }) => ({ externalEventId: record.id }));
		let more = true;
		try {
			const outcome = await backbone.syncRuns.finalizeExternalEventSync(runId, results, options);
			more = outcome.newUnsyncedExternalEventsExist;
		} catch (error) {
			// Either our own earlier call went through, or the run was cancelled: then the events come
			// again and their ids are recognised.
			if (codeOf(error) !== alreadyFinalized) throw error;
		}
		return { state: await this.save(withoutRun(state)), more };
	}

	private neverSynced(): SyncState {
		return neverSynced(this.deps.clock.now());
	}

	private now(): string {
		return isoInstant(this.deps.clock.now());
	}
}

/** What the Backbone knows of the run is settled; `more` when it has further events. */
interface FinishedRun {
	readonly state: SyncState;
	readonly more: boolean;
}

/** Keeps the wish to compare with the Backbone that somebody else stored during the run. */
async function write(tx: WriteTransaction, state: SyncState): Promise<SyncState> {
	const stored = (await tx.syncState.get('sync'))?.record;
	const reconciliationNeeded =
		state.reconciliationNeeded || (stored?.reconciliationNeeded ?? false);
	const { reconciliation = state.reconciliation } = stored ?? {};
	const merged = {
		...state,
		reconciliationNeeded,
		...(reconciliation === undefined ? {} : { reconciliation }),
	};
	await tx.syncState.update(merged);
	return merged;
}

function mayHaveArrived(error: unknown): boolean {
	return !isGatewayError(error) || isOutcomeUnknown(error);
}

/** Somebody of ours has begun to sync: now, or in a process that is gone. */
export function isAnotherRunOpen(error: unknown): boolean {
	return codeOf(error) === anotherRunIsOpen;
}

function withoutRun(state: SyncState): SyncState {
	const { runId: _runId, ...rest } = state;
	return { ...rest, phase: 'idle' };
}

function toInboxEvent(event: WireExternalEvent, runId: string, now: number): InboxEvent {
	return {
		id: event.id,
		runId,
		type: event.type ?? '',
		index: event.index,
		// One from the future would never be old enough to be removed.
		createdAt: isoInstant(
			event.createdAt === undefined ? now : Math.min(Date.parse(event.createdAt), now),
		),
		payload: event.payload,
		state: 'pending',
		attempts: 0,
	};
}
