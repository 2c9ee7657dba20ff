import { throwIfAborted, type Cancellable } from '../../../base/abort';
import { codeOf } from '../../../base/errors';
import type { Logger } from '../../../base/logger';
import { Semaphore } from '../../../base/semaphore';
import type { MessageContent } from '../../../model/content/message-content';
import type { UnknownContent } from '../../../model/json';
import type { MessageDto, SendIntentRecord } from '../../../model/record/message';
import type { WriteTransaction } from '../../../store/store';
import type { WorkAttempts } from '../../unfinished/work-attempts';
import type { MessageDependencies } from '../message-dependencies';
import { outcomeUnknown } from '../message-failures';
import type { MessageSending, SendingParts } from './message-sending';
import { openSends, sendStateOf, type SendIntent } from './send-states';
import { matching } from '../../query/conditions';

const outcomeUnknownCode = 'error.gateway.messages.outcomeUnknown';

/** Message that was sealed and stored inside a transaction, to be sent after its commit. */
export interface PreparedMessage {
	readonly intentId: string;
	/**
	 * Sends the message after all messages that wait for the same peer.
	 *
	 * @throws `error.gateway.messages.outcomeUnknown` when the message waits for another attempt,
	 * which syncs make automatically; or the final refusal of the Backbone
	 */
	readonly send: (options: Cancellable) => Promise<void>;
}

/**
 * Sends a message whose change is committed already; when it could not be sent yet, it waits for
 * the next sync.
 *
 * @param what kind of the message, in the log
 */
export async function sendNowOrLater(
	{ intentId, send }: PreparedMessage,
	what: 'notification' | 'request',
	logger: Logger,
	options: Cancellable,
): Promise<void> {
	try {
		await send(options);
	} catch (error) {
		if (codeOf(error) !== outcomeUnknownCode) throw error;
		logger.warn(`a ${what} waits for the next sync`, { intentId, reason: String(error) });
	}
}

/** Message that was prepared earlier under the same idempotency key. */
export type EarlierMessage =
	| { readonly state: 'sent'; readonly messageId: string }
	| {
			readonly state: 'waiting';
			readonly content: MessageContent | UnknownContent;
			readonly message: PreparedMessage;
	  };

/**
 * Messages that are committed together with another change: a response to a decision, a
 * notification about a new version. Syncs send them until the Backbone accepts or finally refuses
 * them, for each peer in the order of their preparation, also after a crash or a failure: then later
 * messages to the same peer wait. Receivers ignore a repetition.
 */
export class PreparedMessages {
	/** one message at a time, so that no message overtakes another */
	private readonly queue = new Semaphore();

	constructor(
		private readonly dependencies: MessageDependencies,
		private readonly parts: SendingParts,
		private readonly sending: MessageSending,
	) {}

	/**
	 * Checks the peers; called before the transaction that prepares messages. Notifications may name
	 * no peers.
	 */
	async ready(peers: readonly string[], options: Cancellable): Promise<void> {
		await this.dependencies.beforeSealing(peers, options);
	}

	/**
	 * Seals and stores a message to one peer.
	 *
	 * @param idempotencyKey key by which {@link findEarlier} finds the message afterwards
	 * @throws `error.transport.messages.missingOrInactiveRelationship`,
	 * `error.runtime.messages.peerIsInDeletion`, `error.transport.messages.peerIsDeleted`
	 */
	async prepare(
		tx: WriteTransaction,
		peer: string,
		content: MessageContent,
		idempotencyKey?: string,
	): Promise<PreparedMessage> {
		const message = { recipients: [peer], content, attachments: [], idempotencyKey };
		const { record } = await this.parts.preparation.prepare(tx, message, 'prepareRequired');
		// Until the first call of this process nothing can have arrived, so no search has to come
		// before it.
		this.parts.localSends.queue(record);
		return { intentId: record.id, send: this.sendingOf(record) };
	}

	/**
	 * Finds the message that was prepared under the key: `sent` with the id of the message, or
	 * `waiting` with its content. Forgets a failed message, so that the caller can prepare it anew.
	 */
	async findEarlier(
		tx: WriteTransaction,
		idempotencyKey: string,
	): Promise<EarlierMessage | undefined> {
		const entry = await tx.sendIntents.first({ where: matching({ idempotencyKey }) });
		if (entry === undefined) return undefined;
		const { id, state, messageId = '', content } = entry.record;
		if (state === 'sent') return { state, messageId };
		if (state === 'failed') {
			await this.parts.sendIntents.forget(tx, id);
			return undefined;
		}
		const send = this.sendingOf(entry.record);
		return { state: 'waiting', content, message: { intentId: id, send } };
	}

	private sendingOf(record: SendIntentRecord): PreparedMessage['send'] {
		return async (options) => {
			await this.deliverUpTo(record, options);
		};
	}

	/** True while the message is still to be sent, or its outcome is unknown. */
	async isWaiting(id: string, options: Cancellable): Promise<boolean> {
		const entry = await this.dependencies.store.read((tx) => tx.sendIntents.get(id), options);
		return sendStateOf(entry?.record) === 'required';
	}

	/** Tries all waiting messages again; returns the ids of the messages that were sent. */
	async deliverWaiting(attempts: WorkAttempts, options: Cancellable): Promise<string[]> {
		return await this.queue.run(async () => {
			const sent: string[] = [];
			const blocked = new Set<string>();
			for (const intent of await this.waiting(options)) {
				const { id } = intent.record;
				const peers = peersOf(intent.record);
				if (peers.some((peer) => blocked.has(peer))) continue;
				const { isOpen, result } = await attempts.attempt(id, () => this.deliver(intent, options));
				if (result !== undefined) sent.push(result.id);
				else if (isOpen || (await this.isWaiting(id, options))) {
					for (const peer of peers) blocked.add(peer);
				}
			}
			return sent;
		});
	}

	/**
	 * Delivers one message after all earlier messages to its peers, even if their next attempt is
	 * planned for later.
	 *
	 * @throws `error.gateway.messages.outcomeUnknown`, and the refusal of the Backbone
	 */
	private async deliverUpTo(wanted: SendIntentRecord, options: Cancellable): Promise<void> {
		const wantedPeers = peersOf(wanted);
		await this.queue.run(async () => {
			const blocked = new Set<string>();
			for (const intent of await this.waiting(options)) {
				const peers = peersOf(intent.record);
				const isWanted = intent.record.id === wanted.id;
				const isBefore = peers.some((peer) => wantedPeers.includes(peer));
				if (!isBefore && (await this.isPlanned(intent.record, options))) continue;
				if (peers.some((peer) => blocked.has(peer))) {
					if (isWanted) throw outcomeUnknown(intent.record);
					continue;
				}
				try {
					if ((await this.deliver(intent, options)) === undefined) {
						throw outcomeUnknown(intent.record);
					}
				} catch (error) {
					if (codeOf(error) === outcomeUnknownCode) for (const peer of peers) blocked.add(peer);
					throwIfAborted(options);
					if (isWanted) throw error;
					this.report(intent.record, error);
				}
			}
		});
	}

	/** True if the next attempt is planned for a time. */
	private async isPlanned({ id }: SendIntentRecord, options: Cancellable): Promise<boolean> {
		const work = (await this.dependencies.store.read((tx) => tx.work.get(id), options))?.record;
		return work !== undefined && work.dueAt !== '';
	}

	private async waiting(options: Cancellable): Promise<SendIntent[]> {
		const open = await this.dependencies.store.read(
			(tx) => tx.sendIntents.list({ where: openSends }),
			options,
		);
		return open.filter(({ record }) => sendStateOf(record) === 'required');
	}

	/**
	 * Delivers one message; undefined while other work of this process, or another process, may be
	 * calling the Backbone.
	 */
	private async deliver(intent: SendIntent, options: Cancellable): Promise<MessageDto | undefined> {
		const { localSends } = this.parts;
		const isFirst = localSends.takeQueued(intent.record) && !localSends.isActive(intent.record.id);
		return isFirst
			? await this.sending.sendFirst(intent, options)
			: await this.sending.resume(intent, 'claim', options);
	}

	private report({ id }: SendIntentRecord, error: unknown): void {
		const facts = { intentId: id, code: codeOf(error), reason: String(error) };
		this.dependencies.logger.warn('a message that waits could not be sent', facts);
	}
}

function peersOf({ recipients }: SendIntentRecord): string[] {
	return recipients.map(({ address }) => address);
}
