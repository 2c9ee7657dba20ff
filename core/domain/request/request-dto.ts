import { publicMembers } from '../../model/json';
import { requestDtoSchema, type RequestDto, type RequestRecord } from '../../model/record/request';

/**
 * Maps a stored request to its public form, without internal members (docs/protocol/consumption.md
 * 3.1).
 */
export function toRequestDto(record: RequestRecord): RequestDto {
	return publicMembers(requestDtoSchema, record);
}
