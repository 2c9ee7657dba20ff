import type { Cancellable } from '../../base/abort';
import { isoInstant, type Clock } from '../../base/clock';
import type { RequestRecord } from '../../model/record/request';
import type {
	Query,
	ReadTransaction,
	RequestField,
	Store,
	WriteTransaction,
} from '../../store/store';
import { takeAction, withoutPending } from './request-changes';

/*
 * Nothing runs on a timer: whoever reads requests notices what has expired since (docs/protocol/
 * consumption.md 3.3). What has is found by an index, so that reading costs nothing while nothing has.
 */

/** Before requests are read. */
export async function noticeExpired(
	{ store, clock }: { readonly store: Store; readonly clock: Clock },
	options: Cancellable,
): Promise<void> {
	const now = isoInstant(clock.now());
	const first = await store.read((tx) => tx.requests.first(dueAt(now)), options);
	if (first === undefined) return;
	await store.transact((tx) => expireDue(tx, now), options);
}

/** The same inside a transaction. */
export async function expireDue(tx: WriteTransaction, now: string): Promise<void> {
	for (const record of await due(tx, now)) {
		await takeAction(tx, withoutPending(record), 'expire', now);
	}
}

async function due(tx: ReadTransaction, now: string): Promise<RequestRecord[]> {
	return (await tx.requests.list(dueAt(now))).map(({ record }) => record);
}

const dueAt = (now: string): Query<RequestField> => ({
	where: [{ field: 'openUntil', op: 'lt', value: now }],
	// In its own order the index is used; in the order of insertion every request would be looked at.
	orderBy: { field: 'openUntil', direction: 'asc' },
});
