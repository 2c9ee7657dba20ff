import type { GatewayError } from '../../base/errors';
import { isoInstant, type Clock } from '../../base/clock';
import { appendEvent, type EventNameOf } from '../../events/outbox';
import type { MessageDto, MessageRecord, SendIntentRecord } from '../../model/record/message';
import type { WriteTransaction } from '../../store/store';
import { toMessageDto } from './message-dto';

/** Announces what the same transaction changes of a message. */
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

/** Erased with the intent: it names the recipients and what they were to get. */
export async function publishNotSent(
	tx: WriteTransaction,
	clock: Clock,
	{ id, idempotencyKey, createdAt, recipients, content, attachments }: SendIntentRecord,
	{ code, message }: GatewayError,
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
