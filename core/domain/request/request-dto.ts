import { membersOf } from '../../model/json';
import type { RequestDto, RequestRecord } from '../../model/record/request';

/**
 * Maps a stored request to its public form, without internal members (docs/protocol/consumption.md
 * 3.1).
 */
export function toRequestDto(record: RequestRecord): RequestDto {
	return membersOf<RequestDto>({
		id: record.id,
		isOwn: record.isOwn,
		peer: record.peer,
		createdAt: record.createdAt,
		status: record.status,
		content: record.content,
		source: record.source,
		response: record.response,
		refusedAnswers: record.refusedAnswers,
		wasAutomaticallyDecided: record.wasAutomaticallyDecided,
	});
}
