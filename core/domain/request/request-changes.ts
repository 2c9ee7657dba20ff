import { appendEvent, type EventNameOf } from '../../events/outbox';
import type { RequestDto, RequestRecord, RequestStatus } from '../../model/record/request';
import type { WriteTransaction } from '../../store/store';
import { toRequestDto } from './request-dto';
import { transitionOf, type RequestAction } from './request-transitions';

/** Publishes the current state of the request. */
export async function publishRequest(
	tx: WriteTransaction,
	name: EventNameOf<RequestDto>,
	record: RequestRecord,
	now: string,
): Promise<void> {
	await appendEvent(tx, {
		name,
		createdAt: now,
		peer: record.peer,
		subject: record.id,
		data: toRequestDto(record),
	});
}

/** Returns the record after an action, with the new entry in its log. Nothing is stored. */
export function afterAction(
	record: RequestRecord,
	action: RequestAction,
	now: string,
): RequestRecord {
	const { to: newStatus } = transitionOf(record, action);
	if (newStatus === undefined) throw new TypeError(`'${action}' leads to no status`);
	const entry = { createdAt: now, oldStatus: record.status, newStatus };
	return { ...record, status: newStatus, statusLog: [...record.statusLog, entry] };
}

/** actions after which nothing is left for this gateway to do about a request of a peer */
const endsWork: readonly RequestAction[] = ['complete', 'expire'];

/**
 * Stores and publishes the change of status by an action (docs/protocol/consumption.md 3.2).
 *
 * @param publishedAs old status in the event, if it differs from the real one
 * @throws `error.runtime.unknown` when the action does not fit the status
 */
export async function takeAction(
	tx: WriteTransaction,
	record: RequestRecord,
	action: RequestAction,
	now: string,
	publishedAs: RequestStatus = record.status,
): Promise<RequestRecord> {
	const changed = afterAction(record, action, now);
	await tx.requests.update(changed);
	if (!record.isOwn && endsWork.includes(action)) await tx.work.delete(record.id);
	await appendEvent(tx, {
		name: record.isOwn
			? 'consumption.outgoingRequestStatusChanged'
			: 'consumption.incomingRequestStatusChanged',
		createdAt: now,
		peer: record.peer,
		subject: record.id,
		data: { request: toRequestDto(changed), oldStatus: publishedAs, newStatus: changed.status },
	});
	return changed;
}
