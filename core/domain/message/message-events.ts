import type { GatewayError } from '../../base/errors';
import { isoInstant, type Clock } from '../../base/clock';
import { appendEvent, type EventNameOf } from '../../events/outbox';
import type { MessageDto, MessageRecord, SendIntentRecord } from '../../model/record/message';
import type { WriteTransaction } from '../../store/store';
import { toMessageDto } from './message-dto';

/** Appends the event of a change to a message, in the same transaction. */
export async function publishMessage(
	tx: WriteTransaction,
	clock: Clock,
	name: EventNameOf<MessageDto>,
	record: MessageRecord,
): Promise<void> {
	await appendEvent(tx, {
		name,
		createdAt: isoInstant(clock.now()),
		peer: record.isOwn ? undefined : record.createdBy,
		subject: record.id,
		data: toMessageDto(record),
	});
}

/**
 * Appends the event of a failed send. It names the recipients and holds the content, so it is
 * erased together with the intent.
 */
export async function publishNotSent(
	tx: WriteTransaction,
	clock: Clock,
	{ id, idempotencyKey, createdAt, recipients, content, attachments }: SendIntentRecord,
	{ code, message }: Pick<GatewayError, 'code' | 'message'>,
): Promise<void> {
	await appendEvent(tx, {
		name: 'gateway.messageNotSent',
		createdAt: isoInstant(clock.now()),
		subject: id,
		data: {
			intentId: id,
			...(idempotencyKey === undefined ? {} : { idempotencyKey }),
			createdAt,
			recipients: recipients.map(({ address }) => address),
			content,
			attachments,
			code,
			message,
		},
	});
}
