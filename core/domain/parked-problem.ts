import type { GatewayError } from '../base/errors';
import { appendEvent } from '../events/outbox';
import type { JsonObject } from '../model/json';
import type { InboxEvent } from '../model/record/sync';
import type { WriteTransaction } from '../store/store';

/** Something that this account has noticed and that a person has to decide about. */
export interface NoticedProblem {
	/** the same for the same problem, so that it is listed once */
	readonly id: string;
	/** shown as its subject; a type of external event, if another attempt applies one */
	readonly type: string;
	readonly payload: JsonObject;
	readonly reason: GatewayError;
}

/**
 * Lists a problem as a parked external event, with the event about it. A problem that is listed
 * already is left as it is.
 */
export async function parkProblem(
	tx: WriteTransaction,
	now: string,
	{ id, type, payload, reason: { code, message } }: NoticedProblem,
): Promise<void> {
	if ((await tx.inbox.get(id))?.record.state === 'parked') return;
	const row: InboxEvent = {
		id,
		runId: 'noticed',
		type,
		index: -1,
		createdAt: now,
		payload,
		state: 'parked',
		attempts: 1,
		lastFailure: { code, message },
	};
	if (!(await tx.inbox.insertIfNew(row, undefined))) await tx.inbox.update(row);
	await appendEvent(tx, {
		name: 'gateway.externalEventGivenUp',
		createdAt: now,
		subject: id,
		data: { eventId: id, type, code, message },
	});
}

/**
 * Deletes a parked event. Its run was finalised long ago, so the Backbone does not offer it again.
 * The report of the event is erased too: it mentions the peer, and without the event it could not
 * be found when the relationship is decomposed.
 */
export async function dropProblem(tx: WriteTransaction, id: string): Promise<void> {
	await tx.outbox.erase(id);
	await tx.inbox.delete(id);
}
