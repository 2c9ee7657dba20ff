import type { Cancellable } from '../../../base/abort';
import type { MessageContent } from '../../../model/content/message-content';
import type { SendIntentRecord } from '../../../model/record/message';
import type { WriteTransaction } from '../../../store/store';
import type { UnfinishedAttempts } from '../../unfinished/unfinished-attempts';
import type { MessageDependencies } from '../message-dependencies';
import type { MessageSending } from './message-sending';
import { RequiredDelivery } from './required-delivery';
import type { UnknownContent } from '../../../model/json';

/** Message that was sealed and stored inside a transaction, to be sent after its commit. */
export interface PreparedMessage {
	readonly intentId: string;
	/**
	 * Sends the message after all messages that wait for the same peer.
	 *
	 * @throws `error.gateway.messages.outcomeUnknown` when the message waits for another attempt, which syncs
	 * make automatically; or the final refusal of the Backbone
	 */
	readonly send: (options: Cancellable) => Promise<void>;
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
 * Messages that are committed together with another change: a response to a decision, a notification about a
 * new version. Syncs send them until the Backbone accepts or finally refuses them, in the order of their
 * preparation, also after a crash or a failure. Receivers ignore a repetition.
 */
export class PreparedMessages {
	private readonly delivery: RequiredDelivery;

	constructor(
		private readonly dependencies: MessageDependencies,
		private readonly sending: MessageSending,
	) {
		this.delivery = new RequiredDelivery(dependencies, sending);
	}

	/**
	 * Checks the peers; called before the transaction that prepares messages. Notifications may name no peers.
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
		const { record } = await this.sending.preparation.prepare(tx, message, 'prepareRequired');
		// Until the first call of this process nothing can have arrived, so no search has to come before it.
		this.sending.local.queue(record);
		return { intentId: record.id, send: this.sendingOf(record) };
	}

	/**
	 * Finds the message that was prepared under the key: `sent` with the id of the message, or `waiting` with
	 * its content. Forgets a failed message, so that the caller can prepare it anew.
	 */
	async findEarlier(
		tx: WriteTransaction,
		idempotencyKey: string,
	): Promise<EarlierMessage | undefined> {
		const entry = await tx.sendIntents.first({
			where: [{ field: 'idempotencyKey', op: 'eq', value: idempotencyKey }],
		});
		if (entry === undefined) return undefined;
		const { id, state, messageId = '', content } = entry.record;
		if (state === 'sent') return { state, messageId };
		if (state === 'failed') {
			await this.sending.intents.forget(tx, id);
			return undefined;
		}
		const send = this.sendingOf(entry.record);
		return { state: 'waiting', content, message: { intentId: id, send } };
	}

	private sendingOf(record: SendIntentRecord): PreparedMessage['send'] {
		return async (options) => {
			await this.delivery.deliverUpTo(record, options);
		};
	}

	/** True while the message waits for its call or for its outcome. */
	async isWaiting(intentId: string, options: Cancellable): Promise<boolean> {
		return await this.delivery.isWaiting(intentId, options);
	}

	/** Tries all waiting messages again; returns the ids of the messages that were sent. */
	async deliverWaiting(attempts: UnfinishedAttempts, options: Cancellable): Promise<string[]> {
		return await this.delivery.deliverAll(attempts, options);
	}
}
