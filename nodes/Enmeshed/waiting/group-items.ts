import type { WaitDto, WaitOutcome } from '../../../core';
import type { AwaitedAnswerOutput } from '../schemas/awaited-answer';

/** Output of the node, and the input item from which it comes. */
export interface AnswerItem {
	readonly json: AwaitedAnswerOutput;
	readonly item: number;
}

/**
 * One item for each person of a group, each with the counts of all.
 *
 * @param read output for one person, without the counts
 */
export async function groupItems(
	members: readonly WaitDto[],
	read: (member: WaitDto, outcome: WaitOutcome) => Promise<AwaitedAnswerOutput>,
): Promise<AnswerItem[]> {
	const items: AnswerItem[] = [];
	for (const member of members) {
		const { outcome, note } = member;
		if (outcome === undefined) continue;
		const item = typeof note['item'] === 'number' ? note['item'] : 0;
		items.push({ json: await read(member, outcome), item });
	}
	const group = countsOf(items.map(({ json }) => json));
	return items.map(({ json, item }) => ({ json: { ...json, group }, item }));
}

/** How a group has answered. `decision` has more than half of all people behind it. */
export function countsOf(
	answers: readonly AwaitedAnswerOutput[],
): NonNullable<AwaitedAnswerOutput['group']> {
	const given = answers.filter(({ answered }) => answered);
	const decisions = new Map<string, number>();
	for (const { data, result } of given) {
		// Who accepts several choices has not decided.
		if (data?.choice === null && result === 'Accepted') continue;
		const decision = data?.choice ?? (result === 'Accepted' ? 'approved' : 'declined');
		decisions.set(decision, (decisions.get(decision) ?? 0) + 1);
	}
	const [decision] = [...decisions].find(([, count]) => count * 2 > answers.length) ?? [];
	return {
		asked: answers.length,
		answered: given.length,
		approved: given.filter(({ result }) => result === 'Accepted').length,
		declined: given.filter(({ result }) => result === 'Rejected').length,
		...(answers.some(({ data }) => data !== undefined && 'choice' in data)
			? { choices: Object.fromEntries([...decisions].filter(([name]) => name !== 'declined')) }
			: {}),
		decision: decision ?? null,
	};
}
