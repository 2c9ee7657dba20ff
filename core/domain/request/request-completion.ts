import { GatewayError } from '../../base/errors';
import { readCreationResponse } from '../../model/content/creation-content';
import { withType, type Request, type UntypedRequest } from '../../model/content/requests/requests';
import { withResponseType, type UntypedResponse } from '../../model/content/requests/responses';
import { requestsOf } from '../../model/content/template-content';
import { compareInstants } from '../../model/instant';
import type { RelationshipRecord } from '../../model/record/relationship';
import type { RequestRecord } from '../../model/record/request';
import type { TemplateRecord } from '../../model/record/template';
import type { WriteTransaction } from '../../store/store';
import type { AttributeWriter } from '../attribute/attribute-writer';
import {
	answeredRequest,
	hasAnswersOf,
	refuseAnswer,
	requestForRefusals,
	type Refusal,
} from './answer-refusal';
import { afterAction, publishRequest, takeAction } from './request-changes';
import { requestErrors } from './request-errors';
import { parkIfLost, type AnswerMessage } from './lost-requests';
import { applyResponse } from './responses/response-effects';
import type { Needs } from '../needs';
import { mismatch } from './items/answers';

export interface CompletionDependencies extends Needs<'logger' | 'random'> {
	readonly ownAddress: string;
	/**
	 * true if answers by message to templates with a password count, unless a template says otherwise
	 */
	readonly acceptUnprovenAnswers: boolean;
	/** writer for the attributes in answers */
	readonly writer: () => AttributeWriter;
}

type Source = NonNullable<RequestRecord['source']>;
type ResponseSource = NonNullable<NonNullable<RequestRecord['response']>['source']>;

interface Answer {
	readonly peer: string;
	/** time when the Backbone accepted the answer; it decides, not the time of receipt */
	readonly createdAt: string;
	readonly response: UntypedResponse;
	readonly source: ResponseSource;
}

/** Reason for which an answer does not count, with the request or template to which it belongs. */
type Refused = Pick<Refusal, 'error' | 'request' | 'templateId'>;

/**
 * Handles answers to requests of this account (docs/protocol/consumption.md 4.5, 4.6). An answer
 * that does not count is stored as refused, and the message or relationship that carried it is
 * stored all the same: a peer must not be able to block the processing.
 */
export class RequestCompletion {
	constructor(private readonly dependencies: CompletionDependencies) {}

	/**
	 * Handles an answer that arrived with a relationship, to the request of this account's template.
	 */
	async fromRelationship(tx: WriteTransaction, relationship: RelationshipRecord): Promise<void> {
		if (relationship.createdByUs || !relationship.template.isOwn) return;
		const { template } = relationship;
		const onNew = requestsOf(template.content).find(({ name }) => name === 'onNewRelationship');
		const response = readCreationResponse(relationship.creationContent);
		if (onNew === undefined || response === undefined) return;
		const { peer, createdAt, id } = relationship;
		const answer: Answer = {
			peer,
			createdAt,
			response,
			source: { type: 'Relationship', reference: id },
		};
		const refused = await this.completeTemplateRequest(tx, onNew.request, template, answer);
		if (refused !== undefined) await this.refuse(tx, answer, refused);
	}

	/**
	 * Handles an answer that arrived with a message, to a request in a message or in a template of
	 * this account.
	 */
	async fromMessage(tx: WriteTransaction, message: AnswerMessage): Promise<void> {
		const { content, createdBy, createdAt, id } = message;
		const answer: Answer = {
			peer: createdBy,
			createdAt,
			response: content.response,
			source: { type: 'Message', reference: id },
		};
		const source = content.requestSourceReference;
		const refused =
			content.requestSourceType === 'Message'
				? await this.completeSentRequest(tx, source, answer)
				: await this.completeFromTemplate(tx, source, answer);
		if (refused === undefined) return;
		if (await parkIfLost(tx, message, refused.error, this.dependencies.writer().now)) return;
		await this.refuse(tx, answer, refused);
	}

	private async completeFromTemplate(
		tx: WriteTransaction,
		templateId: string,
		answer: Answer,
	): Promise<Refused | undefined> {
		const entry = await tx.templates.get(templateId);
		if (entry?.record.isOwn !== true) {
			return { error: mismatch('The answer does not belong to an own template.') };
		}
		const { record: template, secrets } = entry;
		const found = requestsOf(template.content);
		const onExisting = found.find(({ name }) => name === 'onExistingRelationship');
		if (onExisting === undefined) {
			const error = mismatch('The template has no request for peers with a relationship.');
			return { error, templateId };
		}
		const { request } = onExisting;
		const isProtected = secrets.passwordProtection !== undefined;
		const whyNot = await this.whyNotByMessage(tx, template, isProtected, request, answer);
		return await this.completeTemplateRequest(tx, request, template, answer, whyNot);
	}

	/**
	 * Checks for an answer by message what the Backbone checks for a relationship: a connected peer
	 * can answer a template of which it knows only the ID.
	 */
	private async whyNotByMessage(
		tx: WriteTransaction,
		template: TemplateRecord,
		isProtected: boolean,
		request: UntypedRequest,
		answer: Answer,
	): Promise<GatewayError | undefined> {
		const { id, deletedAt, maxNumberOfAllocations } = template;
		const { acceptUnprovenAnswers = this.dependencies.acceptUnprovenAnswers } = template;
		if (isProtected && !acceptUnprovenAnswers) {
			return requestErrors.create('unprovenAnswer', {
				message:
					'The template has a password or PIN, and a message cannot prove that the peer knows it.',
			});
		}
		if (deletedAt !== undefined && compareInstants(answer.createdAt, deletedAt) >= 0) {
			return requestErrors.create('templateDeleted', {
				message: `The answer came at ${answer.createdAt}, the template was deleted at ${deletedAt}.`,
			});
		}
		const late = lateness({ ...template, ...request }, answer);
		if (late !== undefined) return late;
		if ((await answeredRequest(tx, id, answer.peer)) !== undefined) {
			return requestErrors.create('answeredAlready', {
				message: 'The peer has answered the template already.',
			});
		}
		if (maxNumberOfAllocations === undefined) return undefined;
		if (!(await hasAnswersOf(tx, id, maxNumberOfAllocations))) return undefined;
		return requestErrors.create('templateUsedUp', {
			message: `The template allows ${maxNumberOfAllocations} people, and as many have answered.`,
		});
	}

	/**
	 * Stores the request of a template, which becomes a request of this account only with its answer,
	 * under the id that the peer chose.
	 *
	 * @param whyNot set if the answer does not count
	 */
	private async completeTemplateRequest(
		tx: WriteTransaction,
		request: UntypedRequest,
		template: TemplateRecord,
		answer: Answer,
		whyNot?: GatewayError,
	): Promise<Refused | undefined> {
		const error = whyNot ?? (await this.completeAtOnce(tx, request, template, answer));
		if (error === undefined) return undefined;
		const unanswered = { peer: answer.peer, content: withType(request) };
		const { random, writer } = this.dependencies;
		const context = { random, now: writer().now };
		const listing = await requestForRefusals(tx, unanswered, template.id, context);
		return { error, templateId: template.id, request: listing };
	}

	private async completeAtOnce(
		tx: WriteTransaction,
		request: UntypedRequest,
		{ id: templateId, templateKey, forIdentity }: TemplateRecord,
		answer: Answer,
	): Promise<GatewayError | undefined> {
		if (forIdentity !== undefined && forIdentity !== answer.peer) {
			return fromOther('The template was made for another identity.');
		}
		const id = requestIdOf(answer);
		if ((await tx.requests.get(id)) !== undefined) {
			return mismatch('The peer chose the ID of a request that exists already.');
		}
		const late = lateness(request, answer);
		if (late !== undefined) return late;
		const { now } = this.dependencies.writer();
		const draft: RequestRecord = {
			id,
			isOwn: true,
			peer: answer.peer,
			createdAt: now,
			status: 'Draft',
			content: withType(request),
			source: { type: 'RelationshipTemplate', reference: templateId },
			statusLog: [],
		};
		const content = await this.apply(tx, draft, answer, templateKey.id);
		if (content instanceof GatewayError) return content;
		const completed = afterAction(afterAction(draft, 'send', now), 'complete', now);
		const record = { ...completed, content, response: responseOf(answer, now) };
		await tx.requests.insertIfNew(record, undefined);
		await publishRequest(tx, 'consumption.outgoingRequestCreatedAndCompleted', record, now);
		if (answer.source.type !== 'Relationship') return undefined;
		const fromCreation =
			'consumption.outgoingRequestFromRelationshipCreationCreatedAndCompleted' as const;
		await publishRequest(tx, fromCreation, record, now);
		return undefined;
	}

	private async completeSentRequest(
		tx: WriteTransaction,
		messageId: string,
		answer: Answer,
	): Promise<Refused | undefined> {
		const stored = (await tx.requests.get(requestIdOf(answer)))?.record;
		if (stored === undefined) {
			return { error: requestErrors.create('answerToLostRequest', answerToLost(answer)) };
		}
		// The request of a template was never sent in a message.
		if (!stored.isOwn || stored.source?.type === 'RelationshipTemplate') {
			return { error: mismatch('The answer does not belong to an own request.') };
		}
		if (stored.peer !== answer.peer) {
			return { error: fromOther('The answer comes from another identity.') };
		}
		const request = await this.asSent(tx, stored, messageId);
		const error = await this.completeSent(tx, request, answer);
		return error && { error, request };
	}

	private async completeSent(
		tx: WriteTransaction,
		record: RequestRecord,
		answer: Answer,
	): Promise<GatewayError | undefined> {
		const { status } = record;
		if (status === 'Completed') {
			const message = 'The peer has answered the request already.';
			return requestErrors.create('answeredAlready', { message });
		}
		if (status !== 'Open' && status !== 'Expired') return mismatch(`The request is '${status}'.`);
		const late = lateness(record.content, answer);
		if (late !== undefined) return late;
		const content = await this.apply(tx, record, answer, record.id);
		if (content instanceof GatewayError) return content;
		const { now } = this.dependencies.writer();
		const answered = { ...record, content, response: responseOf(answer, now) };
		await takeAction(tx, answered, 'complete', now, 'Open');
		return undefined;
	}

	/**
	 * Marks the request as sent: an answer proves that, even when the outcome of sending was still
	 * unknown.
	 */
	private async asSent(
		tx: WriteTransaction,
		record: RequestRecord,
		messageId: string,
	): Promise<RequestRecord> {
		if (record.status !== 'Draft' || record.sendIntentId === undefined) return record;
		const source: Source = { type: 'Message', reference: messageId };
		return await takeAction(tx, { ...record, source }, 'send', this.dependencies.writer().now);
	}

	private async apply(
		tx: WriteTransaction,
		{ content, id, peer }: RequestRecord,
		{ response }: Answer,
		seed: string,
	): Promise<Request | GatewayError> {
		const { ownAddress, logger, writer } = this.dependencies;
		const context = { tx, ownAddress, peer, requestId: id, seed, writer: writer() };
		return await applyResponse(content, response, context, logger);
	}

	private async refuse(
		tx: WriteTransaction,
		{ peer, source }: Answer,
		refused: Refused,
	): Promise<void> {
		const { logger, writer } = this.dependencies;
		await refuseAnswer(tx, { peer, source, ...refused }, { logger, now: writer().now });
	}
}

function answerToLost(answer: Answer): { readonly message: string } {
	return {
		message: `${answer.peer} has answered the request ${requestIdOf(answer)}, which is not in this copy of the account. The answer is in the message ${answer.source.reference}.`,
	};
}

function requestIdOf({ response }: Answer): string {
	return response.requestId;
}

function responseOf({ response, source }: Answer, now: string): RequestRecord['response'] {
	return { createdAt: now, content: withResponseType(response), source };
}

function lateness(
	{ expiresAt }: { readonly expiresAt?: unknown },
	{ createdAt }: Answer,
): GatewayError | undefined {
	if (typeof expiresAt !== 'string' || compareInstants(createdAt, expiresAt) <= 0) return undefined;
	return requestErrors.create('expired', {
		message: `The answer came at ${createdAt}, the request expired at ${expiresAt}.`,
	});
}

function fromOther(message: string): GatewayError {
	return requestErrors.create('answerFromOther', { message });
}
