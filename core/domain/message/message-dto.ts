import type { MessageDto, MessageRecord } from '../../model/record/message';
import { isJsonOfType, wrapContent } from '../content-wrapping';

const messageContentTypes = [
	'Mail',
	'Request',
	'ResponseWrapper',
	'Notification',
	'ArbitraryMessageContent',
];

/** Maps a stored message to its public form (docs/protocol/transport.md 16.3). */
export function toMessageDto(record: MessageRecord): MessageDto {
	const { content } = record;
	if (!isJsonOfType(content, messageContentTypes)) {
		return { ...record, content: wrapContent('ArbitraryMessageContent', content) };
	}
	return record;
}
