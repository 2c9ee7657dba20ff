import { epochMsOf } from '../../model/instant';
import type { MessageRecord, SendIntentRecord } from '../../model/record/message';
import type { WaitOutcome, WaitRecord } from '../../model/record/wait';
import type { ReadTransaction } from '../../store/store';
import { currentRelationship } from '../current-relationship';
import { outcomeOfGroup } from './group-wait';
import { matching } from '../query/conditions';

const endedStatuses: readonly string[] = ['Terminated', 'DeletionProposed', 'Rejected', 'Revoked'];

/**
 * Determines from the stored records how a wait has ended; undefined while an answer may still
 * arrive. Reads the state instead of following changes, so that a crash cannot separate the two. An
 * answer wins over everything that happened after it.
 *
 * @param now by the clock of the store, as the deadline of the wait
 */
export async function outcomeOf(
	tx: ReadTransaction,
	wait: WaitRecord,
	now: string,
): Promise<WaitOutcome | undefined> {
	const found =
		wait.kind === 'group'
			? await outcomeOfGroup(tx, wait, now)
			: await answerTo[wait.kind](tx, wait);
	if (found !== undefined) return found;
	if (wait.until !== undefined && wait.until <= now) {
		return { kind: 'timedOut', ...(await answersSoFar(tx, wait)) };
	}
	return await impossibility(tx, wait);
}

/** Answers that have arrived to a template that several people answer; empty for other waits. */
export async function answersSoFar(
	tx: ReadTransaction,
	wait: WaitRecord,
): Promise<{ references?: string[] }> {
	if (wait.answersWanted === undefined) return {};
	return { references: await answersToTemplate(tx, wait.subject, wait.answersWanted) };
}

const answerTo: {
	readonly [Kind in Exclude<WaitRecord['kind'], 'group'>]: (
		tx: ReadTransaction,
		wait: WaitRecord,
	) => Promise<WaitOutcome | undefined>;
} = {
	request: async (tx, { subject }) => {
		const record = (await tx.requests.get(subject))?.record;
		// A request is removed only with its relationship.
		if (record === undefined) return { kind: 'ended', reason: 'peerLeft' };
		if (record.status === 'Completed') return { kind: 'answered', reference: subject };
		if (record.status === 'Expired') return { kind: 'timedOut' };
		if (record.status !== 'Draft') return undefined;
		return (await isUnsent(tx, record.sendIntentId)) ? notSent : undefined;
	},
	mail: async (tx, wait) => {
		const intent = (await tx.sendIntents.get(wait.subject))?.record;
		if (intent?.state === 'failed') return notSent;
		if (intent?.state === 'prepared') return undefined;
		const reply = await replyTo(tx, wait, (await sentAt(tx, intent)) ?? wait.after ?? '');
		return reply === undefined ? undefined : { kind: 'answered', reference: reply.id };
	},
	template: async (tx, { subject, answersWanted }) => {
		const wanted = answersWanted ?? 1;
		const references = await answersToTemplate(tx, subject, wanted);
		const [reference] = references;
		if (reference === undefined || references.length < wanted) return undefined;
		return {
			kind: 'answered',
			reference,
			...(answersWanted === undefined ? {} : { references }),
		};
	},
};

/** Ids of the answered requests, one for each person: who connects again answers again. */
async function answersToTemplate(
	tx: ReadTransaction,
	templateId: string,
	limit: number,
): Promise<string[]> {
	const answered = await tx.requests.list({
		where: matching({ isOwn: true, sourceReference: templateId, status: 'Completed' }),
	});
	const byPeer = new Map(answered.map(({ record }) => [record.peer, record.id]));
	return [...byPeer.values()].slice(0, limit);
}

const mailsAtOnce = 20;
/** how much the clock of a person may be slow for a reply to count */
const slowClockMs = 3_600_000;

/**
 * First mail of the peer that arrived after the question and was not written before it. The
 * Backbone gives each message its time, and can show an old one late, so that the time of the
 * signature counts as well.
 *
 * @param sentAt time of the question by the Backbone
 */
async function replyTo(
	tx: ReadTransaction,
	{ peer = '', createdAt, askedAt = createdAt, latestReceived }: WaitRecord,
	sentAt: string,
): Promise<MessageRecord | undefined> {
	const earliest = epochMsOf(askedAt) - slowClockMs;
	for (let after = latestReceived; ;) {
		const mails = await tx.messages.list({
			where: [
				...matching({ createdBy: peer, contentType: 'Mail' }),
				{ field: 'createdAt', op: 'gt', value: sentAt },
			],
			limit: mailsAtOnce,
			...(after === undefined ? {} : { after }),
		});
		const reply = mails.find(
			({ record: { signedAt = askedAt } }) => epochMsOf(signedAt) >= earliest,
		);
		if (reply !== undefined || mails.length < mailsAtOnce) return reply?.record;
		after = mails.at(-1)?.record.id;
	}
}

const notSent: WaitOutcome = { kind: 'ended', reason: 'notSent' };

/** True if a process died before the message reached the Backbone, and it was given up. */
async function isUnsent(tx: ReadTransaction, intentId: string | undefined): Promise<boolean> {
	if (intentId === undefined) return true;
	const intent = (await tx.sendIntents.get(intentId))?.record;
	return intent === undefined || intent.state === 'failed';
}

/** Time at which the Backbone accepted the mail, if its intent is kept. */
async function sentAt(
	tx: ReadTransaction,
	intent: SendIntentRecord | undefined,
): Promise<string | undefined> {
	if (intent?.messageId === undefined) return undefined;
	return (await tx.messages.get(intent.messageId))?.record.createdAt;
}

async function impossibility(
	tx: ReadTransaction,
	{ peer }: WaitRecord,
): Promise<WaitOutcome | undefined> {
	if (peer === undefined) return undefined;
	const relationship = (await currentRelationship(tx, peer))?.record;
	if (relationship?.peerDeletionInfo?.deletionStatus === 'Deleted') {
		return { kind: 'ended', reason: 'peerDeleted' };
	}
	const isEnded = relationship === undefined || endedStatuses.includes(relationship.status);
	return isEnded ? { kind: 'ended', reason: 'peerLeft' } : undefined;
}
