import { dropProblem } from '../domain/parked-problem';
import { discardParked } from '../events/parked-deliveries';
import type { DiscardedProblemDto, ProblemChoice, ProblemDto } from '../model/record/problem';
import type { WriteTransaction } from '../store/store';
import { problemErrors, unknownProblems } from './problem-errors';
import { listProblems, type ProblemSources } from './problem-list';
import { discardUnfinished } from './unfinished-problems';

/**
 * Discards all selected problems, or none if one of the listed ids is unknown or not discardable.
 *
 * @throws `error.gateway.problems.unknown`, `error.gateway.problems.notDiscardable`
 */
export async function discardProblems(
	tx: WriteTransaction,
	sources: ProblemSources,
	choice: ProblemChoice,
): Promise<DiscardedProblemDto[]> {
	const { ids, kind, consumer } = choice;
	const found = await listProblems(tx, sources, { kind, consumer, ids });
	requireAll(ids ?? [], found);
	const problems = found.filter(({ isDiscardable }) => isDiscardable);
	for (const { kind: of, id } of problems) {
		if (of === 'receivedEvent') await dropProblem(tx, id);
		if (of === 'unfinishedChange') await discardUnfinished(tx, id);
		if (of === 'wait') await tx.waits.delete(id);
		if (of === 'sending') await sources.messages.intents.withdraw(tx, id);
	}
	const deliveries = problems.filter((problem) => problem.kind === 'delivery');
	await discardParked(
		tx,
		deliveries.map(({ id }) => id),
	);
	return problems.map((problem) => ({
		...problem,
		isRetriedAutomatically: false,
		outcome: problem.kind === 'sending' ? 'waiting' : 'discarded',
	}));
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
