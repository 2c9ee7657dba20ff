import type { GatewayError } from '../../base/errors';
import type { Logger } from '../../base/logger';
import type { Random } from '../../base/random';
import { appendEvent } from '../../events/outbox';
import { newId } from '../../model/ids';
import type { RefusedPeerAnswer, RequestRecord } from '../../model/record/request';
import type { WriteTransaction } from '../../store/store';
import { matching } from '../query/conditions';

/** limit of refused answers that a request lists, so that a peer cannot make its record grow */
const mostListed = 10;

/** Answer that does not count, and why. */
export interface Refusal {
	readonly error: GatewayError;
	readonly peer: string;
	readonly source: RefusedPeerAnswer['source'];
	/** own request of this peer that lists the answer, if there is one */
	readonly request?: RequestRecord | undefined;
	readonly templateId?: string | undefined;
}

/**
 * Stores, publishes and logs that an answer of a peer does not count. Get Problems does not
 * list it, because any peer can send such an answer.
 */
export async function refuseAnswer(
	tx: WriteTransaction,
	{ error: { code, message }, peer, source, request, templateId }: Refusal,
	{ logger, now }: { readonly logger: Logger; readonly now: string },
): Promise<void> {
	const refused: RefusedPeerAnswer = { refusedAt: now, source, code, message };
	if (request !== undefined) {
		const refusedAnswers = [...(request.refusedAnswers ?? []), refused].slice(-mostListed);
		await tx.requests.update({ ...request, refusedAnswers });
	}
	await appendEvent(tx, {
		name: 'gateway.answerRefused',
		createdAt: now,
		peer,
		subject: request?.id ?? source.reference,
		data: {
			...refused,
			...(request === undefined ? {} : { requestId: request.id }),
			...(templateId === undefined ? {} : { templateId }),
		},
	});
	const facts = { source: source.reference, code, reason: message };
	logger.warn('an answer to a request was refused', facts);
}

/**
 * Returns the request of the template that lists refused answers of the peer: the request that the
 * peer has answered, otherwise a record that no answer completes. It has an id of this account, so
 * that the id which the peer chose leads to nothing.
 */
export async function requestForRefusals(
	tx: WriteTransaction,
	unanswered: Pick<RequestRecord, 'peer' | 'content'>,
	templateId: string,
	{ random, now }: { readonly random: Random; readonly now: string },
): Promise<RequestRecord> {
	const { peer } = unanswered;
	const known =
		(await answeredRequest(tx, templateId, peer)) ??
		(await tx.requests.first({ where: fromTemplate(templateId, peer) }))?.record;
	if (known !== undefined) return known;
	const record: RequestRecord = {
		...unanswered,
		id: newId('request', random),
		isOwn: true,
		createdAt: now,
		status: 'Expired',
		source: { type: 'RelationshipTemplate', reference: templateId },
		statusLog: [],
	};
	await tx.requests.insertIfNew(record, undefined);
	return record;
}

/** Returns the request that the peer has completed by answering the template. */
export async function answeredRequest(
	tx: WriteTransaction,
	templateId: string,
	peer: string,
): Promise<RequestRecord | undefined> {
	const where = [...fromTemplate(templateId, peer), isCompleted];
	return (await tx.requests.first({ where }))?.record;
}

/** True if so many people have answered the template, by message or with a relationship. */
export async function hasAnswersOf(
	tx: WriteTransaction,
	templateId: string,
	people: number,
): Promise<boolean> {
	const where = [...fromTemplate(templateId), isCompleted];
	if ((await tx.requests.count({ where })) < people) return false;
	// Who connects again answers again.
	const answered = await tx.requests.list({ where });
	return new Set(answered.map(({ record }) => record.peer)).size >= people;
}

const isCompleted = { field: 'status', op: 'eq', value: 'Completed' } as const;

function fromTemplate(templateId: string, peer?: string) {
	return [
		...matching({ isOwn: true, sourceReference: templateId }),
		...(peer === undefined ? [] : matching({ peer })),
	];
}
