import type { GatewayError } from '../../base/errors';
import { textMember } from '../../model/content/members';
import type { Request } from '../../model/content/requests/requests';
import type { ResponseWrapper } from '../../model/content/requests/responses';
import { carries, type MessageRecord } from '../../model/record/message';
import type { RequestRecord } from '../../model/record/request';
import type { WriteTransaction } from '../../store/store';
import { dropProblem, parkProblem } from '../parked-problem';
import { requestErrors } from './request-errors';

/*
 * Requests that were sent after the backup from which the account was restored: the Backbone still
 * has their messages, and the answers may arrive before those are found there.
 */

export type RequestMessage = MessageRecord & { readonly content: Request };
export type AnswerMessage = MessageRecord & { readonly content: ResponseWrapper };

const problemOf = (requestId: string): string => `answer:${requestId}`;

/**
 * Lists the answer to a request that this store may have lost; false for any other problem. A store
 * that has lost nothing lists nothing, because a peer can invent requests.
 */
export async function parkIfLost(
	tx: WriteTransaction,
	{ id: messageId, content }: AnswerMessage,
	reason: GatewayError,
	now: string,
): Promise<boolean> {
	if (reason.code !== requestErrors.answerToLostRequest.code) return false;
	if ((await tx.syncState.get('sync'))?.record.hasLostMessages !== true) return false;
	const { requestId } = content.response;
	const payload = { messageId };
	await parkProblem(tx, now, {
		id: problemOf(requestId),
		type: 'RequestAnswered',
		payload,
		reason,
	});
	return true;
}

/** Stores the request in a message of this account that was found at the Backbone. */
export async function restoreRequest(
	tx: WriteTransaction,
	requestId: string,
	{ content, createdAt, recipients }: RequestMessage,
): Promise<RequestRecord | undefined> {
	const [recipient] = recipients;
	if (requestId === '' || recipient === undefined) return undefined;
	const record: RequestRecord = {
		id: requestId,
		isOwn: true,
		peer: recipient.address,
		createdAt,
		status: 'Draft',
		content,
		statusLog: [],
	};
	return (await tx.requests.insertIfNew(record, undefined)) ? record : undefined;
}

/** Returns the message with the answer that waits for this request, and takes it off the list. */
export async function takeParkedAnswer(
	tx: WriteTransaction,
	requestId: string,
): Promise<AnswerMessage | undefined> {
	const id = problemOf(requestId);
	const problem = (await tx.inbox.get(id))?.record;
	if (problem?.state !== 'parked') return undefined;
	const messageId = textMember(problem.payload, 'messageId');
	await dropProblem(tx, id);
	const message = (await tx.messages.get(messageId))?.record;
	return message !== undefined && carries(message, 'ResponseWrapper') ? message : undefined;
}
