import type { Cancellable } from '../../base/abort';
import { codeOf } from '../../base/errors';
import type { WireMessage } from '../../backbone/dto';
import { readRelationshipSecrets } from '../../crypto/relationship-secrets-schema';
import type { MessageRecord } from '../../model/record/message';
import type { ReadTransaction, WriteTransaction } from '../../store/store';
import { markOfPeer } from '../left-peer';
import type { StoredFile } from '../file/file-records';
import { learnGeneration } from '../peer-generation';
import type { MessageAttachments } from './message-attachments';
import type { MessageContext } from './message-context';
import { openMessage, type OpenedMessage } from './message-envelope';
import { publishMessage } from './message-events';
import { newestRelationship, type RelationshipEntry } from './recipient-relationships';

/** What arrives, for the steps of a sync (docs/protocol/transport.md 7.4). */
export class MessageReceipt {
	constructor(
		private readonly context: MessageContext,
		private readonly attachments: MessageAttachments,
	) {}

	/** The message as the Backbone has it; reading marks it as received. */
	fetch(id: string, options: Cancellable): Promise<WireMessage> {
		return this.context.backbone.messages.get(id, options);
	}

	/**
	 * The same; undefined when the Backbone does not show it (any more) and the reason is most likely
	 * that we have left a relationship while the message waited.
	 */
	async fetchIfShown(
		id: string,
		leftPeers: readonly string[],
		options: Cancellable,
	): Promise<WireMessage | undefined> {
		try {
			return await this.fetch(id, options);
		} catch (error) {
			const isHidden = codeOf(error) === 'error.runtime.recordNotFound';
			if (!isHidden || leftPeers.length === 0) throw error;
			this.noteOver(id);
			return undefined;
		}
	}

	/** Whether it was sent in a relationship that we have left while the message waited. */
	isOver(wire: WireMessage, leftPeers: readonly string[]): boolean {
		if (!leftPeers.includes(markOfPeer(wire.createdBy))) return false;
		this.noteOver(wire.id);
		return true;
	}

	private noteOver(messageId: string): void {
		this.context.logger.info('a message of a relationship that was left is let go', { messageId });
	}

	/** The files of a message that has some, which `receive` then stores with it. */
	async loadAttachments(wire: WireMessage, options: Cancellable): Promise<StoredFile[]> {
		if (wire.attachments.length === 0) return [];
		const opened = await this.context.store.read(async (tx) => {
			if ((await tx.messages.get(wire.id)) !== undefined) return undefined;
			return (await this.open(tx, wire)).opened;
		}, options);
		if (opened === undefined) return [];
		return await this.attachments.load(wire, opened, options);
	}

	/** Opens and stores a received message; one that is there already changes nothing. */
	async receive(
		tx: WriteTransaction,
		wire: WireMessage,
		files: readonly StoredFile[] = [],
	): Promise<void> {
		if ((await tx.messages.get(wire.id)) !== undefined) return;
		const { opened, relationship } = await this.open(tx, wire);
		for (const file of files) await tx.files.insert(file.record, file.secrets);
		const record = this.recordOf(wire, opened, relationship);
		const { messageKey, attachments } = opened;
		const keys = attachments.map(({ id, key }) => ({ id, key }));
		await tx.messages.insert(record, {
			messageKey,
			...(keys.length === 0 ? {} : { attachments: keys }),
		});
		await publishMessage(tx, this.context.clock, 'transport.messageReceived', record);
		await learnGeneration(tx, record.createdBy, opened.generation);
		await this.context.contentReceived?.(tx, record);
	}

	/** A recipient has fetched an own message; other messages are left alone (transport 7.5). */
	async noteDelivery(tx: WriteTransaction, wire: WireMessage): Promise<void> {
		const entry = await tx.messages.get(wire.id);
		if (entry?.record.isOwn !== true) return;
		const fetched = new Map(wire.recipients.map((recipient) => [recipient.address, recipient]));
		const recipients = entry.record.recipients.map((recipient) => {
			const { receivedAt, receivedByDevice } = fetched.get(recipient.address) ?? {};
			return {
				...recipient,
				...(receivedAt == null ? {} : { receivedAt }),
				...(receivedByDevice == null ? {} : { receivedByDevice }),
			};
		});
		const record = { ...entry.record, recipients };
		await tx.messages.update(record);
		await publishMessage(tx, this.context.clock, 'transport.messageDelivered', record);
	}

	private recordOf(
		wire: WireMessage,
		opened: OpenedMessage,
		relationship: RelationshipEntry | undefined,
	): MessageRecord {
		const { address } = this.context.account;
		const own = wire.recipients.find((recipient) => recipient.address === address);
		return {
			id: wire.id,
			isOwn: false,
			createdBy: wire.createdBy,
			createdByDevice: wire.createdByDevice,
			createdAt: wire.createdAt,
			content: opened.content,
			recipients: [
				{
					address,
					...(own?.receivedAt == null ? {} : { receivedAt: own.receivedAt }),
					...(own?.receivedByDevice == null ? {} : { receivedByDevice: own.receivedByDevice }),
					...(relationship === undefined ? {} : { relationshipId: relationship.record.id }),
				},
			],
			attachments: opened.attachments.map(({ id }) => id),
		};
	}

	private async open(
		tx: ReadTransaction,
		wire: WireMessage,
	): Promise<{ opened: OpenedMessage; relationship: RelationshipEntry | undefined }> {
		const relationship = await newestRelationship(tx, wire.createdBy);
		const established = relationship?.secrets.established;
		const opened = openMessage(wire, {
			address: this.context.account.address,
			secrets: established === undefined ? undefined : readRelationshipSecrets(established),
		});
		return { opened, relationship };
	}
}
