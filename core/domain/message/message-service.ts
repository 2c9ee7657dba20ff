import { sleep, type Cancellable } from '../../base/abort';
import { isoInstant } from '../../base/clock';
import type { GatewayError } from '../../base/errors';
import type { MessageDto, SendIntentRecord } from '../../model/record/message';
import type { MessageField, Query, ReadTransaction } from '../../store/store';
import { parseInput } from '../validation';
import { MessageAttachments } from './message-attachments';
import type { MessageContext } from './message-context';
import { toMessageDto } from './message-dto';
import { publishMessage } from './message-events';
import { invalid, outcomeUnknown, unknownMessage } from './message-failures';
import { sendInputSchema } from './message-input';
import { MessageReceipt } from './message-receipt';
import { checkMailAddresses } from './message-rules';
import { MessageSending, type NewMessage, type SendIntent } from './message-sending';
import { PreparedMessages } from './prepared-messages';
import { RepeatedSending } from './repeated-sending';
import type { SentMessage } from './sent-messages';

/** for another process that may be sending the same message */
const longestWaitMs = 5 * 60_000;

const lookAgainMs = 500;

export interface SendOptions extends Cancellable {
	/** a repetition with the same key returns the message that was sent the first time */
	readonly idempotencyKey?: string;
}

/** Use cases and sync effects of messages (docs/protocol/transport.md 7). */
export class MessageService {
	readonly attachments: MessageAttachments;

	readonly receipt: MessageReceipt;

	/** messages that belong to other changes, which are committed with them */
	readonly prepared: PreparedMessages;

	/** of sends whose outcome is not known */
	readonly repeated: RepeatedSending;

	private readonly sending: MessageSending;

	constructor(private readonly context: MessageContext) {
		this.attachments = new MessageAttachments(context);
		this.receipt = new MessageReceipt(context, this.attachments);
		this.sending = new MessageSending(context, this.attachments);
		this.prepared = new PreparedMessages(context, this.sending);
		this.repeated = new RepeatedSending(context, this.sending);
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
		for (;;) {
			const earlier = await this.repeat(options);
			if (earlier !== undefined) return earlier;
			await this.context.beforeSealing(parsed.recipients, options);
			const intent = await this.prepare({ ...parsed, content }, options);
			if (intent !== undefined) return await this.sending.deliver(intent, options);
		}
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
		return await this.context.store.read((tx) => this.unresolvedIn(tx), options);
	}

	/** Those whose outcome is not known and that nobody in this process is sending. */
	async unresolvedIn(tx: Pick<ReadTransaction, 'sendIntents'>): Promise<SendIntentRecord[]> {
		const entries = await tx.sendIntents.list({
			where: [{ field: 'state', op: 'eq', value: 'prepared' }],
		});
		return entries.map(({ record }) => record).filter((intent) => !this.sending.isUnderWay(intent));
	}

	/** What the Backbone has of these, by ids of intents, or why that cannot be said. */
	async findSent(
		intents: readonly SendIntentRecord[],
		options: Cancellable,
	): Promise<Map<string, SentMessage | GatewayError>> {
		return await this.sending.search.findMany(intents, options);
	}

	/** Of the message behind an intent, found at the Backbone; completing twice does no harm. */
	async completeFromBackbone(intent: SendIntentRecord, found: SentMessage): Promise<MessageDto> {
		const entry = await this.context.store.read((tx) => tx.sendIntents.get(intent.id));
		// Completed by another process meanwhile: then the message is there.
		if (entry === undefined) return await this.get(found.id);
		return await this.sending.complete(entry, found);
	}

	/** An intent that never reached the Backbone: nothing was sent, and an event says so. */
	async giveUp(intent: SendIntentRecord): Promise<void> {
		await this.sending.giveUp(intent);
	}

	/** Undefined when somebody else was faster with the same key. */
	private async prepare(
		message: NewMessage,
		options: SendOptions,
	): Promise<SendIntent | undefined> {
		const { idempotencyKey } = options;
		return await this.sending.transactForDelivery(async (tx) => {
			if (idempotencyKey === undefined) return await this.sending.prepare(tx, message, {});
			if ((await intentNamed(tx, idempotencyKey)) !== undefined) return undefined;
			return await this.sending.prepare(tx, message, { idempotencyKey });
		}, options);
	}

	/**
	 * What was sent under the same key. While another process may be sending it, that is waited for: it
	 * has died when nothing comes of it. Undefined when there is none, or it has failed for good.
	 */
	private async repeat(options: SendOptions): Promise<MessageDto | undefined> {
		const { idempotencyKey } = options;
		if (idempotencyKey === undefined) return undefined;
		const { store, clock } = this.context;
		const giveUpAt = clock.now() + longestWaitMs;
		for (let isFirst = true; ; isFirst = false) {
			const entry = await store.read((tx) => intentNamed(tx, idempotencyKey), options);
			if (entry === undefined) return undefined;
			const intent = entry.record;
			if (intent.state === 'sent') return await this.get(intent.messageId ?? '', options);
			if (intent.state === 'failed') {
				await store.transact((tx) => tx.sendIntents.delete(intent.id));
				return undefined;
			}
			// Not with every look: it asks the Backbone.
			if (isFirst || (await this.sending.claims.mayClaim(intent, options))) {
				const message = await this.repeated.repeat(intent, options);
				if (message !== undefined) return message;
			}
			const isOfSyncs = intent.again === true;
			if (isOfSyncs || clock.now() >= giveUpAt) throw outcomeUnknown(intent);
			await sleep(lookAgainMs, options);
		}
	}

	private now(): string {
		return isoInstant(this.context.clock.now());
	}
}

async function intentNamed(tx: ReadTransaction, value: string): Promise<SendIntent | undefined> {
	return await tx.sendIntents.first({ where: [{ field: 'idempotencyKey', op: 'eq', value }] });
}
