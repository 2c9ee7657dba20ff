import { GatewayError } from '../../base/errors';
import type { Logger } from '../../base/logger';
import { appendEvent } from '../../events/outbox';
import { readCreationResponse } from '../../model/content/creation-content';
import { textMember } from '../../model/content/members';
import { withMembers } from '../../model/content/parse';
import { requestsOf } from '../../model/content/template-content';
import { compareInstants } from '../../model/instant';
import type { JsonObject } from '../../model/json';
import type { RelationshipRecord } from '../../model/record/relationship';
import type { RequestRecord } from '../../model/record/request';
import type { WriteTransaction } from '../../store/store';
import { handlerOf } from './items';
import type { ResponseContext } from './items/item-handler';
import { toRequestDto } from './request-dto';
import { requestErrors } from './request-errors';
import { judgeResponse, type JudgedResponse } from './request-rules';

/*
 * The answer to the request of an own template comes with the relationship that was made from it
 * (docs/protocol/consumption.md 4.6). Whatever is wrong with the answer is logged and the relationship
 * arrives all the same: a peer must not be able to hold up our processing.
 */

interface Answer {
	readonly relationship: RelationshipRecord;
	readonly request: JsonObject;
	readonly response: JsonObject;
}

export async function completeFromRelationship(
	tx: WriteTransaction,
	relationship: RelationshipRecord,
	own: { readonly address: string; readonly now: string; readonly logger: Logger },
): Promise<void> {
	const answer = answerOf(relationship);
	if (answer === undefined) return;
	const context: ResponseContext = {
		tx,
		ownAddress: own.address,
		peer: relationship.peer,
		requestId: textMember(answer.response, 'requestId'),
		now: own.now,
	};
	const judged = await judge(answer, context);
	if (judged instanceof GatewayError) {
		own.logger.warn('the answer to a template was not usable', {
			relationshipId: relationship.id,
			code: judged.code,
			reason: judged.message,
		});
		return;
	}
	const ignored = judged.ignored.map(({ message }) => message);
	for (const { item, response } of judged.accepted) {
		const problem = await handlerOf(item)?.applyResponse(item, response, context);
		if (problem !== undefined) ignored.push(problem);
	}
	for (const reason of ignored) {
		own.logger.warn('a part of the answer to a template was ignored', {
			relationshipId: relationship.id,
			requestId: context.requestId,
			reason,
		});
	}
	await storeCompleted(answer, context);
}

function answerOf(relationship: RelationshipRecord): Answer | undefined {
	if (relationship.createdByUs || !relationship.template.isOwn) return undefined;
	const [onNew] = requestsOf(relationship.template.content);
	const response = readCreationResponse(relationship.creationContent);
	if (onNew === undefined || response === undefined) return undefined;
	return { relationship, request: onNew.request, response };
}

async function judge(
	{ relationship, request, response }: Answer,
	context: ResponseContext,
): Promise<JudgedResponse | GatewayError> {
	const expiresAt = request['expiresAt'];
	// The time of the answer counts, not the time at which we see it.
	if (typeof expiresAt === 'string' && compareInstants(relationship.createdAt, expiresAt) > 0) {
		return requestErrors.create('expired', {
			message: `The answer came at ${relationship.createdAt}, the request expired at ${expiresAt}.`,
		});
	}
	if ((await context.tx.requests.get(context.requestId)) !== undefined) {
		return requestErrors.create('responseMismatch', {
			message: 'The peer chose the ID of a request that exists already.',
		});
	}
	return judgeResponse(request, response, context);
}

async function storeCompleted(
	{ relationship, request, response }: Answer,
	{ tx, requestId, now }: ResponseContext,
): Promise<void> {
	const record: RequestRecord = {
		id: requestId,
		isOwn: true,
		peer: relationship.peer,
		createdAt: now,
		status: 'Completed',
		content: withMembers(request, { '@type': 'Request' }),
		source: { type: 'RelationshipTemplate', reference: relationship.templateId },
		response: {
			createdAt: now,
			content: withMembers(response, { '@type': 'Response' }),
			source: { type: 'Relationship', reference: relationship.id },
		},
		statusLog: [
			{ createdAt: now, oldStatus: 'Draft', newStatus: 'Open' },
			{ createdAt: now, oldStatus: 'Open', newStatus: 'Completed' },
		],
	};
	await tx.requests.insert(record, undefined);
	const names = [
		'consumption.outgoingRequestCreatedAndCompleted',
		'consumption.outgoingRequestFromRelationshipCreationCreatedAndCompleted',
	] as const;
	for (const name of names) {
		await appendEvent(tx, {
			name,
			createdAt: now,
			peer: record.peer,
			subject: record.id,
			data: toRequestDto(record),
		});
	}
}
