import { sleep, throwIfAborted, withGrace, type Cancellable } from '../base/abort';
import { isoInstant } from '../base/clock';
import { codeOf, isGatewayError } from '../base/errors';
import type { ListOptions } from '../backbone/port/backbone';
import type { WireExternalEvent } from '../backbone/dto';
import { isOutcomeUnknown } from '../domain/unfinished/outcome';
import type { InboxEvent, SyncState } from '../model/record/sync';
import type { WriteTransaction } from '../store/store';
import type { PushFollower } from './push/push-follower';
import { inboxPages } from './sync-inbox';
import { dayMs } from './reconciliation/reconciliation-state';
import { matching } from '../domain/query/conditions';
import type { Needs } from '../domain/needs';

const anotherRunIsOpen =
	'error.platform.validation.syncRun.cannotStartSyncRunWhenAnotherSyncRunIsRunning';
const alreadyFinalized = 'error.platform.validation.syncRun.syncRunAlreadyFinalized';
/**
 * longest wait for an open run; a run that is not finalised expires after 10 s
 * (docs/protocol/backbone-api.md 11.1)
 */
const openRunPatienceMs = 12_000;

/**
 * time for a pending answer when the sync is aborted, because the answer may contain the id of a
 * run
 */
const askingGraceMs = 2_000;

/**
 * runs that one sync fetches, so that a Backbone with ever more events cannot keep them from being
 * applied
 */
const maxRunsPerSync = 20;

/**
 * Initial state. A new account cannot have lost events yet, so it is first compared after a day.
 */
function neverSynced(now: number): SyncState {
	const reconciliation = { dueAt: isoInstant(now + dayMs) };
	return { id: 'sync', phase: 'idle', reconciliationNeeded: false, reconciliation };
}

export interface SyncRunDependencies extends Needs<'store' | 'backbone' | 'clock' | 'logger'> {
	readonly push: Pick<PushFollower, 'eventsFound'>;
}

/**
 * Fetches external events from the Backbone into the durable inbox. The id of a run is stored
 * before its events are requested, and the events before the run is finalised, so that after a
 * crash at any point the next sync continues with the same run (docs/adr/0007).
 */
export class SyncRunFetcher {
	private lossPossible = false;

	constructor(private readonly dependencies: SyncRunDependencies) {}

	/** True if the Backbone may have created a run whose id has not arrived here. */
	get mayHaveLostRun(): boolean {
		return this.lossPossible;
	}

	/** Asks for a new run and returns its id; undefined when the Backbone has no events. */
	async ask(options: Cancellable): Promise<string | undefined> {
		throwIfAborted(options);
		try {
			const { syncRuns } = this.dependencies.backbone;
			const run = await withGrace(options, askingGraceMs, (late) =>
				syncRuns.start('ExternalEventSync', late),
			);
			return run?.id;
		} catch (error) {
			this.lossPossible ||= !isAnotherRunOpen(error) && mayHaveArrived(error);
			throw error;
		}
	}

	/**
	 * Stores and returns the state from which the sync continues; called under the lease.
	 *
	 * @param found.runId id of a newly created run
	 */
	async begin(
		tx: WriteTransaction,
		found: { readonly runId: string | undefined; readonly mayHaveLostEvents: boolean },
	): Promise<SyncState> {
		const stored = (await tx.syncState.get('sync'))?.record;
		const reconciliationNeeded = found.mayHaveLostEvents || (stored?.reconciliationNeeded ?? false);
		const known = { ...(stored ?? this.neverSynced()), reconciliationNeeded };
		// A new run shows that an unfinished run of another process has ended.
		const state: SyncState =
			found.runId === undefined ? known : { ...known, phase: 'fetching', runId: found.runId };
		if (stored === undefined) await tx.syncState.insertIfNew(state, undefined);
		else await tx.syncState.update(state);
		return state;
	}

	/**
	 * Notes that `begin` with `mayHaveLostEvents` was committed, so that the store holds this
	 * information.
	 */
	markLossRecorded(): void {
		this.lossPossible = false;
	}

	/**
	 * Fetches until the Backbone has no new events.
	 *
	 * @param begun result of `begin`
	 */
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

	/** Stores the state after the end of all runs. */
	async end(tx: WriteTransaction, state: SyncState): Promise<SyncState> {
		return await write(tx, { ...withoutRun(state), lastCompletedAt: this.now() });
	}

	async noteEmptySync(tx: WriteTransaction): Promise<void> {
		const stored = await tx.syncState.get('sync');
		const state = { ...(stored?.record ?? this.neverSynced()), lastCompletedAt: this.now() };
		if (stored === undefined) await tx.syncState.insertIfNew(state, undefined);
		else await tx.syncState.update(state);
	}

	/** Completes a run whose id is known. */
	private async goOn(begun: SyncState, options: Cancellable): Promise<FinishedRun> {
		if (begun.runId === undefined) {
			return { state: withoutRun(begun), more: true };
		}
		try {
			return begun.phase === 'fetching'
				? await this.fetch(begun, begun.runId, options)
				: await this.finalize(begun, begun.runId, options);
		} catch (error) {
			if (codeOf(error) !== 'error.runtime.recordNotFound') throw error;
			// The expiry of the run cost its events one of their three offers.
			return { state: { ...withoutRun(begun), reconciliationNeeded: true }, more: true };
		}
	}

	private async save(state: SyncState): Promise<SyncState> {
		return await this.dependencies.store.transact((tx) => write(tx, state));
	}

	/** Asks for a run like `ask`, after waiting until an open run has expired. */
	private async start(
		begun: SyncState,
		options: Cancellable,
	): Promise<{ readonly state: SyncState; readonly runId: string | undefined }> {
		const { clock, logger } = this.dependencies;
		const giveUpAt = clock.now() + openRunPatienceMs;
		let state = begun;
		for (;;) {
			try {
				return { state, runId: await this.ask(options) };
			} catch (error) {
				if (!isAnotherRunOpen(error) || clock.now() >= giveUpAt) throw error;
				// Each identity has one device, so the open run belongs to this account, and its answer was
				// lost.
				if (!state.reconciliationNeeded) {
					state = await this.save({ ...state, reconciliationNeeded: true });
				}
				logger.info('waiting for an interrupted sync run to expire');
				await sleep(1_000, options);
			}
		}
	}

	private async fetch(state: SyncState, runId: string, options: Cancellable): Promise<FinishedRun> {
		let next = state;
		let isWhole = true;
		const onUnreadable = (): void => {
			isWhole = false;
		};
		const pages = this.pagesOf(runId, { ...options, onUnreadable });
		for (let page = await pages.next(); next.phase !== 'finalizing';) {
			const events = page.value ?? [];
			if (page.done !== true) page = await pages.next();
			// A comparison finds the changes of omitted events and of events without a readable type.
			const isUnclear = !isWhole || events.some(({ type }) => type === undefined);
			const reconciliationNeeded = next.reconciliationNeeded || isUnclear;
			const phase = page.done === true ? 'finalizing' : 'fetching';
			next = await this.store({ ...next, reconciliationNeeded, phase }, runId, events);
		}
		const finished = await this.finalize(next, runId, options);
		// Omitted events are offered again, three times in all; the next offer is left to the next
		// sync.
		return { ...finished, more: finished.more && isWhole };
	}

	/** Pages of the events of a run; ends if an earlier call has finalised it. */
	private async *pagesOf(
		runId: string,
		options: ListOptions,
	): AsyncGenerator<WireExternalEvent[], void> {
		try {
			yield* this.dependencies.backbone.syncRuns.events(runId, options);
		} catch (error) {
			if (codeOf(error) !== alreadyFinalized) throw error;
		}
	}

	/** Stores a page of events, so that a run of any length needs the memory of a page. */
	private async store(
		state: SyncState,
		runId: string,
		events: readonly WireExternalEvent[],
	): Promise<SyncState> {
		const { clock, push } = this.dependencies;
		const next = await this.dependencies.store.transact(async (tx) => {
			const stored = await tx.inbox.getMany(events.map(({ id }) => id));
			const known = new Map(stored.map(({ record }) => [record.id, record]));
			for (const event of events) {
				const received = toInboxEvent(event, runId, clock.now());
				// An event that was offered again although it is stored: this run must report it too, and
				// its state stays.
				const record = known.get(event.id);
				if (record !== undefined) await tx.inbox.update({ ...record, runId });
				else await tx.inbox.insert(received, undefined);
				known.set(event.id, { ...received, ...record, runId });
			}
			return await write(tx, state);
		});
		push.eventsFound(
			events.flatMap(({ createdAt }) => (createdAt === undefined ? [] : [Date.parse(createdAt)])),
		);
		return next;
	}

	private async finalize(
		state: SyncState,
		runId: string,
		options: Cancellable,
	): Promise<FinishedRun> {
		const { backbone, store } = this.dependencies;
		const results: Array<{ readonly externalEventId: string }> = [];
		const where = matching({ runId });
		for await (const page of inboxPages(store, { where })) {
			for (const { id } of page) results.push({ externalEventId: id });
		}
		let more = true;
		try {
			const outcome = await backbone.syncRuns.finalizeExternalEventSync(runId, results, options);
			more = outcome.newUnsyncedExternalEventsExist;
		} catch (error) {
			// Either an earlier call of this process succeeded, or the run was cancelled; in that case
			// the events are offered again, and their ids are recognised.
			if (codeOf(error) !== alreadyFinalized) throw error;
		}
		// Without a further run, `end` stores the state. If the process ends before, the next sync
		// finalises the run again, which changes nothing.
		const ended = withoutRun(state);
		return { state: more ? await this.save(ended) : ended, more };
	}

	private neverSynced(): SyncState {
		return neverSynced(this.dependencies.clock.now());
	}

	private now(): string {
		return isoInstant(this.dependencies.clock.now());
	}
}

/** Outcome of a finished run; `more` is true when the Backbone has further events. */
interface FinishedRun {
	readonly state: SyncState;
	readonly more: boolean;
}

/**
 * Writes the state and keeps a request for a comparison that another process stored during the run.
 */
async function write(tx: WriteTransaction, state: SyncState): Promise<SyncState> {
	const stored = (await tx.syncState.get('sync'))?.record ?? state;
	const reconciliationNeeded = state.reconciliationNeeded || stored.reconciliationNeeded;
	const reconciliation = stored.reconciliation ?? state.reconciliation;
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

/** Detects an open run of this account, from a concurrent sync or from a process that is gone. */
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
		// The time is limited to now, because an event from the future would never be old enough for
		// removal.
		createdAt: isoInstant(
			event.createdAt === undefined ? now : Math.min(Date.parse(event.createdAt), now),
		),
		payload: event.payload,
		state: 'pending',
		attempts: 0,
	};
}
