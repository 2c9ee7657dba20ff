import type { MessageDto, MessageRecord } from '../../model/record/message';
import { messageContents } from '../../model/content/message-content';

/**
 * Maps a stored message to its public form, which wraps content of any other type
 * (docs/protocol/transport.md 16.3).
 */
export function toMessageDto(record: MessageRecord): MessageDto {
	const { identity: _identity, signedAt: _signedAt, ...dto } = record;
	const { content } = dto;
	return {
		...dto,
		content: messageContents.isKnown(content)
			? content
			: { '@type': 'ArbitraryMessageContent', value: content },
	};
}
