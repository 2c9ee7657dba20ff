import * as z from 'zod';
import type { Cancellable } from '../base/abort';
import type { GatewayError } from '../base/errors';
import { parseInput } from '../domain/validation';
import type { MessageService } from '../domain/message/message-service';
import type { ParkedDeliveries } from '../events/parked-deliveries';
import { problemDtoSchema, type ProblemDto, type RetriedProblemDto } from '../model/record/problem';
import type { Store } from '../store/store';
import { deliveryProblem, eventProblem, sendingProblem } from './problem-list';
import { problemErrors } from './problem-errors';
import { ProblemRetry } from './problem-retry';

export interface ProblemDependencies {
	readonly store: Store;
	readonly deliveries: ParkedDeliveries;
	readonly messages: MessageService;
	/** a whole sync of this account, or the rest of one that runs already */
	readonly sync: (options: Cancellable) => Promise<unknown>;
}

const selectionSchema = z.strictObject({ kind: problemDtoSchema.shape.kind.optional() });
const retrySchema = z.strictObject({ ids: z.array(z.string()).min(1) });

/**
 * What waits for a person: external events that could not be applied, deliveries that were not taken,
 * and messages of which nobody knows whether they were sent.
 */
export class Problems {
	constructor(private readonly deps: ProblemDependencies) {}

	/** Oldest first. @throws `error.gateway.problems.invalidSelection` */
	async list(input: unknown = {}, options: Cancellable = {}): Promise<ProblemDto[]> {
		const { kind } = parseInput(selectionSchema, input, invalidSelection);
		const { store, deliveries, messages } = this.deps;
		const events = await store.read(
			(tx) =>
				tx.inbox.list({ where: [{ field: 'state', op: 'in', value: ['pending', 'parked'] }] }),
			options,
		);
		const problems = [
			...events
				.filter(({ record }) => record.lastFailure !== undefined)
				.map(({ record }) => eventProblem(record)),
			...(await deliveries.list({}, options)).map(deliveryProblem),
			...(await messages.unresolvedSends(options)).map(sendingProblem),
		];
		return problems
			.filter((problem) => kind === undefined || problem.kind === kind)
			.sort((a, b) => Date.parse(a.since) - Date.parse(b.since));
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
		const { ids } = parseInput(retrySchema, input, invalidSelection);
		return await new ProblemRetry(this.deps, [...new Set(ids)]).run(options);
	}
}

function invalidSelection(message: string, field: string): GatewayError {
	return problemErrors.create('invalidSelection', { message, facts: { field } });
}
