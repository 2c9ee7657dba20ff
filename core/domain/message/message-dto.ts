import { membersOf } from '../../model/json';
import type {
	MessageDto,
	MessageRecord,
	SendIntentDto,
	SendIntentRecord,
} from '../../model/record/message';
import { messageContents } from '../../model/content/message-content';

/**
 * Maps a stored message to its public form, which wraps content of any other type
 * (docs/protocol/transport.md 16.3).
 */
export function toMessageDto(record: MessageRecord): MessageDto {
	const { content } = record;
	return membersOf<MessageDto>({
		id: record.id,
		isOwn: record.isOwn,
		createdBy: record.createdBy,
		createdByDevice: record.createdByDevice,
		createdAt: record.createdAt,
		content: messageContents.isKnown(content)
			? content
			: { '@type': 'ArbitraryMessageContent', value: content },
		recipients: record.recipients,
		attachments: record.attachments,
		wasReadAt: record.wasReadAt,
	});
}

/** Maps an intent whose outcome is unknown to its public form. */
export function toSendIntentDto(record: SendIntentRecord): SendIntentDto {
	return membersOf<SendIntentDto>({
		id: record.id,
		idempotencyKey: record.idempotencyKey,
		mustArrive: record.mustArrive,
		again: record.again,
		triedAt: record.triedAt,
		caller: record.caller,
		absentSince: record.absentSince,
		state: 'prepared',
		createdAt: record.createdAt,
		preparedAt: record.preparedAt,
		bodyHash: record.bodyHash,
		postBody: record.postBody,
		recipients: record.recipients,
		content: record.content,
		attachments: record.attachments,
		latestReceived: record.latestReceived,
	});
}
