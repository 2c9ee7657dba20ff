import type { Cancellable } from '../../base/abort';
import { isoInstant } from '../../base/clock';
import { codeOf } from '../../base/errors';
import { sendInputSchema } from '../../model/input/message';
import type { MessageContent } from '../../model/content/message-content';
import type { MessageDto, SendIntentDto } from '../../model/record/message';
import type { NewWait } from '../../model/record/wait';
import type { ReadTransaction, WriteTransaction } from '../../store/store';
import type { HintOptions } from '../../facade/requests';
import { currentRelationships } from '../current-relationship';
import { parseInput } from '../validation';
import { listOf } from '../query/list-with-query';
import type { MessageDependencies } from './message-dependencies';
import { toMessageDto, toSendIntentDto } from './message-dto';
import { messageErrors } from './message-errors';
import { publishMessage } from './message-events';
import { workOf } from '../unfinished/ledger';
import { unknownMessage } from './message-failures';
import { messageQueryFields } from './message-query';
import { checkMailAddresses, formatHint } from './message-rules';
import type { MessageSending, SendingParts } from './sending/message-sending';
import { findByKey, type RepeatedSending } from './sending/repeated-sending';
import type { NewMessage } from './sending/send-preparation';
import { scopeOfPreparation } from './sending/send-scope';
import { openSendsWithWork, type OpenSend, type SendIntent } from './sending/send-states';
import { matching } from '../query/conditions';

export interface SendOptions extends HintOptions {
	/** key by which a repetition returns the message that was sent the first time */
	readonly idempotencyKey?: string | undefined;
	/** execution that waits for the answer */
	readonly wait?: NewWait | undefined;
}

/** Use cases and sync effects of messages (docs/protocol/transport.md 7). */
export class MessageService {
	constructor(
		private readonly dependencies: MessageDependencies,
		private readonly parts: Pick<SendingParts, 'localSends' | 'preparation'>,
		private readonly sending: MessageSending,
		private readonly repeated: RepeatedSending,
	) {}

	/**
	 * Sends a message exactly once: first the intent with its reserved counters and finished body is
	 * committed, then the Backbone is called, then the message is stored. When the outcome of the
	 * call is unknown, the next sync looks for the message at the Backbone.
	 *
	 * @throws `error.runtime.validation.invalidPropertyValue`, `error.runtime.unknownType`,
	 * `error.transport.messages.missingOrInactiveRelationship`,
	 * `error.runtime.messages.peerIsInDeletion`, `error.transport.messages.peerIsDeleted`,
	 * `error.runtime.recordNotFound` for an attachment that this account does not know,
	 * `error.gateway.messages.outcomeUnknown`, and the Backbone's validation codes
	 */
	async send(input: unknown, options: SendOptions = {}): Promise<MessageDto> {
		const { wait } = options;
		try {
			return await this.sendOnce(input, options);
		} catch (error) {
			// The execution fails with this error, so it waits for nothing.
			if (wait !== undefined) await this.endWait(wait);
			throw error;
		}
	}

	private async sendOnce(input: unknown, options: SendOptions): Promise<MessageDto> {
		const { wait } = options;
		// The intent of an awaited message is kept: it tells when the Backbone accepted the message.
		const idempotencyKey = options.idempotencyKey ?? wait?.key;
		const parsed = parseInput(sendInputSchema, input);
		const content = this.dependencies.prepareContent(parsed.content);
		if (content['@type'] === 'Mail') {
			const problem = checkMailAddresses(content, parsed.recipients);
			if (problem !== undefined) throw problem;
			if (content.bodyFormat === 'Markdown') await this.hint(content, parsed.recipients, options);
		}
		for (;;) {
			const intent = await this.prepareIfFree({ ...parsed, content, idempotencyKey }, options);
			if (intent !== undefined) return await this.sending.sendFirst(intent, options);
			const earlier = await this.repeated.findOrResume(idempotencyKey ?? '', options);
			if (earlier === undefined) continue;
			if (wait !== undefined) await this.awaitAgain(wait, earlier, { ...options, idempotencyKey });
			return earlier;
		}
	}

	/** Logs which recipients may not show the format of a mail, and reports them to the caller. */
	private async hint(
		content: MessageContent,
		recipients: readonly string[],
		{ onHint, signal }: SendOptions,
	): Promise<void> {
		const { store, logger } = this.dependencies;
		const entries = await store.read((tx) => currentRelationships(tx, recipients), { signal });
		const records = new Map([...entries].map(([peer, { record }]) => [peer, record]));
		const hint = formatHint(content, records);
		if (hint === undefined) return;
		logger.warn('some wallets do not show the format of a mail', { hint });
		onHint?.(hint);
	}

	/** @throws `error.runtime.recordNotFound` */
	async get(id: string, options: Cancellable = {}): Promise<MessageDto> {
		const entry = await this.dependencies.store.read((tx) => tx.messages.get(id), options);
		if (entry === undefined) throw unknownMessage(id);
		return toMessageDto(entry.record);
	}

	readonly list = listOf(messageQueryFields, async (query, options) => {
		const entries = await this.dependencies.store.read((tx) => tx.messages.list(query), options);
		return entries.map(({ record }) => toMessageDto(record));
	});

	/** Messages in the order of the ids; unknown ids are left out. */
	async getMany(ids: readonly string[]): Promise<MessageDto[]> {
		if (ids.length === 0) return [];
		const entries = await this.dependencies.store.read((tx) => tx.messages.getMany(ids));
		return entries.map(({ record }) => toMessageDto(record));
	}

	/**
	 * Marks a message as read in this account; the sender is not notified.
	 *
	 * @throws `error.runtime.recordNotFound`
	 */
	async markAsRead(id: string, options: Cancellable = {}): Promise<MessageDto> {
		return await this.setRead(id, this.now(), options);
	}

	/** @throws `error.runtime.recordNotFound` */
	async markAsUnread(id: string, options: Cancellable = {}): Promise<MessageDto> {
		return await this.setRead(id, undefined, options);
	}

	/** Publishes an event only for an actual change (docs/protocol/transport.md 7.5). */
	private async setRead(
		id: string,
		wasReadAt: string | undefined,
		options: Cancellable,
	): Promise<MessageDto> {
		return await this.dependencies.store.transact(async (tx) => {
			const entry = await tx.messages.get(id);
			if (entry === undefined) throw unknownMessage(id);
			const { wasReadAt: before, ...rest } = entry.record;
			if ((before === undefined) === (wasReadAt === undefined)) return toMessageDto(entry.record);
			const record = wasReadAt === undefined ? rest : { ...rest, wasReadAt };
			await tx.messages.update(record);
			await publishMessage(
				tx,
				this.dependencies.clock,
				'transport.messageWasReadAtChanged',
				record,
			);
			return toMessageDto(record);
		}, options);
	}

	async unresolvedSends(options: Cancellable = {}): Promise<SendIntentDto[]> {
		const records = await this.dependencies.store.read((tx) => this.unresolvedIn(tx), options);
		return records.map(({ record }) => toSendIntentDto(record));
	}

	/** Sends with an unknown outcome, without the sends in progress in this process. */
	async unresolvedIn(tx: Pick<ReadTransaction, 'sendIntents' | 'work'>): Promise<OpenSend[]> {
		const open = await openSendsWithWork(tx);
		return open.filter(({ record }) => !this.parts.localSends.isActive(record.id));
	}

	/** Counts what {@link unresolvedIn} lists, by the ledger alone. */
	async countUnresolvedIn(tx: Pick<ReadTransaction, 'work'>): Promise<number> {
		const open = await workOf(tx, ['sendMessage']);
		return open.filter(({ id }) => !this.parts.localSends.isActive(id)).length;
	}

	/**
	 * Prepares the send; undefined when its key is taken. Most sends are no repetitions, so the key
	 * is looked up while preparing. A repetition returns its message even if no new message may be
	 * sealed.
	 */
	private async prepareIfFree(
		message: NewMessage,
		options: SendOptions,
	): Promise<SendIntent | undefined> {
		const { idempotencyKey: key } = message;
		try {
			await this.dependencies.beforeSealing([], options);
		} catch (error) {
			if (key === undefined) throw error;
			const earlier = await this.dependencies.store.read(
				(tx) => findByKey(tx, this.dependencies.account, key),
				options,
			);
			if (earlier === undefined) throw error;
			return undefined;
		}
		return await this.prepareReviewed(message, options);
	}

	/**
	 * Prepares the send. Only a refusal because of a planned deletion is followed by a question to
	 * the Backbone, whether the deletion was cancelled, and by another try.
	 */
	private async prepareReviewed(
		message: NewMessage,
		options: SendOptions,
	): Promise<SendIntent | undefined> {
		try {
			return await this.prepare(message, options);
		} catch (error) {
			if (codeOf(error) !== messageErrors.peerIsInDeletion.code) throw error;
			await this.dependencies.beforeSealing(message.recipients, options);
			return await this.prepare(message, options);
		}
	}

	/**
	 * Prepares the send; undefined when another caller has used the same key first. The call follows
	 * at once: after the commit, neither a repetition nor a sync of this process works on the send.
	 */
	private async prepare(
		message: NewMessage,
		options: SendOptions,
	): Promise<SendIntent | undefined> {
		const { localSends, preparation } = this.parts;
		const { idempotencyKey: key } = message;
		const { wait, signal } = options;
		// Waits are read in the order of their insertion, which scopes do not keep.
		const scope =
			wait === undefined ? scopeOfPreparation(message.content, message.recipients, key) : undefined;
		let id: string | undefined;
		const prepared = async (tx: WriteTransaction) => {
			const isTaken =
				key !== undefined && (await findByKey(tx, this.dependencies.account, key)) !== undefined;
			if (isTaken) return undefined;
			const isReplyAwaited = wait !== undefined && message.content['@type'] === 'Mail';
			const [recipient = ''] = message.recipients;
			const latestReceived = isReplyAwaited ? await latestFrom(tx, recipient) : undefined;
			const intent = await preparation.prepare(tx, { ...message, latestReceived }, 'prepare');
			const { id: intentId, preparedAt, createdAt } = intent.record;
			if (wait !== undefined) {
				const { content, recipients } = message;
				const notSentBefore = preparedAt ?? createdAt;
				const asked = { askedAt: createdAt, notSentBefore, latestReceived };
				const awaited = { wait, content, recipients, intentId, ...asked };
				await this.dependencies.observers.review('messageAwaited', tx, awaited);
			}
			id = intentId;
			localSends.begin(id);
			return intent;
		};
		try {
			return await this.dependencies.store.transact(prepared, { signal, scope });
		} catch (error) {
			// The store may have committed although the connection was lost; other work may then resume
			// the send.
			if (id !== undefined) localSends.end(id);
			throw error;
		}
	}

	/**
	 * Lets a repetition, which may be another execution, wait for the answer to the first message.
	 */
	private async awaitAgain(
		wait: NewWait,
		{ content, recipients, createdAt }: MessageDto,
		{ idempotencyKey = '', signal }: SendOptions,
	): Promise<void> {
		const { store, observers, account } = this.dependencies;
		await store.transact(
			async (tx) => {
				const intent = (await findByKey(tx, account, idempotencyKey))?.record;
				await observers.review('messageAwaited', tx, {
					wait,
					content,
					recipients: recipients.map(({ address }) => address),
					intentId: intent?.id,
					askedAt: intent?.createdAt ?? createdAt,
					notSentBefore: createdAt,
					latestReceived: intent?.latestReceived,
				});
			},
			{ signal },
		);
	}

	/** Ends a wait; a wait that stays because the store failed ends with its execution. */
	private async endWait(wait: NewWait): Promise<void> {
		const { store, observers, logger } = this.dependencies;
		try {
			await store.transact((tx) => observers.notify('messageNotAwaited', tx, wait));
		} catch (error) {
			logger.debug('a wait was not ended', { reason: String(error) });
		}
	}

	private now(): string {
		return isoInstant(this.dependencies.clock.now());
	}
}

async function latestFrom(tx: ReadTransaction, peer: string): Promise<string | undefined> {
	const entry = await tx.messages.first({
		where: matching({ createdBy: peer }),
		orderBy: { field: 'inserted', direction: 'desc' },
	});
	return entry?.record.id;
}
