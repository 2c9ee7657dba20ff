import type { Cancellable } from '../../base/abort';
import { isGatewayError } from '../../base/errors';
import type { Logger } from '../../base/logger';
import { textMember } from '../../model/content/members';
import { isId } from '../../model/ids';
import type { JsonObject } from '../../model/json';
import type {
	LocalNotificationDto,
	LocalNotificationRecord,
} from '../../model/record/local-notification';
import type { MessageRecord } from '../../model/record/message';
import type { LocalNotificationField, Query, Store, WriteTransaction } from '../../store/store';
import type { AttributeWriter } from '../attribute/attribute-writer';
import type { Account } from '../identity/account';
import { localNotificationErrors } from './local-notification-errors';
import { processItem } from './notification-items';

export interface LocalNotificationParts {
	readonly store: Store;
	readonly account: Pick<Account, 'deviceId'>;
	readonly logger: Logger;
	/** for the attributes that notifications change */
	readonly writer: () => AttributeWriter;
}

/**
 * What peers tell each other of attributes that both hold (docs/protocol/consumption.md 9). The
 * messages that carry it bring it here by themselves; the use cases are for looking, and for trying
 * again.
 */
export class LocalNotificationService {
	constructor(private readonly parts: LocalNotificationParts) {}

	/** An own message was sent: if it is a notification, it is remembered. */
	async messageSent(tx: WriteTransaction, message: MessageRecord): Promise<void> {
		if (!isNotification(message)) return;
		await tx.localNotifications.insert(recordOf(message, 'Sent'), undefined);
	}

	/**
	 * A message arrived: if it is a notification, it is stored and takes effect at once. A second one
	 * with the same id changes nothing, and what is wrong with one is logged.
	 */
	async messageReceived(tx: WriteTransaction, message: MessageRecord): Promise<void> {
		if (!isNotification(message)) return;
		const record = recordOf(message, 'Open', this.parts.account.deviceId);
		const isNew =
			isId('notification', record.id) && (await tx.localNotifications.insert(record, undefined));
		if (isNew) await this.process(tx, record);
		else {
			const reason = 'its ID is malformed or taken';
			this.parts.logger.warn('a notification was not taken', { messageId: message.id, reason });
		}
	}

	/** @throws `error.transport.recordNotFound` */
	async get(id: string, options: Cancellable = {}): Promise<LocalNotificationDto> {
		const entry = await this.parts.store.read((tx) => tx.localNotifications.get(id), options);
		if (entry !== undefined) return entry.record;
		throw unknownNotification(id);
	}

	async list(
		query: Query<LocalNotificationField> = {},
		options: Cancellable = {},
	): Promise<LocalNotificationDto[]> {
		const { store } = this.parts;
		const entries = await store.read((tx) => tx.localNotifications.list(query), options);
		return entries.map(({ record }) => record);
	}

	/**
	 * Tries a received notification again.
	 *
	 * @throws `error.transport.recordNotFound`, `error.runtime.unknown` for one that is not received,
	 * or done already
	 */
	async processById(id: string, options: Cancellable = {}): Promise<LocalNotificationDto> {
		return await this.parts.store.transact(async (tx) => {
			const record = (await tx.localNotifications.get(id))?.record;
			if (record === undefined) throw unknownNotification(id);
			const isOpen = record.status === 'Open' || record.status === 'Error';
			if (record.isOwn || !isOpen || record.receivedByDevice !== this.parts.account.deviceId) {
				throw localNotificationErrors.create('wrongState', {
					message: `The notification '${id}' cannot be processed: it is '${record.status}'.`,
					facts: { notificationId: id, status: record.status },
				});
			}
			return await this.process(tx, record);
		}, options);
	}

	/**
	 * The notification of a received message.
	 *
	 * @throws `error.runtime.recordNotFound`,
	 * `error.runtime.notifications.messageDoesNotContainNotification`,
	 * `error.runtime.notifications.cannotReceiveNotificationFromOwnMessage`
	 */
	async received(messageId: string, options: Cancellable = {}): Promise<LocalNotificationDto> {
		return await this.ofMessage(messageId, false, options);
	}

	/**
	 * The notification of a sent message.
	 *
	 * @throws `error.runtime.recordNotFound`,
	 * `error.runtime.notifications.messageDoesNotContainNotification`,
	 * `error.runtime.notifications.cannotSaveSentNotificationFromPeerMessage`
	 */
	async sent(messageId: string, options: Cancellable = {}): Promise<LocalNotificationDto> {
		return await this.ofMessage(messageId, true, options);
	}

	private async ofMessage(
		messageId: string,
		isOwn: boolean,
		options: Cancellable,
	): Promise<LocalNotificationDto> {
		const facts = { messageId };
		return await this.parts.store.read(async (tx) => {
			const message = (await tx.messages.get(messageId))?.record;
			if (message === undefined) {
				const text = `There is no message with the ID '${messageId}' in this account.`;
				throw localNotificationErrors.create('messageNotFound', { message: text, facts });
			}
			if (!isNotification(message)) {
				const text = `The message '${messageId}' does not contain a notification.`;
				throw localNotificationErrors.create('messageWithoutNotification', {
					message: text,
					facts,
				});
			}
			if (message.isOwn !== isOwn) {
				const name = isOwn ? 'sentFromPeerMessage' : 'receivedFromOwnMessage';
				const text = `The message '${messageId}' was ${isOwn ? 'received' : 'sent'}.`;
				throw localNotificationErrors.create(name, { message: text, facts });
			}
			const id = textMember(message.content, 'id');
			const stored = (await tx.localNotifications.get(id))?.record;
			if (stored === undefined) throw unknownNotification(id);
			return stored;
		}, options);
	}

	/** All items or none; in either case the notification is kept. */
	private async process(
		tx: WriteTransaction,
		record: LocalNotificationRecord,
	): Promise<LocalNotificationRecord> {
		const { logger } = this.parts;
		const writer = this.parts.writer();
		const { peer, id: notificationId } = record;
		let status: 'Completed' | 'Error' = 'Completed';
		try {
			await tx.attempt(async () => {
				for (const item of itemsOf(record)) {
					await processItem(item, { tx, writer, peer, notificationId });
				}
			});
		} catch (error) {
			if (!isGatewayError(error) || error.kind === 'unavailable') throw error;
			status = 'Error';
			const { code, message: reason } = error;
			logger.warn('a notification had no effect', { notificationId, code, reason });
		}
		const processed = { ...record, status };
		await tx.localNotifications.update(processed);
		return processed;
	}
}

function isNotification({ content }: MessageRecord): boolean {
	return content['@type'] === 'Notification';
}

function itemsOf({ content }: LocalNotificationRecord): JsonObject[] {
	return Array.isArray(content['items']) ? (content['items'] as JsonObject[]) : [];
}

function recordOf(
	{ id, isOwn, content, createdAt, createdBy, recipients }: MessageRecord,
	status: LocalNotificationRecord['status'],
	receivedByDevice?: string,
): LocalNotificationRecord {
	return {
		id: textMember(content, 'id'),
		isOwn,
		peer: isOwn ? (recipients[0]?.address ?? '') : createdBy,
		createdAt,
		...(receivedByDevice === undefined ? {} : { receivedByDevice }),
		content,
		status,
		source: { type: 'Message', reference: id },
	};
}

function unknownNotification(id: string): Error {
	return localNotificationErrors.create('notFound', {
		message: `There is no notification with the ID '${id}' in this account.`,
		facts: { notificationId: id },
	});
}
