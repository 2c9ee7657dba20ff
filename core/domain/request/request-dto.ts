import type { RequestDto, RequestRecord } from '../../model/record/request';

/** Maps a stored request to its public form, without internal members (docs/protocol/consumption.md 3.1). */
export function toRequestDto(record: RequestRecord): RequestDto {
	const {
		statusLog: _statusLog,
		pending: _pending,
		retry: _retry,
		sendIntentId: _sendIntentId,
		deliveryFailure: _deliveryFailure,
		claimedFiles: _claimedFiles,
		...shown
	} = record;
	return shown;
}
