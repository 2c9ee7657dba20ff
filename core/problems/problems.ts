import type { Cancellable } from '../base/abort';
import type { GatewayError } from '../base/errors';
import { parseInput } from '../domain/validation';
import {
	problemChoiceSchema,
	problemFilterSchema,
	type DiscardedProblemDto,
	type ProblemDto,
	type RetriedProblemDto,
} from '../model/record/problem';
import type { ProblemUseCases } from '../facade/problems';
import { discardProblems } from './problem-discard';
import type { ProblemDependencies } from './problem-dependencies';
import { problemErrors } from './problem-errors';
import { listProblems } from './problem-list';
import { ProblemRetry } from './problem-retry';

/**
 * Problems that wait for a person: external events that could not be applied, deliveries that were
 * not accepted, messages with unknown outcome, unfinished changes, and executions that n8n does not
 * continue.
 */
export class Problems implements ProblemUseCases {
	constructor(private readonly deps: ProblemDependencies) {}

	/** Lists problems, oldest first. @throws `error.gateway.problems.invalidSelection` */
	async list(input: unknown = {}, options: Cancellable = {}): Promise<ProblemDto[]> {
		const filter = parseInput(problemFilterSchema, input, invalidSelection);
		return await this.deps.store.read((tx) => listProblems(tx, this.deps, filter), options);
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
		return await new ProblemRetry(this.deps, [...new Set(chosen)]).run(options);
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
		return await this.deps.store.transact((tx) => discardProblems(tx, this.deps, choice), options);
	}
}

function invalidSelection(message: string, field: string): GatewayError {
	return problemErrors.create('invalidSelection', { message, facts: { field } });
}
