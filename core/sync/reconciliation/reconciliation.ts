import { throwIfAborted, type Cancellable } from '../../base/abort';
import { isoInstant, type Clock } from '../../base/clock';
import { isGatewayError, type GatewayError } from '../../base/errors';
import type { Logger } from '../../base/logger';
import type { Backbone } from '../../backbone/backbone';
import { isOddAnswer } from '../../backbone/odd-answer';
import {
	reconciledKinds,
	type ReconciledKind,
	type ReconciliationProgress,
	type ReconciliationState,
} from '../../model/record/reconciliation';
import { subjectOf, type InboxEvent, type SyncState } from '../../model/record/sync';
import type { Store, WriteTransaction } from '../../store/store';
import type { Touched } from '../steps';
import { compareFiles } from './file-comparison';
import type { Compared } from './found-events';
import { MessageComparison } from './message-comparison';
import { begunAt, dayMs, reportOf, withCounts } from './reconciliation-state';
import { compareRelationships } from './relationship-comparison';
import { compareTemplates } from './template-comparison';

/** until a comparison that an odd answer, or none, has ended is tried again */
const afterOddAnswerMs = 3_600_000;
const afterNoAnswerMs = 60_000;

export interface ReconciliationDependencies {
	readonly store: Store;
	readonly backbone: Backbone;
	readonly clock: Clock;
	readonly logger: Logger;
	/** brings the deletion processes of our identity in line; answers the ids of those that changed */
	readonly refreshDeletion: (options: Cancellable) => Promise<string[]>;
}

/**
 * Compares what is stored here with the lists of the Backbone, because an event that was lost there
 * never arrives. What is found becomes an event of the inbox. Runs under the sync lease; where it has
 * got to is stored with what each page has shown, so that a killed process goes on there.
 *
 * Source: docs/adr/0025-reconciliation.md
 */
export class Reconciliation {
	private readonly messages: MessageComparison;

	constructor(private readonly deps: ReconciliationDependencies) {
		this.messages = new MessageComparison(deps);
	}

	/** An answer of no use, or none, ends the comparison until later, and never the sync. */
	async run(options: Cancellable): Promise<Touched[]> {
		const { logger, clock } = this.deps;
		const touched: Touched[] = [];
		try {
			let progress = await this.begin(options);
			while (progress !== undefined) progress = await this.step(progress, touched, options);
		} catch (error) {
			throwIfAborted(options);
			if (!isGatewayError(error) || !(isOddAnswer(error) || isBackboneAway(error))) throw error;
			const { code, message } = error;
			const pauseMs = isOddAnswer(error) ? afterOddAnswerMs : afterNoAnswerMs;
			logger.warn('the comparison with the Backbone could not be finished', { code, message });
			const dueAt = isoInstant(clock.now() + pauseMs);
			await this.save(options, (state) => ({ ...state, dueAt, failure: { code, message } }));
		}
		return touched;
	}

	/** Goes on with what was begun, unless events may have been lost since. */
	private async begin(options: Cancellable): Promise<ReconciliationProgress | undefined> {
		return await this.deps.store.transact(async (tx) => {
			const state = (await tx.syncState.get('sync'))?.record;
			if (state === undefined) return undefined;
			const now = isoInstant(this.deps.clock.now());
			const { reconciliation, reconciliationNeeded } = state;
			const isNew = reconciliationNeeded || reconciliation?.progress === undefined;
			const isFull = reconciliation?.isFullWanted === true;
			const progress = isNew ? begunAt(now, isFull) : reconciliation.progress;
			const { isFullWanted: _wish, failure: _failure, ...rest } = reconciliation ?? {};
			const next: ReconciliationState = { ...rest, dueAt: now, progress };
			await tx.syncState.update({ ...state, reconciliationNeeded: false, reconciliation: next });
			return progress;
		}, options);
	}

	private async step(
		progress: ReconciliationProgress,
		touched: Touched[],
		options: Cancellable,
	): Promise<ReconciliationProgress | undefined> {
		const { kind } = progress;
		if (kind === 'messages') return await this.stepMessages(progress, options);
		const seen = await this.compare(kind, progress.position ?? 0, touched, options);
		return await this.keep(seen, withCounts(progress, seen, following(kind)), options);
	}

	private async compare(
		kind: Exclude<ReconciledKind, 'messages'>,
		position: number,
		touched: Touched[],
		options: Cancellable,
	): Promise<Compared> {
		if (kind === 'relationships') return await compareRelationships(this.deps, position, options);
		if (kind === 'files') return await compareFiles(this.deps, position, options);
		if (kind === 'templates') return await compareTemplates(this.deps, position, options);
		const ids = await this.deps.refreshDeletion(options);
		touched.push(...ids.map((deletionProcessId) => ({ deletionProcessId })));
		return { compared: ids.length, found: [], changed: ids.length };
	}

	private async stepMessages(
		begun: ReconciliationProgress,
		options: Cancellable,
	): Promise<ReconciliationProgress | undefined> {
		const { store } = this.deps;
		const balance = begun.balance ?? (await this.messages.balance(options));
		const mark = await store.read(
			async (tx) => (await tx.syncState.get('sync'))?.record.reconciliation?.messages,
			options,
		);
		const progress = { ...begun, balance };
		const page = begun.position ?? this.messages.firstPage(balance);
		const found = begun.counts.messages?.found ?? 0;
		const goal = {
			isFull: begun.isFull,
			missing: balance.total - balance.known - (mark?.surplus ?? 0),
			comparedTo: mark?.comparedTo,
		};
		const seen =
			page < 1
				? { compared: 0, found: [], newestAt: undefined, isWalkDone: true }
				: await this.messages.compare(page, goal, found, options);
		const newestAt = begun.newestAt ?? seen.newestAt;
		const next = withCounts(
			{ ...progress, ...(newestAt === undefined ? {} : { newestAt }) },
			seen,
			following('messages'),
		);
		const comparedTo = seen.isWalkDone ? newestAt : mark?.comparedTo;
		return await this.keep(seen, next, options, (state, inserted) => {
			// What was found is on its way: from then on both sides count it.
			const added = inserted.filter(({ type }) => type === 'MessageReceived').length;
			const surplus = (begun.surplus ?? balance.total - balance.known) - added;
			if (seen.next !== undefined && state.progress !== undefined) {
				return { ...state, progress: { ...state.progress, surplus } };
			}
			const messages = { surplus, ...(comparedTo === undefined ? {} : { comparedTo }) };
			return { ...state, messages };
		});
	}

	/** With one commit: what was found, and where to go on. */
	private async keep(
		{ found }: Compared,
		next: ReconciliationProgress | { readonly ended: ReconciliationProgress },
		options: Cancellable,
		change: (state: ReconciliationState, inserted: InboxEvent[]) => ReconciliationState = (state) =>
			state,
	): Promise<ReconciliationProgress | undefined> {
		const { store, logger } = this.deps;
		const count = found.length;
		const saved = await store.transact(async (tx) => {
			const inserted: InboxEvent[] = [];
			const failed = await failedEvents(tx, found);
			for (const event of found) {
				// What was announced and cannot be applied yet is no news.
				const isOnItsWay = failed.has(subjectOf(event));
				if (isOnItsWay || (await tx.inbox.insert(event, undefined))) inserted.push(event);
			}
			return await this.write(tx, (state) => {
				const isOver = 'ended' in next;
				const { progress: _progress, ...rest } = state;
				if (!isOver) return change({ ...rest, progress: next }, inserted);
				const now = this.deps.clock.now();
				const last = reportOf(next.ended, isoInstant(now));
				return change({ ...rest, dueAt: isoInstant(now + dayMs), last }, inserted);
			});
		}, options);
		if (count > 0) logger.info('found what was never announced', { count });
		return saved?.progress;
	}

	private async save(
		options: Cancellable,
		change: (state: ReconciliationState) => ReconciliationState,
	): Promise<void> {
		await this.deps.store.transact((tx) => this.write(tx, change), options);
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

/** Subjects of those that were told by an event which waits for another try, or for a person. */
async function failedEvents(
	tx: WriteTransaction,
	found: readonly InboxEvent[],
): Promise<ReadonlySet<string>> {
	if (found.length === 0) return new Set();
	const failed = await tx.inbox.list({
		where: [{ field: 'failedSubject', op: 'in', value: found.map(subjectOf) }],
	});
	return new Set(failed.map(({ record }) => subjectOf(record)));
}

function isBackboneAway({ kind, code }: GatewayError): boolean {
	return kind === 'unavailable' && !code.startsWith('error.gateway.store.');
}

function following(kind: ReconciledKind): ReconciledKind | undefined {
	return reconciledKinds[reconciledKinds.indexOf(kind) + 1];
}
