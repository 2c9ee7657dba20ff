import type { Cancellable } from '../base/abort';
import type { GatewayError } from '../base/errors';
import { parseInput } from '../domain/validation';
import {
	problemChoiceSchema,
	problemFilterSchema,
	type DiscardedProblemDto,
	type ProblemDto,
	type ProblemFilter,
	type ProblemKind,
	type RetriedProblemDto,
} from '../model/record/problem';
import type { ProblemUseCases } from '../facade/problems';
import type { ReadTransaction, Store, WriteTransaction } from '../store/store';
import { changeProblems } from './change-problems';
import { deliveryProblems } from './delivery-problems';
import { eventProblems } from './event-problems';
import { problemErrors, unknownProblems } from './problem-errors';
import type { ProblemSource, ProblemSourceDependencies } from './problem-source';
import { sendProblems } from './send-problems';
import { waitProblems } from './wait-problems';

export interface ProblemDependencies extends ProblemSourceDependencies {
	readonly store: Store;
	/** lets consumers of this process look at once */
	readonly wakeConsumers: () => void;
	/** runs a sync, or waits for the sync that runs already */
	readonly sync: (options: Cancellable) => Promise<unknown>;
}

interface Found {
	readonly id: string;
	readonly source: ProblemSource;
}

/**
 * Problems that wait for a person: external events that could not be applied, deliveries that were
 * not accepted, messages with unknown outcome, unfinished changes, and executions that n8n does not
 * continue.
 */
export class Problems implements ProblemUseCases {
	private readonly sources: readonly ProblemSource[];

	constructor(private readonly deps: ProblemDependencies) {
		this.sources = [
			deliveryProblems,
			eventProblems,
			sendProblems(deps),
			changeProblems(deps),
			waitProblems(deps.store.clock),
		];
	}

	/** Lists problems, oldest first. @throws `error.gateway.problems.invalidSelection` */
	async list(input: unknown = {}, options: Cancellable = {}): Promise<ProblemDto[]> {
		const filter = parseInput(problemFilterSchema, input, invalidSelection);
		return await this.deps.store.read((tx) => this.listIn(tx, filter), options);
	}

	/**
	 * Retries problems once. A sync applies external events, looks for messages at the Backbone, and
	 * sends the messages that it does not have; deliveries are made by their consumers as soon as
	 * they run. Repeated or concurrent calls repeat no effect. Requests for another attempt survive a
	 * failed sync and the end of the process.
	 *
	 * @throws `error.gateway.problems.unknown`, `error.gateway.problems.invalidSelection`, and the
	 * errors of `account.sync`
	 */
	async retry(input: unknown, options: Cancellable = {}): Promise<RetriedProblemDto[]> {
		const { ids, kind, consumer } = parseInput(problemChoiceSchema, input, invalidSelection);
		const chosen = ids ?? (await this.list({ kind, consumer }, options)).map(({ id }) => id);
		if (chosen.length === 0) return [];
		const { store, wakeConsumers, sync } = this.deps;
		const found = await store.transact((tx) => this.request(tx, new Set(chosen)), options);
		wakeConsumers();
		const synced = found.filter(({ source }) => source.isSynced);
		if (synced.length > 0) {
			await sync(options);
			// A sync that was already in progress may have read the work before the request.
			const tried = await this.outcomes(synced, options);
			if (tried.some(({ outcome }) => outcome === 'waiting')) await sync(options);
		}
		return await this.outcomes(found, options);
	}

	/**
	 * Discards problems. Deliveries and given-up external events are removed permanently and
	 * together; a message is no longer sent, but may have been sent already, which syncs find out.
	 * With `all`, problems that cannot be discarded are skipped and stay on the list.
	 *
	 * @throws `error.gateway.problems.unknown`, `error.gateway.problems.notDiscardable`,
	 * `error.gateway.problems.invalidSelection`; nothing has changed then
	 */
	async discard(input: unknown, options: Cancellable = {}): Promise<DiscardedProblemDto[]> {
		const choice = parseInput(problemChoiceSchema, input, invalidSelection);
		const { ids, kind, consumer } = choice;
		return await this.deps.store.transact(async (tx) => {
			const found = await this.listIn(tx, { kind, consumer, ids });
			requireAll(ids ?? [], found);
			const discarded: DiscardedProblemDto[] = [];
			for (const problem of found) {
				const source = this.sources.find((one) => one.kind === problem.kind);
				if (source === undefined || !problem.isDiscardable) continue;
				await source.discard(tx, problem.id);
				const { discarded: outcome = 'discarded' } = source;
				discarded.push({ ...problem, isRetriedAutomatically: false, outcome });
			}
			return discarded;
		}, options);
	}

	/** Counts the problems by kind. */
	async countIn(tx: ReadTransaction): Promise<Record<ProblemKind, number>> {
		const counts = { receivedEvent: 0, delivery: 0, sending: 0, unfinishedChange: 0, wait: 0 };
		for (const source of this.sources) counts[source.kind] = await source.count(tx);
		return counts;
	}

	private async listIn(
		tx: ReadTransaction,
		{ kind, consumer, ids }: ProblemFilter,
	): Promise<ProblemDto[]> {
		const problems: ProblemDto[] = [];
		for (const source of this.sources) {
			if (kind === undefined || source.kind === kind) problems.push(...(await source.list(tx)));
		}
		const named = ids === undefined ? undefined : new Set(ids);
		return problems
			.filter((problem) => consumer === undefined || problem.consumer === consumer)
			.filter(({ id }) => named?.has(id) ?? true)
			.sort((a, b) => Date.parse(a.since) - Date.parse(b.since));
	}

	/** @throws `error.gateway.problems.unknown`, which undoes the other requests */
	private async request(tx: WriteTransaction, ids: ReadonlySet<string>): Promise<Found[]> {
		const found: Found[] = [];
		const unknown: string[] = [];
		for (const id of ids) {
			const source = await this.requestOne(tx, id);
			if (source === undefined) unknown.push(id);
			else found.push({ id, source });
		}
		if (unknown.length > 0) throw unknownProblems(unknown);
		return found;
	}

	private async requestOne(tx: WriteTransaction, id: string): Promise<ProblemSource | undefined> {
		for (const source of this.sources) if (await source.retry(tx, id)) return source;
		return undefined;
	}

	private async outcomes(
		found: readonly Found[],
		options: Cancellable,
	): Promise<RetriedProblemDto[]> {
		return await this.deps.store.read(async (tx) => {
			const outcomes: RetriedProblemDto[] = [];
			for (const { id, source } of found) {
				outcomes.push({ id, kind: source.kind, ...(await source.judge(tx, id)) });
			}
			return outcomes;
		}, options);
	}
}

function requireAll(ids: readonly string[], found: readonly ProblemDto[]): void {
	const byId = new Map(found.map((problem) => [problem.id, problem]));
	const unknown = ids.filter((id) => !byId.has(id));
	if (unknown.length > 0) throw unknownProblems(unknown);
	const kept = ids.filter((id) => byId.get(id)?.isDiscardable === false);
	if (kept.length === 0) return;
	throw problemErrors.create('notDiscardable', {
		message: `It cannot be discarded now: ${kept.map((id) => `'${id}'`).join(', ')}.`,
		facts: { problemIds: kept },
	});
}

function invalidSelection(message: string, field: string): GatewayError {
	return problemErrors.create('invalidSelection', { message, facts: { field } });
}
