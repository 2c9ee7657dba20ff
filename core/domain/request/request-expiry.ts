import type { Cancellable } from '../../base/abort';
import { isoInstant } from '../../base/clock';
import type { RequestRecord } from '../../model/record/request';
import type { Query, ReadTransaction, RequestField, WriteTransaction } from '../../store/store';
import { takeAction } from './request-changes';
import type { Needs } from '../needs';

/*
 * Requests expire without a timer: each read first stores the expiry of requests that are due
 * (docs/protocol/consumption.md 3.3). An index finds these, so that a read costs nothing while no
 * request is due.
 */

/** Stores the expiry of due requests; called before requests are read. */
export async function noticeExpired(
	{ store, clock }: Needs<'store' | 'clock'>,
	options: Cancellable,
): Promise<void> {
	const now = isoInstant(clock.now());
	const first = await store.read((tx) => tx.requests.first(dueAt(now)), options);
	if (first === undefined) return;
	await store.transact((tx) => expireDue(tx, now), options);
}

/** Like {@link noticeExpired}, inside a transaction. */
export async function expireDue(tx: WriteTransaction, now: string): Promise<void> {
	for (const record of await due(tx, now)) await takeAction(tx, record, 'expire', now);
}

async function due(tx: ReadTransaction, now: string): Promise<RequestRecord[]> {
	return (await tx.requests.list(dueAt(now))).map(({ record }) => record);
}

const dueAt = (now: string): Query<RequestField> => ({
	where: [{ field: 'openUntil', op: 'lt', value: now }],
	// This order uses the index; the order of insertion would scan all requests.
	orderBy: { field: 'openUntil', direction: 'asc' },
});
