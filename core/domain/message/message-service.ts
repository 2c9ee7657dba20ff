import type { Cancellable } from '../../base/abort';
import { isoInstant } from '../../base/clock';
import { isGatewayError, type GatewayError } from '../../base/errors';
import { alphanumeric } from '../../base/random';
import type { SendMessageBody } from '../../backbone/dto';
import { readRelationshipSecrets } from '../../crypto/relationship-secrets-schema';
import type { JsonObject } from '../../model/json';
import type {
	MessageDto,
	MessageRecord,
	SendIntentRecord,
	SendIntentSecrets,
} from '../../model/record/message';
import type { Entry, MessageField, Query, WriteTransaction } from '../../store/store';
import { transmitCounter } from '../relationship/transmit-counter';
import { isOutcomeUnknown } from '../outcome';
import { parseInput } from '../validation';
import { MessageAttachments } from './message-attachments';
import type { MessageContext } from './message-context';
import { toMessageDto } from './message-dto';
import { sealMessage } from './message-envelope';
import { messageErrors } from './message-errors';
import { publishMessage } from './message-events';
import { invalid, outcomeUnknown, unknownMessage } from './message-failures';
import { sendInputSchema, type SendInput } from './message-input';
import { MessageReceipt } from './message-receipt';
import { checkMailAddresses, checkRecipients } from './message-rules';
import { relationshipsOf } from './recipient-relationships';
import { findSentMessage, sealedBodyHash } from './sent-messages';

export interface SendOptions extends Cancellable {
	/** a repetition with the same key returns the message that was sent the first time */
	readonly idempotencyKey?: string;
}

/** Use cases and sync effects of messages (docs/protocol/transport.md 7). */
export class MessageService {
	/** intents of this process whose call is under way */
	private readonly underWay = new Set<string>();

	readonly attachments: MessageAttachments;

	readonly receipt: MessageReceipt;

	constructor(private readonly context: MessageContext) {
		this.attachments = new MessageAttachments(context);
		this.receipt = new MessageReceipt(context, this.attachments);
	}

	/**
	 * Sends once: the intent with its reserved counters and finished body is committed first, then the
	 * Backbone is called, then the message is stored. When the outcome of the call is unknown, the
	 * next sync looks for the message at the Backbone.
	 *
	 * @throws `error.runtime.validation.invalidPropertyValue`, `error.runtime.unknownType`,
	 * `error.transport.messages.missingOrInactiveRelationship`,
	 * `error.runtime.messages.peerIsInDeletion`, `error.transport.messages.peerIsDeleted`,
	 * `error.runtime.recordNotFound` for an attachment that is not known here,
	 * `error.gateway.messages.outcomeUnknown`, and the Backbone's validation codes
	 */
	async send(input: unknown, options: SendOptions = {}): Promise<MessageDto> {
		const parsed = parseInput(sendInputSchema, input, invalid);
		const content = this.context.prepareContent(parsed.content);
		if (content['@type'] === 'Mail') {
			const mail = content as unknown as { to: string[]; cc?: string[] };
			const problem = checkMailAddresses(mail, parsed.recipients);
			if (problem !== undefined) throw problem;
		}
		const earlier = await this.findEarlier(options);
		if (earlier !== undefined) {
			const message = await this.resume(earlier, options);
			if (message !== undefined) return message;
		}
		await this.context.beforeSealing(options);
		const { intent, secrets } = await this.prepare(parsed, content, options);
		return await this.deliver(intent, secrets, options);
	}

	/** @throws `error.runtime.recordNotFound` */
	async get(id: string, options: Cancellable = {}): Promise<MessageDto> {
		const entry = await this.context.store.read((tx) => tx.messages.get(id), options);
		if (entry === undefined) throw unknownMessage(id);
		return toMessageDto(entry.record);
	}

	async list(query: Query<MessageField> = {}, options: Cancellable = {}): Promise<MessageDto[]> {
		const entries = await this.context.store.read((tx) => tx.messages.list(query), options);
		return entries.map(({ record }) => toMessageDto(record));
	}

	/** In the order of the ids; unknown ones are left out. */
	async getMany(ids: readonly string[]): Promise<MessageDto[]> {
		if (ids.length === 0) return [];
		const entries = await this.context.store.read((tx) => tx.messages.getMany(ids));
		return entries.map(({ record }) => toMessageDto(record));
	}

	/** Local only; the sender is not told. @throws `error.runtime.recordNotFound` */
	async markAsRead(id: string, options: Cancellable = {}): Promise<MessageDto> {
		return await this.setRead(id, this.now(), options);
	}

	/** @throws `error.runtime.recordNotFound` */
	async markAsUnread(id: string, options: Cancellable = {}): Promise<MessageDto> {
		return await this.setRead(id, undefined, options);
	}

	/** Only an actual change is an event (docs/protocol/transport.md 7.5). */
	private async setRead(
		id: string,
		wasReadAt: string | undefined,
		options: Cancellable,
	): Promise<MessageDto> {
		return await this.context.store.transact(async (tx) => {
			const entry = await tx.messages.get(id);
			if (entry === undefined) throw unknownMessage(id);
			const { wasReadAt: before, ...rest } = entry.record;
			if ((before === undefined) === (wasReadAt === undefined)) return toMessageDto(entry.record);
			const record = wasReadAt === undefined ? rest : { ...rest, wasReadAt };
			await tx.messages.update(record);
			await publishMessage(tx, this.context.clock, 'transport.messageWasReadAtChanged', record);
			return toMessageDto(record);
		}, options);
	}

	async unresolvedSends(options: Cancellable = {}): Promise<SendIntentRecord[]> {
		const entries = await this.context.store.read(
			(tx) => tx.sendIntents.list({ where: [{ field: 'state', op: 'eq', value: 'prepared' }] }),
			options,
		);
		return entries.map(({ record }) => record).filter((intent) => !this.underWay.has(intent.id));
	}

	/**
	 * The sent message behind an intent, found at the Backbone by its sealed body.
	 * Called by whoever walks the Backbone's list; completing twice does no harm.
	 */
	async completeFromBackbone(
		intent: SendIntentRecord,
		found: { readonly id: string; readonly createdAt: string },
	): Promise<MessageDto> {
		const entry = await this.context.store.read((tx) => tx.sendIntents.get(intent.id));
		// Completed by another process meanwhile: then the message is there.
		if (entry === undefined) return await this.get(found.id);
		return await this.complete(entry, found);
	}

	/** An intent that never reached the Backbone: nothing was sent, and it is reported as such. */
	async giveUp(intent: SendIntentRecord): Promise<void> {
		await this.markFailed(
			intent,
			messageErrors.create('notSent', {
				message: 'The message prepared by an interrupted process was not sent.',
				facts: { intentId: intent.id },
			}),
		);
	}

	private async findEarlier(
		options: SendOptions,
	): Promise<Entry<SendIntentRecord, SendIntentSecrets> | undefined> {
		const key = options.idempotencyKey;
		if (key === undefined) return undefined;
		return await this.context.store.read(
			(tx) => tx.sendIntents.first({ where: [{ field: 'idempotencyKey', op: 'eq', value: key }] }),
			options,
		);
	}

	/** Undefined when the earlier try failed for good, so that a new one may start. */
	private async resume(
		entry: Entry<SendIntentRecord, SendIntentSecrets>,
		options: SendOptions,
	): Promise<MessageDto | undefined> {
		const { store } = this.context;
		const intent = entry.record;
		if (intent.state === 'sent') return await this.get(intent.messageId ?? '', options);
		if (intent.state === 'prepared' && !this.underWay.has(intent.id)) {
			const found = await findSentMessage(this.context, intent, options);
			if (found !== undefined) return await this.complete(entry, found);
			// The very same bytes are sent again: no counter is used for a second content.
			return await this.deliver(intent, entry.secrets, options);
		}
		if (intent.state === 'prepared') throw outcomeUnknown(intent);
		await store.transact(async (tx) => {
			await tx.sendIntents.delete(intent.id);
		});
		return undefined;
	}

	/** Checks the recipients and commits counters, body and intent together. */
	private async prepare(
		{ recipients, attachments: fileIds }: SendInput,
		content: JsonObject,
		options: SendOptions,
	): Promise<{ intent: SendIntentRecord; secrets: SendIntentSecrets }> {
		const { store, random } = this.context;
		return await store.transact(async (tx) => {
			const relationships = await relationshipsOf(tx, recipients);
			const records = new Map([...relationships].map(([peer, entry]) => [peer, entry.record]));
			const problem = checkRecipients(recipients, records);
			if (problem !== undefined) throw problem;
			const attachments = await this.attachments.toSend(tx, fileIds);
			const createdAt = this.now();
			const sealable = [];
			const named = [];
			for (const address of recipients) {
				const entry = relationships.get(address);
				if (entry === undefined) throw new TypeError('A checked recipient has no relationship');
				const counter = await tx.counters.reserve(transmitCounter(entry.record.id));
				const secrets = readRelationshipSecrets(entry.secrets.established);
				sealable.push({ address, secrets, counter });
				named.push({ address, relationshipId: entry.record.id });
			}
			const sealed = sealMessage({ content, attachments, createdAt, recipients: sealable }, random);
			const intent: SendIntentRecord = {
				id: `SND${random.text(17, alphanumeric)}`,
				...(options.idempotencyKey === undefined ? {} : { idempotencyKey: options.idempotencyKey }),
				state: 'prepared',
				createdAt,
				bodyHash: sealedBodyHash(sealed.postBody.body),
				postBody: sealed.postBody as unknown as JsonObject,
				recipients: named,
				content,
				attachments: [...fileIds],
			};
			const secrets: SendIntentSecrets = { messageKey: sealed.messageKey };
			if (!(await tx.sendIntents.insert(intent, secrets))) throw outcomeUnknown(intent);
			this.underWay.add(intent.id);
			return { intent, secrets };
		}, options);
	}

	private async deliver(
		intent: SendIntentRecord,
		secrets: SendIntentSecrets,
		options: SendOptions,
	): Promise<MessageDto> {
		this.underWay.add(intent.id);
		try {
			const body = intent.postBody as unknown as SendMessageBody;
			let sent: { id: string; createdAt: string };
			try {
				sent = await this.context.backbone.messages.send(body, options);
			} catch (error) {
				if (!isGatewayError(error) || isOutcomeUnknown(error)) throw outcomeUnknown(intent, error);
				await this.markFailed(intent, error);
				throw error;
			}
			return await this.complete({ record: intent, secrets }, sent);
		} finally {
			this.underWay.delete(intent.id);
		}
	}

	private async complete(
		{ record: intent, secrets }: Entry<SendIntentRecord, SendIntentSecrets>,
		sent: { readonly id: string; readonly createdAt: string },
	): Promise<MessageDto> {
		const { store, account } = this.context;
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
			}
			await this.closeIntent(tx, current.record, sent.id);
			return toMessageDto(record);
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

	private async markFailed(intent: SendIntentRecord, error: GatewayError): Promise<void> {
		await this.context.store.transact(async (tx) => {
			const entry = await tx.sendIntents.get(intent.id);
			if (entry?.record.state !== 'prepared') return;
			const failure = { code: error.code, message: error.message };
			const { postBody: _refused, ...rest } = entry.record;
			await tx.sendIntents.update({ ...rest, state: 'failed', failure }, { messageKey: '' });
		});
	}

	private now(): string {
		return isoInstant(this.context.clock.now());
	}
}
