import { envelopeErrors } from '../domain/envelope/envelope-errors';
import { messageErrors } from '../domain/message/message-errors';
import { relationshipErrors } from '../domain/relationship/relationship-errors';
import type { InboxEvent } from '../model/record/sync';
import type { ReadTransaction } from '../store/store';
import type { Touched } from './steps';

/** how long the relationship of an event may be under way before the plan of retries is enough */
const soonForMs = 30_000;

const soonMs = 1_000;

/** codes of what could not be applied because what it follows from has not come yet */
const missingPredecessor: readonly string[] = [
	envelopeErrors.noRelationship.code,
	relationshipErrors.transportRecordNotFound.code,
	messageErrors.deliveredTooEarly.code,
];

/** The Backbone promises no order between events of different kinds (docs/protocol/backbone-api.md 12.1). */
export function waitsForPredecessor(code: string): boolean {
	return missingPredecessor.includes(code);
}

/** Events that may succeed after a relationship was stored or changed, in the order of their creation. */
export async function eventsWaitingForRelationship(
	tx: ReadTransaction,
	touched: readonly Touched[],
): Promise<InboxEvent[]> {
	if (!touched.some(({ relationshipId }) => relationshipId !== undefined)) return [];
	const pending = await tx.inbox.list({
		where: [{ field: 'state', op: 'eq', value: 'pending' }],
		orderBy: { field: 'createdAt', direction: 'asc' },
	});
	return pending
		.map(({ record }) => record)
		.filter(({ lastFailure }) => lastFailure && waitsForPredecessor(lastFailure.code));
}

/**
 * When a sync that is asked for by nothing else has something to try, in milliseconds since the epoch:
 * the next of the planned retries, and every second while the predecessor of an event may be under way.
 * Work that is due already was tried a moment ago, or is in other hands.
 */
export async function nextTryAt(tx: ReadTransaction, nowMs: number): Promise<number | undefined> {
	const { openWorkDueAt } = await tx.syncOverview();
	if (openWorkDueAt === undefined) return undefined;
	const pending = await tx.inbox.list({ where: [{ field: 'state', op: 'eq', value: 'pending' }] });
	const times = pending.map(({ record: { createdAt, notBefore = '', lastFailure } }) => {
		const plannedAt = Date.parse(notBefore);
		const isWaiting = lastFailure !== undefined && waitsForPredecessor(lastFailure.code);
		if (!isWaiting || nowMs - Date.parse(createdAt) > soonForMs) return plannedAt;
		return Math.max(nowMs, Math.min(plannedAt, nowMs + soonMs));
	});
	const next = [Date.parse(openWorkDueAt), ...times].filter((time) => time >= nowMs);
	return next.length === 0 ? undefined : next.reduce((one, other) => Math.min(one, other));
}
