import { isoInstant, type Clock } from '../../base/clock';
import { appendEvent, type EventNameOf } from '../../events/outbox';
import type { MessageDto, MessageRecord } from '../../model/record/message';
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
