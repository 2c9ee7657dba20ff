import { sleep, type Cancellable } from '../base/abort';
import { isoInstant, type Clock } from '../base/clock';
import { codeOf } from '../base/errors';
import type { Logger } from '../base/logger';
import type { Backbone } from '../backbone/backbone';
import type { WireExternalEvent } from '../backbone/dto';
import type { InboxEvent, SyncState } from '../model/record/sync';
import type { Store } from '../store/store';

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

	/** Fetches until the Backbone has nothing new. */
	async fetchAll(options: Cancellable): Promise<void> {
		let state = await this.recover(options);
		for (;;) {
			await this.save({ ...state, phase: 'starting' });
			const runId = await this.start(state, options);
			if (runId === undefined) break;
			state = { ...state, phase: 'fetching', runId };
			await this.save(state);
			const more = await this.fetch(state, options);
			if (!more) break;
			state = await this.load();
		}
		await this.save({ ...withoutRun(await this.load()), lastCompletedAt: this.now() });
	}

	async load(): Promise<SyncState> {
		return await this.deps.store.read(
			async (tx) => (await tx.syncState.get('sync'))?.record ?? idle,
		);
	}

	async save(state: SyncState): Promise<void> {
		await this.deps.store.transact(async (tx) => {
			if (!(await tx.syncState.insert(state, undefined))) await tx.syncState.update(state);
		});
	}

	/** Finishes the run that an earlier process left behind, if its id is known. */
	private async recover(options: Cancellable): Promise<SyncState> {
		const state = await this.load();
		if (state.phase === 'idle') return state;
		if (state.phase === 'starting') {
			// A run may exist whose id we never saw: its expiry costs its events one of three offers.
			const suspicious = { ...withoutRun(state), reconciliationNeeded: true };
			await this.save(suspicious);
			return suspicious;
		}
		try {
			if (state.phase === 'fetching') await this.fetch(state, options);
			else await this.finalize(state, options);
			return await this.load();
		} catch (error) {
			if (codeOf(error) !== 'error.runtime.recordNotFound') throw error;
			const lost = { ...withoutRun(state), reconciliationNeeded: true };
			await this.save(lost);
			return lost;
		}
	}

	private async start(state: SyncState, options: Cancellable): Promise<string | undefined> {
		const { backbone, clock, logger } = this.deps;
		const giveUpAt = clock.now() + openRunPatienceMs;
		for (;;) {
			try {
				const run = await backbone.syncRuns.start('ExternalEventSync', options);
				return run?.id;
			} catch (error) {
				if (codeOf(error) !== anotherRunIsOpen || clock.now() >= giveUpAt) throw error;
				// One device per identity: the open run is one of ours whose answer was lost.
				if (!state.reconciliationNeeded) {
					state = { ...state, phase: 'starting', reconciliationNeeded: true };
					await this.save(state);
				}
				logger.info('waiting for an interrupted sync run to expire');
				await sleep(1_000, options);
			}
		}
	}

	private async fetch(state: SyncState, options: Cancellable): Promise<boolean> {
		const { backbone, store } = this.deps;
		const runId = state.runId ?? '';
		let events: WireExternalEvent[];
		try {
			events = await backbone.syncRuns.events(runId, options);
		} catch (error) {
			if (codeOf(error) !== alreadyFinalized) throw error;
			events = [];
		}
		const next: SyncState = { ...(await this.load()), phase: 'finalizing', runId };
		await store.transact(async (tx) => {
			for (const event of events) {
				if (await tx.inbox.insert(toInboxEvent(event, runId), undefined)) continue;
				// Offered again although we have it: this run must report it too, its state stays.
				const known = await tx.inbox.get(event.id);
				if (known !== undefined) await tx.inbox.update({ ...known.record, runId });
			}
			await tx.syncState.update(next);
		});
		return await this.finalize(next, options);
	}

	private async finalize(state: SyncState, options: Cancellable): Promise<boolean> {
		const { backbone, store } = this.deps;
		const runId = state.runId ?? '';
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
		await this.save(withoutRun(await this.load()));
		return more;
	}

	private now(): string {
		return isoInstant(this.deps.clock.now());
	}
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
