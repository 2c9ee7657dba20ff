import type { Cancellable } from '../../base/abort';
import { codeOf } from '../../base/errors';
import type { WireMessage } from '../../backbone/dto';
import { identityByKey, identityBySignedText } from '../../crypto/message-identity';
import { readRelationshipSecrets } from '../../crypto/relationship-secrets-schema';
import { compareInstants, parseInstant } from '../../model/instant';
import type { MessageRecord } from '../../model/record/message';
import type { ReadTransaction, WriteTransaction } from '../../store/store';
import {
	currentRelationship,
	otherRelationships,
	type RelationshipEntry,
} from '../current-relationship';
import { hasLeftPeers, leftPeerAt, hashPeerAddress } from '../left-peer';
import type { StoredFile } from '../file/file-records';
import { learnVersion } from '../peer-version';
import type { MessageAttachments } from './message-attachments';
import type { MessageDependencies } from './message-dependencies';
import { messageErrors } from './message-errors';
import { openMessage, type OpenedMessage } from './message-envelope';
import { publishMessage } from './message-events';
import { receiveOwnMessage } from './own-message-receipt';
import { openSends } from './sending/send-states';
import { matching } from '../query/conditions';

interface OpenedWith {
	readonly opened: OpenedMessage;
	/** with the keys that have opened the message */
	readonly relationship: RelationshipEntry | undefined;
	readonly current: RelationshipEntry | undefined;
}

/** Receives messages for the steps of a sync (docs/protocol/transport.md 7.4). */
export class MessageReceipt {
	constructor(
		private readonly dependencies: MessageDependencies,
		private readonly attachments: MessageAttachments,
	) {}

	/** Fetches the message from the Backbone, which then marks it as received. */
	fetch(id: string, options: Cancellable): Promise<WireMessage> {
		return this.dependencies.backbone.messages.get(id, options);
	}

	/**
	 * Like {@link fetch}, but undefined when the Backbone does not show the message (any more), most
	 * likely because this account has decomposed a relationship while the message waited.
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
			if (!isHidden) throw error;
			const hasLeft =
				leftPeers.length > 0 ||
				(await this.dependencies.store.read((tx) => hasLeftPeers(tx), options));
			if (!hasLeft) throw error;
			this.logDiscarded(id);
			return undefined;
		}
	}

	/**
	 * True when the message belongs to a relationship that this account has decomposed while the
	 * message waited.
	 */
	isFromDecomposedRelationship(wire: WireMessage, leftPeers: readonly string[]): boolean {
		if (!leftPeers.includes(hashPeerAddress(wire.createdBy))) return false;
		this.logDiscarded(wire.id);
		return true;
	}

	private logDiscarded(messageId: string): void {
		this.dependencies.logger.info('discarding a message from a decomposed relationship', {
			messageId,
		});
	}

	private logRepetition(messageId: string, knownAs: string): void {
		const text = 'discarding a message that the Backbone has shown before under another id';
		this.dependencies.logger.warn(text, { messageId, knownAs });
	}

	/** Loads the attachments of a message; `receive` then stores them together with it. */
	async loadAttachments(wire: WireMessage, options: Cancellable): Promise<StoredFile[]> {
		if (wire.attachments.length === 0) return [];
		const opened = await this.dependencies.store.read(async (tx) => {
			if ((await tx.messages.get(wire.id)) !== undefined) return undefined;
			const result = await this.openUnlessLeft(tx, wire);
			if (result === undefined) return undefined;
			return (await knownAs(tx, wire, result.opened)) === undefined ? result.opened : undefined;
		}, options);
		if (opened === undefined) return [];
		return await this.attachments.load(wire, opened, options);
	}

	/**
	 * Opens and stores a received message. A message that is stored already, also under another id,
	 * changes nothing; a message from a decomposed relationship is discarded.
	 */
	async receive(
		tx: WriteTransaction,
		wire: WireMessage,
		files: readonly StoredFile[] = [],
	): Promise<void> {
		if ((await tx.messages.get(wire.id)) !== undefined) return;
		const result = await this.openUnlessLeft(tx, wire);
		if (result === undefined) return this.logDiscarded(wire.id);
		const { opened, relationship, current } = result;
		const known = await knownAs(tx, wire, opened);
		if (known !== undefined) return this.logRepetition(wire.id, known);
		for (const file of files) await tx.files.insertIfNew(file.record, file.secrets);
		const record = this.recordOf(wire, opened, relationship);
		const { messageKey, attachments } = opened;
		const keys = attachments.map(({ id, key }) => ({ id, key }));
		await tx.messages.insert(record, {
			messageKey,
			...(keys.length === 0 ? {} : { attachments: keys }),
		});
		await publishMessage(tx, this.dependencies.clock, 'transport.messageReceived', record);
		await learnVersion(tx, record.createdBy, opened.evidence, current?.record);
		await this.dependencies.observers.notify('messageReceived', tx, record);
	}

	/** True for a message of this account. */
	isOwn({ createdBy }: Pick<WireMessage, 'createdBy'>): boolean {
		return createdBy === this.dependencies.account.address;
	}

	/** See `receiveOwnMessage`. */
	async receiveOwn(tx: WriteTransaction, wire: WireMessage): Promise<MessageRecord | undefined> {
		return await receiveOwnMessage(tx, wire, this.dependencies);
	}

	/**
	 * Stores that a recipient has fetched a message of this account; received messages stay unchanged
	 * (docs/protocol/transport.md 7.5).
	 *
	 * @throws `error.gateway.messages.deliveredTooEarly` for a message whose send may not be
	 * completed yet
	 */
	async noteDelivery(tx: WriteTransaction, wire: WireMessage): Promise<void> {
		const entry = await tx.messages.get(wire.id);
		if (entry === undefined) return await this.expectUnlessSending(tx, wire);
		if (!entry.record.isOwn) return;
		const fetched = new Map(wire.recipients.map((recipient) => [recipient.address, recipient]));
		const recipients = entry.record.recipients.map((recipient) => {
			const { receivedAt, receivedByDevice } = fetched.get(recipient.address) ?? {};
			return {
				...recipient,
				...(receivedAt == null ? {} : { receivedAt }),
				...(receivedByDevice == null ? {} : { receivedByDevice }),
			};
		});
		// No change: the same delivery was reported before, by an event with another id.
		if (JSON.stringify(recipients) === JSON.stringify(entry.record.recipients)) return;
		const record = { ...entry.record, recipients };
		await tx.messages.update(record);
		await publishMessage(tx, this.dependencies.clock, 'transport.messageDelivered', record);
	}

	/**
	 * Throws while a send may be uncompleted. Without an open send, an unknown message of this
	 * account belonged to a decomposed relationship.
	 */
	private async expectUnlessSending(tx: ReadTransaction, wire: WireMessage): Promise<void> {
		if (wire.createdBy !== this.dependencies.account.address) return;
		if ((await tx.sendIntents.first({ where: openSends })) === undefined) return;
		throw messageErrors.create('deliveredTooEarly', {
			message: `The message ${wire.id} was delivered before its sending was completed here.`,
			facts: { messageId: wire.id },
		});
	}

	private recordOf(
		wire: WireMessage,
		opened: OpenedMessage,
		relationship: RelationshipEntry | undefined,
	): MessageRecord {
		const { address } = this.dependencies.account;
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
			identity: identityBySignedText(wire.createdBy, opened.signedText),
			signedAt: parseInstant(opened.createdAt) ?? opened.createdAt,
		};
	}

	/**
	 * Opens a message; undefined for a message from a decomposed relationship. Such a message is
	 * older than the current relationship with its sender or, without a current one, than the
	 * decomposition.
	 */
	private async openUnlessLeft(
		tx: ReadTransaction,
		wire: WireMessage,
	): Promise<OpenedWith | undefined> {
		const relationship = await currentRelationship(tx, wire.createdBy);
		const begunAt = relationship?.record.createdAt;
		if (begunAt === undefined || compareInstants(wire.createdAt, begunAt) < 0) {
			const leftAt = await leftPeerAt(tx, wire.createdBy);
			const end = begunAt ?? leftAt;
			if (leftAt !== undefined && end !== undefined && compareInstants(wire.createdAt, end) <= 0) {
				return undefined;
			}
		}
		return await this.openWithFittingKeys(tx, wire, relationship);
	}

	/**
	 * Tries the keys of the current relationship, then the keys of former relationships with this
	 * peer.
	 */
	private async openWithFittingKeys(
		tx: ReadTransaction,
		wire: WireMessage,
		current: RelationshipEntry | undefined,
	): Promise<OpenedWith> {
		try {
			return { opened: this.openWith(wire, current), relationship: current, current };
		} catch (error) {
			if (current === undefined || !isForOtherKeys(error)) throw error;
			for (const other of await otherRelationships(tx, wire.createdBy, current.record.id)) {
				const opened = this.openIfKeysFit(wire, other);
				if (opened !== undefined) return { opened, relationship: other, current };
			}
			throw error;
		}
	}

	private openIfKeysFit(
		wire: WireMessage,
		relationship: RelationshipEntry,
	): OpenedMessage | undefined {
		try {
			return this.openWith(wire, relationship);
		} catch (error) {
			if (isForOtherKeys(error)) return undefined;
			throw error;
		}
	}

	private openWith(wire: WireMessage, relationship: RelationshipEntry | undefined): OpenedMessage {
		const established = relationship?.secrets.established;
		return openMessage(wire, {
			address: this.dependencies.account.address,
			sender: wire.createdBy,
			secrets: established === undefined ? undefined : readRelationshipSecrets(established),
		});
	}
}

/** Under which a message may be known: of records of earlier versions only the key is known. */
function identitiesOf(
	{ createdBy }: WireMessage,
	{ signedText, messageKey }: OpenedMessage,
): string[] {
	return [identityBySignedText(createdBy, signedText), identityByKey(createdBy, messageKey)];
}

/**
 * Id under which the message is stored, if the Backbone has shown it before under another one
 * (docs/protocol/transport.md 7.4).
 */
async function knownAs(
	tx: ReadTransaction,
	wire: WireMessage,
	opened: OpenedMessage,
): Promise<string | undefined> {
	const value = identitiesOf(wire, opened);
	const entry = await tx.messages.first({ where: matching({ identity: value }) });
	return entry?.record.id;
}

/**
 * True when opening failed because the relationship has no keys yet, or because its keys do not
 * fit.
 */
function isForOtherKeys(error: unknown): boolean {
	const code = codeOf(error);
	return code === 'error.crypto.encryption.decrypt' || code === 'error.transport.recordNotFound';
}
