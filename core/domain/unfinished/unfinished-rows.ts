import type { SendIntentRecord } from '../../model/record/message';
import type { ObjectIntent } from '../../model/record/object-intent';
import type { RelationshipRecord } from '../../model/record/relationship';
import type { RequestRecord } from '../../model/record/request';
import type { RetryState } from '../../model/record/retry-state';
import type { SyncState } from '../../model/record/sync';
import type { ReadTransaction, WriteTransaction } from '../../store/store';

interface RowRecords {
	readonly objectIntents: ObjectIntent;
	readonly relationships: RelationshipRecord;
	readonly requests: RequestRecord;
	readonly sendIntents: SendIntentRecord;
	/** holds the retry state for reading the deletion processes of the identity */
	readonly syncState: SyncState;
}

/** Collections whose rows can contain a change with an unknown end. */
export type UnfinishedRow = keyof RowRecords;

type Reader = Pick<ReadTransaction, UnfinishedRow>;
type Writer = Pick<WriteTransaction, UnfinishedRow>;

/** Change that a row contains; undefined if there is none, or if it has ended. */
const changes: { readonly [Row in UnfinishedRow]: (row: RowRecords[Row]) => string | undefined } = {
	objectIntents: ({ action }) => action,
	relationships: ({ operation }) =>
		operation === undefined ? undefined : `${operation.split('@')[0]}Relationship`,
	requests: ({ pending, response }) => {
		if (pending === 'automation') return 'decideRequest';
		return pending === undefined ? undefined : answering({ response });
	},
	sendIntents: ({ state }) => (state === 'prepared' ? 'sendMessage' : undefined),
	syncState: ({ retry }) => (retry === undefined ? undefined : 'deleteIdentity'),
};

/** Returns the name of the change that delivers the answer to a request to the peer. */
export function answering({ response }: Pick<RequestRecord, 'response'>): string {
	return response?.content['result'] === 'Accepted' ? 'acceptRequest' : 'rejectRequest';
}

/** Piece of unfinished work, identified by its row. */
export interface UnfinishedPiece {
	readonly row: UnfinishedRow;
	readonly id: string;
	/**
	 * true if checking the piece costs nothing, so that it does not wait for the time of its next
	 * attempt
	 */
	readonly isAlwaysDue?: boolean;
}

/** Piece for reading the deletion processes of the identity. */
export const deletionPiece: UnfinishedPiece = { row: 'syncState', id: 'sync' };

/** Returns the name of a piece in problems and events. */
export function nameOf({ row, id }: UnfinishedPiece): string {
	return row === deletionPiece.row ? 'identityDeletion' : id;
}

/** Reads the change of a piece; returns undefined if the piece is finished or gone. */
export async function readPiece<Row extends UnfinishedRow>(
	tx: Reader,
	{ row, id }: UnfinishedPiece & { readonly row: Row },
): Promise<{ readonly change: string; readonly retry: RetryState | undefined } | undefined> {
	const rows: { readonly [Name in UnfinishedRow]: Pick<RetryRows<RowRecords[Name]>, 'get'> } = tx;
	const record = (await rows[row].get(id))?.record;
	const change = record === undefined ? undefined : changes[row](record);
	return change === undefined ? undefined : { change, retry: record?.retry };
}

/** Replaces the retry state of a piece and leaves the rest of its row unchanged. */
export async function writeRetry(
	tx: Writer,
	piece: UnfinishedPiece,
	retry: RetryState | undefined,
): Promise<void> {
	const { row, id } = piece;
	if (row === 'objectIntents') await replaceRetry(tx.objectIntents, id, retry);
	if (row === 'relationships') await replaceRetry(tx.relationships, id, retry);
	if (row === 'requests') await replaceRetry(tx.requests, id, retry);
	if (row === 'sendIntents') await replaceRetry(tx.sendIntents, id, retry);
	if (row === 'syncState') await replaceRetry(tx.syncState, id, retry);
}

interface RetryRows<Record> {
	get(id: string): Promise<{ readonly record: Record } | undefined>;
	update(record: Record): Promise<void>;
}

async function replaceRetry<Record extends { retry?: RetryState | undefined }>(
	rows: RetryRows<Record>,
	id: string,
	retry: RetryState | undefined,
): Promise<void> {
	const record = (await rows.get(id))?.record;
	if (record === undefined) return;
	const changed = { ...record };
	if (retry === undefined) delete changed.retry;
	else Object.assign(changed, { retry });
	await rows.update(changed);
}
