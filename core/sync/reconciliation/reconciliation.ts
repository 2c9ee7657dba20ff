import { throwIfAborted, type Cancellable } from '../../base/abort';
import { isoInstant } from '../../base/clock';
import { isGatewayError, type GatewayError } from '../../base/errors';
import { isOddAnswer } from '../../backbone/port/odd-answer';
import { isStoreAway, isUnanswered, Reachability } from '../../domain/unfinished/reachability';
import type {
	ReconciledKind,
	ReconciliationProgress,
	ReconciliationState,
} from '../../model/record/reconciliation';
import { subjectOf, type InboxEvent, type SyncState } from '../../model/record/sync';
import type { WriteTransaction } from '../../store/store';
import type { ChangedIds } from '../steps/step';
import { compareFiles } from './file-comparison';
import type { Compared } from './found-events';
import { MessageComparison } from './message-comparison';
import { comparePeers } from './peer-comparison';
import { begun, continued, hasLosses, isFresh, over, withCounts } from './reconciliation-state';
import { compareRelationships } from './relationship-comparison';
import { compareTemplates } from './template-comparison';
import { matching } from '../../domain/query/conditions';
import type { Needs } from '../../domain/needs';

/** pause before a comparison continues after the Backbone did not answer */
const afterNoAnswerMs = 60_000;

export interface ReconciliationDependencies extends Needs<
	'store' | 'backbone' | 'clock' | 'logger'
> {
	/** updates the deletion processes of the own identity; returns the ids of changed processes */
	readonly refreshDeletion: (options: Cancellable) => Promise<string[]>;
}

/**
 * Compares the stored data with the lists of the Backbone, because an event lost there never
 * arrives. Each difference becomes an event of the inbox. Runs under the sync lease. The position
 * is stored together with the result of each page, so that the next process continues there if this
 * one is killed.
 *
 * Source: docs/adr/0025-reconciliation.md
 */
export class Reconciliation {
	private readonly messages: MessageComparison;

	constructor(private readonly dependencies: ReconciliationDependencies) {
		this.messages = new MessageComparison(dependencies);
	}

	/**
	 * Runs the comparison. If the Backbone is unavailable, the comparison is postponed; the sync
	 * itself does not fail.
	 */
	async run(options: Cancellable): Promise<ChangedIds[]> {
		const { logger, clock } = this.dependencies;
		const touched: ChangedIds[] = [];
		try {
			let progress = await this.begin(options);
			while (progress !== undefined) progress = await this.attempt(progress, touched, options);
		} catch (error) {
			throwIfAborted(options);
			if (!isGatewayError(error) || !isBackboneAway(error)) throw error;
			const { code, message } = error;
			logger.warn('the comparison with the Backbone could not be finished', { code, message });
			const dueAt = isoInstant(clock.now() + afterNoAnswerMs);
			await this.save(options, (state) => ({ ...state, dueAt, failure: { code, message } }));
		}
		return touched;
	}

	/** Continues a started comparison; begins a new one if there is none or it is too old. */
	private async begin(options: Cancellable): Promise<ReconciliationProgress | undefined> {
		return await this.dependencies.store.transact(async (tx) => {
			const state = (await tx.syncState.get('sync'))?.record;
			if (state === undefined) return undefined;
			const time = this.dependencies.clock.now();
			const { reconciliation, reconciliationNeeded } = state;
			const isGoingOn =
				reconciliation?.progress !== undefined && isFresh(reconciliation.progress, time);
			const next = isGoingOn
				? continued(reconciliation, reconciliationNeeded, isoInstant(time))
				: begun(reconciliation, isoInstant(time));
			await tx.syncState.update({ ...state, reconciliationNeeded: false, reconciliation: next });
			return next.progress;
		}, options);
	}

	/**
	 * Compares one page. A kind with an unusable list is skipped this time, so that the others are
	 * still compared.
	 */
	private async attempt(
		progress: ReconciliationProgress,
		touched: ChangedIds[],
		options: Cancellable,
	): Promise<ReconciliationProgress | undefined> {
		try {
			return await this.step(progress, touched, options);
		} catch (error) {
			throwIfAborted(options);
			if (!isGatewayError(error) || !(await this.isOfOneList(progress, error, options)))
				throw error;
			const { code, message } = error;
			const { kind } = progress;
			this.dependencies.logger.warn('a list could not be compared', { kind, code, message });
			const failure = { code, message };
			return await this.keep({ ...progress, failure }, { compared: 0, found: [] }, options);
		}
	}

	/**
	 * Checks whether only this list is unusable: one broken object spoils each list of its group. A
	 * page of messages is requested again, because its position would be lost.
	 */
	private async isOfOneList(
		{ kind }: ReconciliationProgress,
		error: GatewayError,
		options: Cancellable,
	): Promise<boolean> {
		if (isOddAnswer(error)) return true;
		if (kind === 'messages' || isStoreAway(error) || !isUnanswered(error)) return false;
		return await new Reachability(this.dependencies.backbone, options).isReachable();
	}

	private async step(
		progress: ReconciliationProgress,
		touched: ChangedIds[],
		options: Cancellable,
	): Promise<ReconciliationProgress | undefined> {
		const { kind } = progress;
		if (kind === 'messages') return await this.stepMessages(progress, options);
		if (kind === 'deletionProcesses') {
			const ids = await this.dependencies.refreshDeletion(options);
			touched.push(...ids.map((deletionProcessId) => ({ deletionProcessId })));
			const seen = { compared: ids.length, found: [] };
			return await this.keep(progress, seen, options, { changed: ids.length });
		}
		const state = await this.stored(options);
		const seen = await this.compare(kind, progress, state?.askedTo, options);
		const { askedTo } = seen;
		if (askedTo === undefined) return await this.keep(progress, seen, options);
		const turns = { files: 0, peers: 0, ...state?.askedTo, [kind]: askedTo };
		const after = kind === 'files' ? { ...progress, isFileAsked: true as const } : progress;
		const change = (kept: ReconciliationState) => ({ ...kept, askedTo: turns });
		return await this.keep(after, seen, options, { change });
	}

	private async compare(
		kind: Exclude<ReconciledKind, 'messages' | 'deletionProcesses'>,
		progress: ReconciliationProgress,
		turns: ReconciliationState['askedTo'],
		options: Cancellable,
	): Promise<Compared> {
		const { position = 0, isFileAsked } = progress;
		if (kind === 'relationships')
			return await compareRelationships(this.dependencies, position, options);
		if (kind === 'templates') return await compareTemplates(this.dependencies, position, options);
		const isAll = hasLosses(progress);
		if (kind === 'peers') {
			const looks = { isAll, askedTo: turns?.peers ?? 0 };
			return await comparePeers(this.dependencies, position, looks, options);
		}
		const looks = { isAll, ...(isFileAsked ? {} : { askedTo: turns?.files ?? 0 }) };
		return await compareFiles(this.dependencies, position, looks, options);
	}

	private async stepMessages(
		progress: ReconciliationProgress,
		options: Cancellable,
	): Promise<ReconciliationProgress | undefined> {
		const balance = progress.balance ?? (await this.messages.balance(options));
		const mark = (await this.stored(options))?.messages;
		const page = progress.position ?? this.messages.firstPage(balance);
		const before = progress.absent ?? 0;
		const goal = {
			isFull: progress.isFull,
			missing: balance.total - balance.known - (mark?.surplus ?? 0),
			comparedTo: mark?.comparedTo,
		};
		const seen =
			page < 1
				? { compared: 0, found: [], newestAt: undefined, isWalkDone: true }
				: await this.messages.compare(page, goal, before, options);
		const newestAt = progress.newestAt ?? seen.newestAt;
		const absent = before + seen.found.length;
		const next = { ...progress, balance, absent, ...(newestAt === undefined ? {} : { newestAt }) };
		const comparedTo = seen.isWalkDone ? newestAt : mark?.comparedTo;
		const change = (state: ReconciliationState, added: number): ReconciliationState => {
			// Added messages will be stored soon; both sides then count them.
			const surplus = (progress.surplus ?? balance.total - balance.known) - added;
			if (seen.next !== undefined && state.progress !== undefined) {
				return { ...state, progress: { ...state.progress, surplus } };
			}
			const messages = { surplus, ...(comparedTo === undefined ? {} : { comparedTo }) };
			return { ...state, messages };
		};
		return await this.keep(next, seen, options, { change });
	}

	private async stored(options: Cancellable): Promise<ReconciliationState | undefined> {
		const entry = await this.dependencies.store.read((tx) => tx.syncState.get('sync'), options);
		return entry?.record.reconciliation;
	}

	/**
	 * Stores the found events and the next position with one commit.
	 *
	 * @param more.changed number of changes that were already applied, instead of the found events
	 */
	private async keep(
		progress: ReconciliationProgress,
		seen: Compared,
		options: Cancellable,
		more: {
			readonly changed?: number;
			readonly change?: (state: ReconciliationState, added: number) => ReconciliationState;
		} = {},
	): Promise<ReconciliationProgress | undefined> {
		const { store, logger, clock } = this.dependencies;
		const { change = (state: ReconciliationState) => state } = more;
		const { added, saved } = await store.transact(async (tx) => {
			const added = await this.add(tx, seen.found);
			const next = withCounts(progress, seen, more.changed ?? added);
			const saved = await this.write(tx, (state) => {
				if (!('ended' in next)) return change({ ...state, progress: next }, added);
				return change(over(state, next.ended, clock.now()), added);
			});
			return { added, saved };
		}, options);
		if (added > 0) logger.info('found changes that no event had reported', { count: added });
		return saved?.progress;
	}

	/**
	 * Adds found events to the inbox and returns the number of new ones. An event that was reported
	 * but cannot be applied yet is not added again.
	 */
	private async add(tx: WriteTransaction, found: readonly InboxEvent[]): Promise<number> {
		const failed = await failedEvents(tx, found);
		let added = 0;
		for (const event of found) {
			if (failed.has(subjectOf(event))) continue;
			if (await tx.inbox.insertIfNew(event, undefined)) added++;
		}
		return added;
	}

	private async save(
		options: Cancellable,
		change: (state: ReconciliationState) => ReconciliationState,
	): Promise<void> {
		await this.dependencies.store.transact((tx) => this.write(tx, change), options);
	}

	private async write(
		tx: WriteTransaction,
		change: (state: ReconciliationState) => ReconciliationState,
	): Promise<ReconciliationState | undefined> {
		const state: SyncState | undefined = (await tx.syncState.get('sync'))?.record;
		if (state?.reconciliation === undefined) return undefined;
		const reconciliation = change(state.reconciliation);
		await tx.syncState.update({ ...state, reconciliation });
		return reconciliation;
	}
}

/**
 * Returns the subjects of found events that were already reported by an event that waits for
 * another attempt or for a person.
 */
async function failedEvents(
	tx: WriteTransaction,
	found: readonly InboxEvent[],
): Promise<ReadonlySet<string>> {
	if (found.length === 0) return new Set();
	const failed = await tx.inbox.list({ where: matching({ failedSubject: found.map(subjectOf) }) });
	return new Set(failed.map(({ record }) => subjectOf(record)));
}

function isBackboneAway({ kind, code }: GatewayError): boolean {
	return kind === 'unavailable' && !code.startsWith('error.gateway.store.');
}
