import { isJsonObject, type JsonObject } from '../../model/json';
import { abandonedAt, type WaitOutcome, type WaitRecord } from '../../model/record/wait';
import type { ReadTransaction, WriteTransaction } from '../../store/store';

/** Id and key of the wait for one of the people of a group. */
export function memberOfGroup(
	{ id, key }: Pick<WaitRecord, 'id' | 'key'>,
	index: number,
): Pick<WaitRecord, 'id' | 'key'> & { readonly memberOf: string } {
	return { id: `${id}/${key}/${index}`, key: `${key}/${index}`, memberOf: id };
}

/** Waits for the people of a group, in the order in which they were named. */
export async function waitsOfGroup(
	tx: Pick<ReadTransaction, 'waits'>,
	wait: Pick<WaitRecord, 'id' | 'key' | 'group'>,
	size = wait.group?.size ?? 0,
): Promise<WaitRecord[]> {
	const ids = Array.from({ length: size }, (_, index) => memberOfGroup(wait, index).id);
	if (ids.length === 0) return [];
	const found = new Map(
		(await tx.waits.getMany(ids)).map(({ record }) => [record.id, record] as const),
	);
	return ids.map((id) => found.get(id)).filter((record) => record !== undefined);
}

/** Removes a wait, with the waits for the people of its group. */
export async function removeWait(tx: WriteTransaction, wait: WaitRecord): Promise<void> {
	const { group } = wait;
	if (group !== undefined) {
		// Of further people, some may have been asked before a process died.
		const size = group.size + (group.escalation?.peers.length ?? 0);
		for (const { id } of await waitsOfGroup(tx, wait, size)) await tx.waits.delete(id);
	}
	await tx.waits.delete(wait.id);
}

/**
 * Removes a person from escalations that are still to come, of which groups with a time may have one.
 * The places of the others stay: some of them may have been asked before a process died.
 */
export async function forgetLater(tx: WriteTransaction, peer: string): Promise<void> {
	const timed = await tx.waits.list({ where: [{ field: 'dueAt', op: 'gt', value: '' }] });
	for (const { record } of timed) {
		if (record.group?.escalation?.peers.includes(peer) !== true) continue;
		const { escalation, ...group } = record.group;
		const peers = escalation.peers.map((one) => (one === peer ? '' : one));
		const later = peers.every((one) => one === '') ? {} : { escalation: { ...escalation, peers } };
		await tx.waits.update({ ...record, group: { ...group, ...later } });
	}
}

/**
 * Outcome of a group by the stored outcomes of its people; undefined while further answers matter.
 * A group whose node died before all were asked ends after an hour.
 *
 * @param now by the clock of the store
 */
export async function outcomeOfGroup(
	tx: ReadTransaction,
	wait: WaitRecord,
	now: string,
): Promise<WaitOutcome | undefined> {
	const { group, key } = wait;
	if (group === undefined) return undefined;
	if (group.isAsked !== true) {
		return abandonedAt(wait) <= now ? { kind: 'ended', reason: 'notSent' } : undefined;
	}
	const members = await waitsOfGroup(tx, wait);
	const answered = members.filter(({ outcome }) => outcome?.kind === 'answered');
	// Further people may still be asked.
	const later = group.escalation?.peers.length ?? 0;
	const size = group.size + later;
	const open = size - members.filter(({ outcome }) => outcome !== undefined).length;
	if (isEnough(group.rule, { answered, open, later, size })) {
		return { kind: 'answered', reference: key };
	}
	if (open > 0) return undefined;
	if (answered.length > 0 && group.rule.goOn !== 'first')
		return { kind: 'answered', reference: key };
	return members.some(({ outcome }) => outcome?.kind === 'timedOut')
		? { kind: 'timedOut' }
		: { kind: 'ended', reason: 'notEnough' };
}

function isEnough(
	{ goOn, wanted = 1 }: NonNullable<WaitRecord['group']>['rule'],
	counts: { answered: WaitRecord[]; open: number; later: number; size: number },
): boolean {
	const { answered, open, later, size } = counts;
	switch (goOn) {
		case 'all':
			// Who is asked only if others do not answer is not awaited when all of these have.
			return answered.length === size - later;
		case 'first':
			return answered.length >= wanted;
		case 'majority': {
			const votes = new Map<string, number>();
			for (const { vote = '' } of answered) votes.set(vote, (votes.get(vote) ?? 0) + 1);
			const most = Math.max(0, ...votes.values());
			return most * 2 > size - later || (answered.length > 0 && (most + open) * 2 <= size);
		}
	}
}

/** Longest form field answer that counts as a vote; longer ones are different votes. */
const longestVote = 4_096;

/**
 * What a person has decided: two answers with the same text are the same vote. What a person writes
 * about a rejection does not count.
 *
 * @param response content of the response
 */
export function voteOf(response: JsonObject): string {
	return JSON.stringify(votes(response)).slice(0, longestVote);
}

function votes({ items }: JsonObject): unknown[] {
	if (!Array.isArray(items)) return [];
	return items.map((item) => {
		if (!isJsonObject(item)) return undefined;
		if (Array.isArray(item['items'])) return votes(item);
		return [item['result'], item['response'], item['freeText']];
	});
}
