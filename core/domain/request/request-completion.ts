import { GatewayError } from '../../base/errors';
import type { Logger } from '../../base/logger';
import { readCreationResponse } from '../../model/content/creation-content';
import { objectMember, textMember } from '../../model/content/members';
import { withMembers } from '../../model/content/parse';
import { requestsOf } from '../../model/content/template-content';
import { compareInstants } from '../../model/instant';
import type { JsonObject } from '../../model/json';
import type { MessageRecord } from '../../model/record/message';
import type { RelationshipRecord } from '../../model/record/relationship';
import type { RequestRecord } from '../../model/record/request';
import type { TemplateRecord } from '../../model/record/template';
import type { WriteTransaction } from '../../store/store';
import type { AttributeWriter } from '../attribute/attribute-writer';
import { afterAction, publishRequest, takeAction } from './request-changes';
import { requestErrors } from './request-errors';
import { applyResponse } from './responses/response-effects';

export interface CompletionDependencies {
	readonly ownAddress: string;
	readonly logger: Logger;
	/** writer for the attributes in answers */
	readonly writer: () => AttributeWriter;
}

type Source = NonNullable<RequestRecord['source']>;
type ResponseSource = NonNullable<NonNullable<RequestRecord['response']>['source']>;

interface Answer {
	readonly peer: string;
	/** time when the Backbone accepted the answer; it decides, not the time of receipt */
	readonly createdAt: string;
	readonly response: JsonObject;
	readonly source: ResponseSource;
}

/**
 * Handles answers to requests of this account (docs/protocol/consumption.md 4.5, 4.6). An invalid answer is
 * logged, and the message or relationship that carried it is stored all the same: a peer must not be able to
 * block the processing.
 */
export class RequestCompletion {
	constructor(private readonly parts: CompletionDependencies) {}

	/** Handles an answer that arrived with a relationship, to the request of this account's template. */
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
		const problem = await this.completeTemplateRequest(tx, onNew.request, template, answer);
		if (problem !== undefined) this.report(answer, problem);
	}

	/**
	 * Handles an answer that arrived with a message, to a request in a message or in a template of this
	 * account.
	 */
	async fromMessage(tx: WriteTransaction, message: MessageRecord): Promise<void> {
		const { content, createdBy, createdAt, id } = message;
		const answer: Answer = {
			peer: createdBy,
			createdAt,
			response: objectMember(content, 'response'),
			source: { type: 'Message', reference: id },
		};
		const source = textMember(content, 'requestSourceReference');
		const problem =
			content['requestSourceType'] === 'Message'
				? await this.completeSentRequest(tx, source, answer)
				: await this.completeFromTemplate(tx, source, answer);
		if (problem !== undefined) this.report(answer, problem);
	}

	private async completeFromTemplate(
		tx: WriteTransaction,
		templateId: string,
		answer: Answer,
	): Promise<GatewayError | undefined> {
		const template = (await tx.templates.get(templateId))?.record;
		if (template?.isOwn !== true) return mismatch('The answer does not belong to an own template.');
		const found = requestsOf(template.content);
		const onExisting = found.find(({ name }) => name === 'onExistingRelationship');
		if (onExisting === undefined)
			return mismatch('The template has no request for peers with a relationship.');
		return await this.completeTemplateRequest(tx, onExisting.request, template, answer);
	}

	/**
	 * Stores the request of a template, which becomes a request of this account only with its answer, under the
	 * id that the peer chose.
	 */
	private async completeTemplateRequest(
		tx: WriteTransaction,
		request: JsonObject,
		{ id: templateId, templateKey }: TemplateRecord,
		answer: Answer,
	): Promise<GatewayError | undefined> {
		const id = requestIdOf(answer);
		if ((await tx.requests.get(id)) !== undefined) {
			return mismatch('The peer chose the ID of a request that exists already.');
		}
		const late = lateness(request, answer);
		if (late !== undefined) return late;
		const { now } = this.parts.writer();
		const draft: RequestRecord = {
			id,
			isOwn: true,
			peer: answer.peer,
			createdAt: now,
			status: 'Draft',
			content: withMembers(request, { '@type': 'Request' }),
			source: { type: 'RelationshipTemplate', reference: templateId },
			statusLog: [],
		};
		const content = await this.apply(tx, draft, answer, templateKey.id);
		if (content instanceof GatewayError) return content;
		const completed = afterAction(afterAction(draft, 'send', now), 'complete', now);
		const record = { ...completed, content, response: responseOf(answer, now) };
		await tx.requests.insert(record, undefined);
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
	): Promise<GatewayError | undefined> {
		const stored = (await tx.requests.get(requestIdOf(answer)))?.record;
		if (stored?.isOwn !== true) return mismatch('The answer does not belong to an own request.');
		if (stored.peer !== answer.peer) return mismatch('The answer comes from another identity.');
		const record = await this.asSent(tx, stored, messageId);
		if (record.status !== 'Open' && record.status !== 'Expired') {
			return mismatch(`The request is '${record.status}' already.`);
		}
		const late = lateness(record.content, answer);
		if (late !== undefined) return late;
		const content = await this.apply(tx, record, answer, record.id);
		if (content instanceof GatewayError) return content;
		const { now } = this.parts.writer();
		const answered = { ...record, content, response: responseOf(answer, now) };
		await takeAction(tx, answered, 'complete', now, 'Open');
		return undefined;
	}

	/** Marks the request as sent: an answer proves that, even when the outcome of sending was still unknown. */
	private async asSent(
		tx: WriteTransaction,
		record: RequestRecord,
		messageId: string,
	): Promise<RequestRecord> {
		if (record.status !== 'Draft' || record.sendIntentId === undefined) return record;
		const source: Source = { type: 'Message', reference: messageId };
		return await takeAction(tx, { ...record, source }, 'send', this.parts.writer().now);
	}

	private async apply(
		tx: WriteTransaction,
		{ content, id, peer }: RequestRecord,
		{ response }: Answer,
		seed: string,
	): Promise<JsonObject | GatewayError> {
		const { ownAddress, logger, writer } = this.parts;
		const context = { tx, ownAddress, peer, requestId: id, seed, writer: writer() };
		return await applyResponse(content, response, context, logger);
	}

	private report({ source }: Answer, { code, message }: GatewayError): void {
		const facts = { source: source.reference, code, reason: message };
		this.parts.logger.warn('the answer to a request was not usable', facts);
	}
}

function requestIdOf({ response }: Answer): string {
	return textMember(response, 'requestId');
}

function responseOf({ response, source }: Answer, now: string): RequestRecord['response'] {
	return { createdAt: now, content: withMembers(response, { '@type': 'Response' }), source };
}

function lateness(request: JsonObject, { createdAt }: Answer): GatewayError | undefined {
	const expiresAt = request['expiresAt'];
	if (typeof expiresAt !== 'string' || compareInstants(createdAt, expiresAt) <= 0) return undefined;
	return requestErrors.create('expired', {
		message: `The answer came at ${createdAt}, the request expired at ${expiresAt}.`,
	});
}

function mismatch(message: string): GatewayError {
	return requestErrors.create('responseMismatch', { message });
}
