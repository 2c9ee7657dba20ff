import { sleep, type Cancellable } from '../base/abort';
import { isoInstant, type Clock } from '../base/clock';
import { codeOf } from '../base/errors';
import type { Logger } from '../base/logger';
import type { Backbone } from '../backbone/backbone';
import type { WireExternalEvent } from '../backbone/dto';
import type { InboxEvent, SyncState } from '../model/record/sync';
import type { Store, WriteTransaction } from '../store/store';

const anotherRunIsOpen =
	'error.platform.validation.syncRun.cannotStartSyncRunWhenAnotherSyncRunIsRunning';
const alreadyFinalized = 'error.platform.validation.syncRun.syncRunAlreadyFinalized';
/** a run that nobody finalises expires after 10 s (docs/protocol/backbone-api.md 11.1) */
const openRunPatienceMs = 12_000;

const idle: SyncState = { id: 'sync', phase: 'idle', reconciliationNeeded: false };

export interface SyncRunDependencies {
	readonly store: Store;
	readonly backbone: Backbone;
	readonly clock: Clock;
	readonly logger: Logger;
}

/**
 * Brings external events from the Backbone into the durable inbox. The run's id is stored before its
 * events are asked for and the events before the run is finalised, so that a process that dies
 * anywhere in between goes on with the same run (design, decision 18).
 */
export class SyncRunFetcher {
	constructor(private readonly deps: SyncRunDependencies) {}

	/**
	 * Notes that a run may be created from now on. An answer other than `idle` tells how far an
	 * earlier process came that did not end.
	 */
	async begin(tx: WriteTransaction): Promise<SyncState> {
		const stored = (await tx.syncState.get('sync'))?.record;
		if (stored === undefined) await tx.syncState.insert({ ...idle, phase: 'starting' }, undefined);
		else if (stored.phase === 'idle') await tx.syncState.update({ ...stored, phase: 'starting' });
		return stored ?? idle;
	}

	/** Fetches until the Backbone has nothing new. @param begun the answer of `begin` */
	async fetchAll(begun: SyncState, options: Cancellable): Promise<SyncState> {
		let state = begun;
		if (begun.phase !== 'idle') state = await this.save(await this.recover(begun, options));
		for (;;) {
			const started = await this.start({ ...state, phase: 'starting' }, options);
			state = started.state;
			if (started.runId === undefined) return withoutRun(state);
			const runId = started.runId;
			state = await this.save({ ...state, phase: 'fetching', runId });
			const outcome = await this.fetch(state, runId, options);
			state = outcome.state;
			if (!outcome.more) return state;
			await this.save({ ...state, phase: 'starting' });
		}
	}

	/** Nothing is under way any more. */
	async end(tx: WriteTransaction, state: SyncState): Promise<void> {
		await tx.syncState.update({ ...withoutRun(state), lastCompletedAt: this.now() });
	}

	/** What may have been lost at the Backbone has been asked for. */
	async reconciled(tx: WriteTransaction): Promise<void> {
		const stored = await tx.syncState.get('sync');
		if (stored !== undefined) {
			await tx.syncState.update({ ...stored.record, reconciliationNeeded: false });
		}
	}

	/** Finishes the run that an earlier process left behind, if its id is known. */
	private async recover(begun: SyncState, options: Cancellable): Promise<SyncState> {
		const suspicious: SyncState = {
			...withoutRun(begun),
			phase: 'starting',
			reconciliationNeeded: true,
		};
		// A run may exist whose id we never saw: its expiry costs its events one of three offers.
		if (begun.phase === 'starting' || begun.runId === undefined) return suspicious;
		try {
			const { state } =
				begun.phase === 'fetching'
					? await this.fetch(begun, begun.runId, options)
					: await this.finalize(begun, begun.runId, options);
			return { ...state, phase: 'starting' };
		} catch (error) {
			if (codeOf(error) !== 'error.runtime.recordNotFound') throw error;
			return suspicious;
		}
	}

	private async save(state: SyncState): Promise<SyncState> {
		await this.deps.store.transact((tx) => tx.syncState.update(state));
		return state;
	}

	/** The id of the new run; none when the Backbone has no events. */
	private async start(
		begun: SyncState,
		options: Cancellable,
	): Promise<{ readonly state: SyncState; readonly runId: string | undefined }> {
		const { backbone, clock, logger } = this.deps;
		const giveUpAt = clock.now() + openRunPatienceMs;
		let state = begun;
		for (;;) {
			try {
				const run = await backbone.syncRuns.start('ExternalEventSync', options);
				return { state, runId: run?.id };
			} catch (error) {
				if (codeOf(error) !== anotherRunIsOpen || clock.now() >= giveUpAt) throw error;
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
		try {
			events = await backbone.syncRuns.events(runId, options);
		} catch (error) {
			if (codeOf(error) !== alreadyFinalized) throw error;
			events = [];
		}
		const next: SyncState = { ...state, phase: 'finalizing' };
		await store.transact(async (tx) => {
			for (const event of events) {
				if (await tx.inbox.insert(toInboxEvent(event, runId), undefined)) continue;
				// Offered again although we have it: this run must report it too, its state stays.
				const known = await tx.inbox.get(event.id);
				if (known !== undefined) await tx.inbox.update({ ...known.record, runId });
			}
			await tx.syncState.update(next);
		});
		return await this.finalize(next, runId, options);
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

	private now(): string {
		return isoInstant(this.deps.clock.now());
	}
}

/** What the Backbone knows of the run is settled; `more` when it has further events. */
interface FinishedRun {
	readonly state: SyncState;
	readonly more: boolean;
}

function withoutRun(state: SyncState): SyncState {
	const { runId: _runId, ...rest } = state;
	return { ...rest, phase: 'idle' };
}

function toInboxEvent(event: WireExternalEvent, runId: string): InboxEvent {
	return {
		id: event.id,
		runId,
		type: event.type,
		index: event.index,
		createdAt: event.createdAt,
		payload: event.payload,
		state: 'pending',
		attempts: 0,
	};
}
