import { envelopeErrors } from '../domain/envelope/envelope-errors';
import { messageErrors } from '../domain/message/message-errors';
import { relationshipErrors } from '../domain/relationship/relationship-errors';
import type { InboxEvent } from '../model/record/sync';
import type { ReadTransaction } from '../store/store';
import type { ChangedIds } from './steps/step';
import { matching } from '../domain/query/conditions';

/**
 * time in which the relationship of an event may still be arriving; later the planned retries
 * suffice
 */
const soonForMs = 30_000;

const soonMs = 1_000;

/** error codes of events that cannot be applied because a preceding event has not arrived */
const missingPredecessor: readonly string[] = [
	envelopeErrors.noRelationship.code,
	relationshipErrors.transportRecordNotFound.code,
	messageErrors.deliveredTooEarly.code,
	relationshipErrors.unknownTemplate.code,
];

/**
 * error codes of events whose predecessor is in this account a moment later, or never: they are
 * given up after the first, short waits
 */
const permanent: readonly string[] = [relationshipErrors.unknownTemplate.code];

/** Returns true if no later attempt of the gateway's own can succeed. */
export function isPermanent(code: string): boolean {
	return permanent.includes(code);
}

/**
 * Returns true if the event may succeed after a later one: the Backbone guarantees no order between
 * events of different kinds (docs/protocol/backbone-api.md 12.1).
 */
export function waitsForPredecessor(code: string): boolean {
	return missingPredecessor.includes(code);
}

/**
 * Returns events that may succeed after a relationship was stored or changed, in the order of their
 * creation.
 */
export async function eventsWaitingForRelationship(
	tx: ReadTransaction,
	touched: readonly ChangedIds[],
): Promise<InboxEvent[]> {
	if (!touched.some(({ relationshipId }) => relationshipId !== undefined)) return [];
	const pending = await tx.inbox.list({
		where: matching({ state: 'pending' }),
		orderBy: { field: 'createdAt', direction: 'asc' },
	});
	return pending
		.map(({ record }) => record)
		.filter(({ lastFailure }) => lastFailure && waitsForPredecessor(lastFailure.code));
}

/**
 * Returns the time, in milliseconds since the epoch, at which the next sync has work even without
 * other causes: the next planned retry, or every second while the predecessor of an event may be
 * arriving. Work that is already due was tried a moment ago, or another process handles it.
 */
export async function nextTryAt(tx: ReadTransaction, nowMs: number): Promise<number | undefined> {
	const { inboxDueAt, workDueAt } = await tx.syncOverview();
	// Events that were not tried yet have no time; there may be many of them.
	const pending = await tx.inbox.list({
		where: [...matching({ state: 'pending' }), { field: 'notBefore', op: 'exists' }],
	});
	const times = pending.map(({ record: { createdAt, notBefore = '', lastFailure } }) => {
		const plannedAt = Date.parse(notBefore);
		const isWaiting = lastFailure !== undefined && waitsForPredecessor(lastFailure.code);
		if (!isWaiting || nowMs - Date.parse(createdAt) > soonForMs) return plannedAt;
		return Math.max(nowMs, Math.min(plannedAt, nowMs + soonMs));
	});
	const planned = [inboxDueAt, workDueAt].map((dueAt = '') => Date.parse(dueAt));
	const next = [...planned, ...times].filter((time) => time >= nowMs);
	return next.length === 0 ? undefined : next.reduce((one, other) => Math.min(one, other));
}
