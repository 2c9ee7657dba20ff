import type { Cancellable } from '../../base/abort';
import { isoInstant } from '../../base/clock';
import { codeOf, isGatewayError, type GatewayError } from '../../base/errors';
import { alphanumeric } from '../../base/random';
import type { SendMessageBody } from '../../backbone/dto';
import { readRelationshipSecrets } from '../../crypto/relationship-secrets-schema';
import { inDialectOf } from '../../model/content/dialects';
import type { JsonObject } from '../../model/json';
import type {
	MessageDto,
	MessageRecord,
	SendIntentRecord,
	SendIntentSecrets,
} from '../../model/record/message';
import type { Entry, WriteTransaction } from '../../store/store';
import { isOutcomeUnknown } from '../outcome';
import { reserveTransmitCounter } from '../relationship/transmit-counter';
import type { MessageAttachments } from './message-attachments';
import type { MessageContext } from './message-context';
import { toMessageDto } from './message-dto';
import { sealMessage } from './message-envelope';
import { messageErrors } from './message-errors';
import { publishMessage, publishNotSent } from './message-events';
import { isTemporary, outcomeUnknown } from './message-failures';
import { checkRecipients } from './message-rules';
import { currentRelationships } from '../current-relationship';
import { lastCallAt, SendClaims } from './send-claims';
import { sealedBodyHash, SentMessageSearch } from './sent-messages';

export type SendIntent = Entry<SendIntentRecord, SendIntentSecrets>;

export interface NewMessage {
	readonly recipients: readonly string[];
	/** parsed */
	readonly content: JsonObject;
	/** ids of files */
	readonly attachments: readonly string[];
}

/**
 * The way of one message (docs/adr/0006): an intent with reserved counters and finished body is
 * committed, then the Backbone is called, then the message is stored.
 */
export class MessageSending {
	/** intents of this process whose call is under way */
	private readonly underWay = new Set<string>();

	readonly claims: SendClaims;

	readonly search: SentMessageSearch;

	constructor(
		private readonly context: MessageContext,
		private readonly attachments: MessageAttachments,
	) {
		this.claims = new SendClaims(context);
		this.search = new SentMessageSearch(context);
	}

	isUnderWay({ id }: SendIntentRecord): boolean {
		return this.underWay.has(id);
	}

	/** Keeps everybody else of this process away meanwhile; undefined when somebody works on it. */
	async alone<Result>(intentId: string, work: () => Promise<Result>): Promise<Result | undefined> {
		if (this.underWay.has(intentId)) return undefined;
		this.underWay.add(intentId);
		try {
			return await work();
		} finally {
			this.underWay.delete(intentId);
		}
	}

	/** Checks the recipients, reserves counters, and stores the sealed body as an intent. */
	async prepare(
		tx: WriteTransaction,
		{ recipients, content, attachments: fileIds }: NewMessage,
		more: Pick<SendIntentRecord, 'idempotencyKey' | 'mustArrive'>,
	): Promise<SendIntent> {
		const { random, clock, backbone } = this.context;
		const relationships = await currentRelationships(tx, recipients);
		const records = new Map([...relationships].map(([peer, entry]) => [peer, entry.record]));
		const problem = checkRecipients(content, recipients, records);
		if (problem !== undefined) throw problem;
		const attachments = await this.attachments.toSend(tx, fileIds);
		const createdAt = isoInstant(clock.now());
		const sealable = [];
		const named = [];
		for (const address of recipients) {
			const entry = relationships.get(address);
			if (entry === undefined) throw new TypeError('A checked recipient has no relationship');
			const counter = await reserveTransmitCounter(tx, entry.record.id, this.context);
			const secrets = readRelationshipSecrets(entry.secrets.established);
			sealable.push({ address, secrets, counter });
			named.push({ address, relationshipId: entry.record.id });
		}
		const sealed = sealMessage(
			{
				// Several recipients have Mails only, which both generations read.
				content: inDialectOf(records.get(recipients[0] ?? '')?.peerGeneration, content),
				attachments,
				createdAt,
				recipients: sealable,
			},
			random,
		);
		const record: SendIntentRecord = {
			id: `SND${random.text(17, alphanumeric)}`,
			...more,
			state: 'prepared',
			createdAt,
			preparedAt: isoInstant(clock.now() + (backbone.clockSkewMs ?? 0)),
			...this.claims.newCall(tx),
			bodyHash: sealedBodyHash(sealed.postBody.body),
			postBody: sealed.postBody as unknown as JsonObject,
			recipients: named,
			content,
			attachments: [...fileIds],
		};
		const secrets: SendIntentSecrets = { messageKey: sealed.messageKey };
		if (!(await tx.sendIntents.insert(record, secrets))) throw outcomeUnknown(record);
		const { id: intentId } = record;
		await this.context.contentPrepared?.(tx, { content, recipients, intentId });
		return { record, secrets };
	}

	/**
	 * Runs the transaction that prepares a message which its caller delivers at once: from the commit on,
	 * neither a repetition nor a sync may send it as well.
	 *
	 * @param prepare answers undefined when there is nothing to send
	 */
	async transactForDelivery(
		prepare: (tx: WriteTransaction) => Promise<SendIntent | undefined>,
		options: Cancellable,
	): Promise<SendIntent | undefined> {
		let prepared: SendIntentRecord | undefined;
		try {
			return await this.context.store.transact(async (tx) => {
				const intent = await prepare(tx);
				prepared = intent?.record;
				if (prepared !== undefined) this.underWay.add(prepared.id);
				return intent;
			}, options);
		} catch (error) {
			if (prepared !== undefined) this.neverCalled(prepared);
			throw error;
		}
	}

	/** The intent may be committed although the store could not say so: a repetition or a sync goes on. */
	private neverCalled(record: SendIntentRecord): void {
		this.underWay.delete(record.id);
		this.claims.callEnded(record);
	}

	/** @throws `error.gateway.messages.outcomeUnknown`, and what the Backbone refuses it with */
	async deliver(intent: SendIntent, options: Cancellable): Promise<MessageDto> {
		const { id } = intent.record;
		this.underWay.add(id);
		try {
			for (let current = intent; ;) {
				current = await this.claims.confirm(current);
				const sent = await this.call(current.record, options);
				if (sent !== undefined) return await this.complete(current, sent);
			}
		} finally {
			this.underWay.delete(id);
		}
	}

	/** Undefined when nothing went out, because this process stood still: the claim may be lost. */
	private async call(
		record: SendIntentRecord,
		options: Cancellable,
	): Promise<{ id: string; createdAt: string } | undefined> {
		try {
			const body = record.postBody as unknown as SendMessageBody;
			const sendBefore = this.claims.beginBefore(record);
			return await this.context.backbone.messages.send(body, { ...options, sendBefore });
		} catch (error) {
			if (codeOf(error) === 'error.gateway.backbone.tooLate') return undefined;
			const isUnknown = !isGatewayError(error) || isOutcomeUnknown(error);
			if (isUnknown || (record.mustArrive === true && isTemporary(error))) {
				this.claims.callEnded(record);
				throw outcomeUnknown(record, error);
			}
			await this.refused(record, error);
			throw error;
		}
	}

	/** Stores what the Backbone has taken; completing twice does no harm. */
	async complete(
		{ record: intent, secrets }: SendIntent,
		sent: { readonly id: string; readonly createdAt: string },
	): Promise<MessageDto> {
		const { store, account, contentSent } = this.context;
		this.claims.forget(intent);
		return await store.transact(async (tx) => {
			const current = await tx.sendIntents.get(intent.id);
			const record: MessageRecord = {
				id: sent.id,
				isOwn: true,
				createdBy: account.address,
				createdByDevice: account.deviceId,
				createdAt: sent.createdAt,
				content: intent.content,
				recipients: current?.record.recipients ?? intent.recipients,
				attachments: intent.attachments,
			};
			// Gone: another process stored the message, or its relationships were decomposed meanwhile.
			if (current === undefined) return toMessageDto(record);
			if (await tx.messages.insert(record, { messageKey: secrets.messageKey })) {
				await publishMessage(tx, this.context.clock, 'transport.messageSent', record);
				await contentSent?.(tx, record);
			}
			await this.closeIntent(tx, current.record, sent.id);
			return toMessageDto(record);
		});
	}

	/** An intent that never reached the Backbone: nothing was sent, and an event says so. */
	async giveUp(intent: SendIntentRecord): Promise<void> {
		const { store, clock } = this.context;
		const reason = messageErrors.create('notSent', {
			message: 'The message prepared by an interrupted process was not sent.',
			facts: { intentId: intent.id },
		});
		await store.transact(async (tx) => {
			const entry = await tx.sendIntents.get(intent.id);
			if (entry?.record.state !== 'prepared' || entry.record.again === true) return;
			// Called once more since it was looked for.
			if (lastCallAt(entry.record) !== lastCallAt(intent)) return;
			await publishNotSent(tx, clock, entry.record, reason);
			await markFailed(tx, entry.record, reason);
		});
	}

	/** Kept with an idempotency key only: a repetition must find it. */
	private async closeIntent(
		tx: WriteTransaction,
		intent: SendIntentRecord,
		messageId: string,
	): Promise<void> {
		if (intent.idempotencyKey === undefined) {
			await tx.sendIntents.delete(intent.id);
			return;
		}
		const { postBody: _posted, ...rest } = intent;
		const done: SendIntentRecord = { ...rest, state: 'sent', messageId, content: {} };
		await tx.sendIntents.update(done, { messageKey: '' });
	}

	/**
	 * The caller is told; kept with an idempotency key only, until the repetition. What something else
	 * was done for already, or nobody waits for any more, is an event besides.
	 */
	private async refused(intent: SendIntentRecord, error: GatewayError): Promise<void> {
		const { store, clock } = this.context;
		await store.transact(async (tx) => {
			const entry = await tx.sendIntents.get(intent.id);
			if (entry?.record.state !== 'prepared') return;
			const { mustArrive, again, idempotencyKey } = entry.record;
			const isTold = mustArrive === true || again === true;
			if (isTold) await publishNotSent(tx, clock, entry.record, error);
			const isKept = idempotencyKey !== undefined || again === true;
			if (!isKept) await tx.sendIntents.delete(intent.id);
			else await markFailed(tx, entry.record, error);
		});
	}
}

/** What was to be sent is erased: a repetition brings it again. */
async function markFailed(
	tx: WriteTransaction,
	intent: SendIntentRecord,
	{ code, message }: GatewayError,
): Promise<void> {
	const { postBody: _neverSent, ...rest } = intent;
	const failed: SendIntentRecord = {
		...rest,
		state: 'failed',
		content: {},
		attachments: [],
		failure: { code, message },
	};
	await tx.sendIntents.update(failed, { messageKey: '' });
}
