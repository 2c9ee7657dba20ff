import { publicMembers } from '../../model/json';
import {
	messageDtoSchema,
	type MessageDto,
	type MessageRecord,
	type SendIntentDto,
	type SendIntentRecord,
} from '../../model/record/message';
import { messageContents } from '../../model/content/message-content';

/**
 * Maps a stored message to its public form, which wraps content of any other type
 * (docs/protocol/transport.md 16.3).
 */
export function toMessageDto(record: MessageRecord): MessageDto {
	const { content } = record;
	return publicMembers(messageDtoSchema, {
		...record,
		content: messageContents.isKnown(content)
			? content
			: { '@type': 'ArbitraryMessageContent', value: content },
	});
}

/** Maps an intent whose outcome is unknown to its public form. */
export function toSendIntentDto(record: SendIntentRecord): SendIntentDto {
	const { messageId: _unknown, failure: _none, ...intent } = record;
	return { ...intent, state: 'prepared' };
}
