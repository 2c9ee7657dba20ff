import type { Cancellable } from '../../base/abort';
import { isGatewayError } from '../../base/errors';
import type { Notification } from '../../model/content/notifications';
import { isId } from '../../model/ids';
import type {
	LocalNotificationDto,
	LocalNotificationRecord,
} from '../../model/record/local-notification';
import { carries, type MessageRecord } from '../../model/record/message';
import type { LocalNotificationField, WriteTransaction } from '../../store/store';
import type { LocalNotificationUseCases } from '../../facade/local-notifications';
import type { RelationshipRecord } from '../../model/record/relationship';
import type { AttributeWriter } from '../attribute/attribute-writer';
import type { Account } from '../identity/account';
import { scalar, text, type QueryFields } from '../query/collection-query';
import { listOf } from '../query/list-with-query';
import type { Observer } from '../observers';
import { localNotificationErrors } from './local-notification-errors';
import { processItem } from './notification-items';
import { matching } from '../query/conditions';
import type { Needs } from '../needs';

/** Query fields of notifications (docs/protocol/consumption.md 9.1, 15). */
export const localNotificationQueryFields: QueryFields<LocalNotificationField> = {
	isOwn: scalar('isOwn'),
	peer: text('peer'),
	createdAt: text('createdAt'),
	receivedByDevice: text('receivedByDevice'),
	status: text('status'),
	'source.reference': text('sourceReference'),
};

export interface LocalNotificationDependencies extends Needs<'store' | 'logger'> {
	readonly account: Pick<Account, 'deviceId'>;
	/** writer for the attributes that notifications change */
	readonly writer: () => AttributeWriter;
}

/**
 * Notifications between peers about attributes that both hold (docs/protocol/consumption.md 9). A
 * notification is processed when its message arrives; the use cases serve to read notifications and
 * to process failed ones again.
 */
export class LocalNotificationService
	implements
		LocalNotificationUseCases,
		Observer<'messageSent' | 'messageReceived' | 'relationshipDecomposed'>
{
	constructor(private readonly dependencies: LocalNotificationDependencies) {}

	/** Records the notification of a sent message, if it contains one. */
	async messageSent(tx: WriteTransaction, message: MessageRecord): Promise<void> {
		if (!carries(message, 'Notification')) return;
		await tx.localNotifications.insertIfNew(recordOf(message, 'Sent'), undefined);
	}

	/**
	 * Stores and applies the notification of a received message, if it contains one. A second
	 * notification with the same id changes nothing; a faulty notification is logged.
	 */
	async messageReceived(tx: WriteTransaction, message: MessageRecord): Promise<void> {
		if (!carries(message, 'Notification')) return;
		const record = recordOf(message, 'Open', this.dependencies.account.deviceId);
		const isNew =
			isId('notification', record.id) &&
			(await tx.localNotifications.insertIfNew(record, undefined));
		if (isNew) await this.apply(tx, record);
		else {
			const reason = 'its ID is malformed or in use';
			this.dependencies.logger.warn('a notification was ignored', {
				messageId: message.id,
				reason,
			});
		}
	}

	/** @throws `error.transport.recordNotFound` */
	async get(id: string, options: Cancellable = {}): Promise<LocalNotificationDto> {
		const entry = await this.dependencies.store.read(
			(tx) => tx.localNotifications.get(id),
			options,
		);
		if (entry !== undefined) return entry.record;
		throw unknownNotification(id);
	}

	readonly list = listOf(localNotificationQueryFields, async (query, options) => {
		const { store } = this.dependencies;
		const entries = await store.read((tx) => tx.localNotifications.list(query), options);
		return entries.map(({ record }) => record);
	});

	/**
	 * Processes a received notification again.
	 *
	 * @throws `error.transport.recordNotFound`, `error.runtime.unknown` for a notification that was
	 * not received, or is completed already
	 */
	async process(id: string, options: Cancellable = {}): Promise<LocalNotificationDto> {
		return await this.dependencies.store.transact(async (tx) => {
			const record = (await tx.localNotifications.get(id))?.record;
			if (record === undefined) throw unknownNotification(id);
			const isOpen = record.status === 'Open' || record.status === 'Error';
			if (
				record.isOwn ||
				!isOpen ||
				record.receivedByDevice !== this.dependencies.account.deviceId
			) {
				throw localNotificationErrors.create('wrongState', {
					message: `The notification '${id}' cannot be processed: it is '${record.status}'.`,
					facts: { notificationId: id, status: record.status },
				});
			}
			return await this.apply(tx, record);
		}, options);
	}

	/**
	 * Returns the notification of a received message.
	 *
	 * @throws `error.runtime.recordNotFound`,
	 * `error.runtime.notifications.messageDoesNotContainNotification`,
	 * `error.runtime.notifications.cannotReceiveNotificationFromOwnMessage`
	 */
	async received(messageId: string, options: Cancellable = {}): Promise<LocalNotificationDto> {
		return await this.ofMessage(messageId, false, options);
	}

	/**
	 * Returns the notification of a sent message.
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
		return await this.dependencies.store.read(async (tx) => {
			const message = (await tx.messages.get(messageId))?.record;
			if (message === undefined) {
				const text = `There is no message with the ID '${messageId}' in this account.`;
				throw localNotificationErrors.create('messageNotFound', { message: text, facts });
			}
			if (!carries(message, 'Notification')) {
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
			const id = message.content.id;
			const stored = (await tx.localNotifications.get(id))?.record;
			if (stored === undefined) throw unknownNotification(id);
			return stored;
		}, options);
	}

	/** Applies all items or none; the notification is stored in either case. */
	private async apply(
		tx: WriteTransaction,
		record: LocalNotificationRecord,
	): Promise<LocalNotificationRecord> {
		const { logger } = this.dependencies;
		const writer = this.dependencies.writer();
		const { peer, id: notificationId } = record;
		let status: 'Completed' | 'Error' = 'Completed';
		try {
			await tx.attempt(async () => {
				for (const item of record.content.items) {
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

	/** Removes notifications to and from the peer (docs/protocol/consumption.md 8.14). */
	async relationshipDecomposed(tx: WriteTransaction, { peer }: RelationshipRecord): Promise<void> {
		const entries = await tx.localNotifications.list({ where: matching({ peer }) });
		for (const { record } of entries) await tx.localNotifications.delete(record.id);
	}
}

type NotificationMessage = MessageRecord & { readonly content: Notification };

function recordOf(
	{ id, isOwn, content, createdAt, createdBy, recipients }: NotificationMessage,
	status: LocalNotificationRecord['status'],
	receivedByDevice?: string,
): LocalNotificationRecord {
	return {
		id: content.id,
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
