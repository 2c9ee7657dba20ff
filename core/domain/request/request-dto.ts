import type { RequestDto, RequestRecord } from '../../model/record/request';

/** docs/protocol/consumption.md 3.1, without the internal log */
export function toRequestDto(record: RequestRecord): RequestDto {
	const { statusLog: _statusLog, ...shown } = record;
	return shown;
}
