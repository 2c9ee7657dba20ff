import type { Cancellable } from '../base/abort';
import type { Clock } from '../base/clock';
import type { GatewayError } from '../base/errors';
import type { MessageService } from '../domain/message/message-service';
import { parseInput } from '../domain/validation';
import {
	problemChoiceSchema,
	problemFilterSchema,
	type DiscardedProblemDto,
	type ProblemDto,
	type RetriedProblemDto,
} from '../model/record/problem';
import type { Store } from '../store/store';
import { discardProblems } from './problem-discard';
import { problemErrors } from './problem-errors';
import { listProblems } from './problem-list';
import { ProblemRetry } from './problem-retry';

export interface ProblemDependencies {
	readonly store: Store;
	readonly clock: Clock;
	readonly messages: MessageService;
	/** lets consumers of this process look at once */
	readonly wakeConsumers: () => void;
	/** a whole sync of this account, or the rest of one that runs already */
	readonly sync: (options: Cancellable) => Promise<unknown>;
}

/**
 * What waits for a person: external events that could not be applied, deliveries that were not taken,
 * messages of which nobody knows whether they were sent, and changes that could not be finished.
 */
export class Problems {
	constructor(private readonly deps: ProblemDependencies) {}

	/** Oldest first. @throws `error.gateway.problems.invalidSelection` */
	async list(input: unknown = {}, options: Cancellable = {}): Promise<ProblemDto[]> {
		const filter = parseInput(problemFilterSchema, input, invalidSelection);
		return await this.deps.store.read((tx) => listProblems(tx, this.deps, filter), options);
	}

	/**
	 * Tries them once more, at once where it is ours to do: external events are applied and messages
	 * looked for at the Backbone, and sent if it does not have them, by a sync; a delivery is made by
	 * its consumer as soon as that runs. Nothing happens twice, however often and wherever it is asked
	 * for. What was asked for stays asked for when the sync fails or the process dies.
	 *
	 * @throws `error.gateway.problems.unknown`, `error.gateway.problems.invalidSelection`, and what
	 * `account.sync` throws
	 */
	async retry(input: unknown, options: Cancellable = {}): Promise<RetriedProblemDto[]> {
		const { ids, kind, consumer } = parseInput(problemChoiceSchema, input, invalidSelection);
		const chosen = ids ?? (await this.list({ kind, consumer }, options)).map(({ id }) => id);
		if (chosen.length === 0) return [];
		return await new ProblemRetry(this.deps, [...new Set(chosen)]).run(options);
	}

	/**
	 * Gives them up: a delivery and an external event that was given up are gone for good, all at once;
	 * a message is not sent any more, but it may have been sent already, which syncs find out. With
	 * `all`, what cannot be discarded is left out and stays on the list.
	 *
	 * @throws `error.gateway.problems.unknown`, `error.gateway.problems.notDiscardable`,
	 * `error.gateway.problems.invalidSelection`; nothing has changed then
	 */
	async discard(input: unknown, options: Cancellable = {}): Promise<DiscardedProblemDto[]> {
		const choice = parseInput(problemChoiceSchema, input, invalidSelection);
		return await this.deps.store.transact((tx) => discardProblems(tx, this.deps, choice), options);
	}
}

function invalidSelection(message: string, field: string): GatewayError {
	return problemErrors.create('invalidSelection', { message, facts: { field } });
}
