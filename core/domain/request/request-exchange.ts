import { canonicalJson } from '../../base/canonical-json';
import { isGatewayError, type GatewayError } from '../../base/errors';
import { creationContents } from '../../model/content/creation-content';
import type { Request } from '../../model/content/requests/requests';
import { epochMsOf } from '../../model/instant';
import { carries, type MessageRecord } from '../../model/record/message';
import type { RelationshipRecord } from '../../model/record/relationship';
import type { RequestRecord } from '../../model/record/request';
import type { TemplateRecord } from '../../model/record/template';
import type { ReadTransaction, WriteTransaction } from '../../store/store';
import type { AttributeWriter } from '../attribute/attribute-writer';
import type { Observer, PreparedMessage, Refusal, Reviewer } from '../observers';
import { handlerOf } from './items';
import { restoreRequest, takeParkedAnswer, type RequestMessage } from './lost-requests';
import type { ProcessingResultEvents } from './processing-result-events';
import { takeAction } from './request-changes';
import type { RequestCompletion } from './request-completion';
import { requestErrors } from './request-errors';
import { flatItemsOf } from './request-items';
import type { RequestReception } from './request-reception';
import { matching } from '../query/conditions';

export interface ExchangeDependencies {
	readonly reception: RequestReception;
	readonly completion: RequestCompletion;
	readonly resultEvents: ProcessingResultEvents;
	readonly writer: () => AttributeWriter;
}

/**
 * Updates requests when messages, templates and relationships arrive or are removed
 * (docs/protocol/consumption.md 10.1). Everything runs inside the transaction that stores the
 * cause.
 */
export class RequestExchange
	implements
		Reviewer<'messagePrepared'>,
		Observer<
			| 'messageSent'
			| 'messageReceived'
			| 'templateLoaded'
			| 'relationshipCreated'
			| 'relationshipArrived'
			| 'relationshipDecomposed'
		>
{
	constructor(private readonly dependencies: ExchangeDependencies) {}

	/** Handles a stored message of a peer. */
	async messageReceived(tx: WriteTransaction, message: MessageRecord): Promise<void> {
		const { reception, completion, resultEvents } = this.dependencies;
		if (carries(message, 'Request')) {
			await reception.fromMessage(tx, message);
			return;
		}
		if (carries(message, 'ResponseWrapper')) await completion.fromMessage(tx, message);
		await resultEvents.message(tx, message, 'NoRequest');
	}

	/** Handles a loaded template of a peer, also after a repeated load. */
	async templateLoaded(tx: WriteTransaction, template: TemplateRecord): Promise<void> {
		await this.dependencies.reception.fromTemplate(tx, template);
	}

	/** Handles a peer's answer to a template of this account, which arrived with a relationship. */
	async relationshipArrived(tx: WriteTransaction, relationship: RelationshipRecord): Promise<void> {
		await this.dependencies.completion.fromRelationship(tx, relationship);
	}

	/**
	 * Completes the request of a template after this account has created the relationship, which
	 * carries the response.
	 */
	async relationshipCreated(tx: WriteTransaction, relationship: RelationshipRecord): Promise<void> {
		const { id, templateId, creationContent } = relationship;
		if (!creationContents.isKnown(creationContent)) return;
		if (creationContent['@type'] !== 'RelationshipCreationContent') return;
		const record = await this.decided(tx, creationContent.response.requestId);
		if (record?.source?.reference !== templateId) return;
		await this.complete(tx, record, { type: 'Relationship', reference: id });
	}

	/**
	 * Checks a message before it is sealed: a request is sent once, unchanged, to its peer alone
	 * (docs/protocol/content.md 11.1).
	 *
	 * @throws `error.runtime.validation.invalidPropertyValue`, `error.runtime.recordNotFound`,
	 * `error.runtime.messages.cannotSendMessageWithExpiredRequest`,
	 * `error.runtime.messages.cannotSendRequestThatWasAlreadySent`,
	 * `error.gateway.messages.outcomeUnknown`
	 */
	async messagePrepared(
		tx: WriteTransaction,
		{ content, recipients, intentId }: PreparedMessage,
	): Promise<Refusal> {
		if (content['@type'] !== 'Request') return undefined;
		const sendable = await sendableRequest(tx, content, recipients, this.dependencies.writer().now);
		if (isGatewayError(sendable)) return sendable;
		await tx.requests.update({ ...sendable, sendIntentId: intentId });
		return undefined;
	}

	/** Handles a message of this account that was sent and stored. */
	async messageSent(tx: WriteTransaction, message: MessageRecord): Promise<void> {
		if (carries(message, 'Request')) await this.requestSent(tx, message);
		if (!carries(message, 'ResponseWrapper')) return;
		const record = await this.decided(tx, message.content.requestId);
		if (record === undefined) return;
		await this.complete(tx, record, { type: 'Message', reference: message.id });
	}

	/** Removes requests to and from the peer (docs/protocol/consumption.md 8.14). */
	async relationshipDecomposed(tx: WriteTransaction, { peer }: RelationshipRecord): Promise<void> {
		const entries = await tx.requests.list({ where: matching({ peer }) });
		for (const { record } of entries) {
			await tx.requests.delete(record.id);
			await tx.work.delete(record.id);
			await tx.outbox.erase(record.id);
		}
	}

	private async requestSent(tx: WriteTransaction, message: RequestMessage): Promise<void> {
		const requestId = message.content.id ?? '';
		const stored =
			(await tx.requests.get(requestId))?.record ?? (await restoreRequest(tx, requestId, message));
		if (stored?.isOwn !== true || stored.source !== undefined) return;
		const writer = this.dependencies.writer();
		const source = { type: 'Message', reference: message.id } as const;
		const record: RequestRecord = { ...stored, source };
		const { peer } = record;
		// The request may have expired during sending; the answer counts nevertheless.
		const changed = record.status === 'Draft' ? record : undefined;
		if (changed === undefined) await tx.requests.update(record);
		const { ownAddress } = writer;
		const context = { tx, ownAddress, peer, requestId, seed: requestId, writer };
		for (const item of flatItemsOf(record.content)) {
			await handlerOf(item).applySent?.(item, context);
		}
		if (changed !== undefined) await takeAction(tx, changed, 'send', writer.now);
		const answer = await takeParkedAnswer(tx, requestId);
		if (answer !== undefined) await this.dependencies.completion.fromMessage(tx, answer);
	}

	private async decided(
		tx: ReadTransaction,
		requestId: string,
	): Promise<RequestRecord | undefined> {
		const record = (await tx.requests.get(requestId))?.record;
		return record?.isOwn === false && record.status === 'Decided' ? record : undefined;
	}

	private async complete(
		tx: WriteTransaction,
		record: RequestRecord,
		source: NonNullable<NonNullable<RequestRecord['response']>['source']>,
	): Promise<void> {
		const { response } = record;
		if (response === undefined) return;
		const answered = { ...record, response: { ...response, source } };
		await takeAction(tx, answered, 'complete', this.dependencies.writer().now);
	}
}

/** Returns the request that a message sends, or why it cannot be sent. */
async function sendableRequest(
	tx: ReadTransaction,
	content: Request,
	recipients: readonly string[],
	now: string,
): Promise<RequestRecord | GatewayError> {
	const { id, expiresAt } = content;
	if (recipients.length !== 1) return invalid('recipients', 'a request goes to one recipient');
	if (typeof id !== 'string') return invalid('content.id', 'create the request first');
	const record = (await tx.requests.get(id))?.record;
	if (record?.isOwn !== true) {
		return requestErrors.create('notFound', {
			message: `There is no outgoing request with the ID '${id}' in this account.`,
			facts: { requestId: id },
		});
	}
	if (canonicalJson(content) !== canonicalJson(record.content)) {
		return invalid('content', 'it differs from the request that was created');
	}
	if (typeof expiresAt === 'string' && epochMsOf(expiresAt) < epochMsOf(now)) {
		return requestErrors.create('sendingExpired', {
			message: `The request expired at ${expiresAt}.`,
			facts: { requestId: id },
		});
	}
	if (recipients[0] !== record.peer)
		return invalid('recipients', 'the request is for another peer');
	if (record.status !== 'Draft') {
		return requestErrors.create('alreadySent', {
			message: `The request '${id}' is '${record.status}' already.`,
			facts: { requestId: id },
		});
	}
	const intent =
		record.sendIntentId === undefined ? undefined : await tx.sendIntents.get(record.sendIntentId);
	if (intent?.record.state !== 'prepared') return record;
	return requestErrors.create('sendingUnderWay', {
		message: `Sending the request '${id}' has begun, and its outcome is not known yet.`,
		facts: { requestId: id },
	});
}

function invalid(field: string, problem: string): GatewayError {
	return requestErrors.create('invalidRequestMessage', {
		message: `'${field}' is not valid: ${problem}.`,
		facts: { field },
	});
}
