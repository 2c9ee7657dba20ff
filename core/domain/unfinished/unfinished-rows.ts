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
	/** holds the tries to read the deletion processes of our identity */
	readonly syncState: SyncState;
}

/** Collections whose rows can hold a change that was begun and not seen to end. */
export type UnfinishedRow = keyof RowRecords;

type Reader = Pick<ReadTransaction, UnfinishedRow>;
type Writer = Pick<WriteTransaction, UnfinishedRow>;

/** The change that a row holds; undefined when there is none, or it has ended. */
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

/** The change that brings the answer to a request to the peer. */
export function answering({ response }: Pick<RequestRecord, 'response'>): string {
	return response?.content['result'] === 'Accepted' ? 'acceptRequest' : 'rejectRequest';
}

/** A piece of unfinished work, by its row. */
export interface UnfinishedPiece {
	readonly row: UnfinishedRow;
	readonly id: string;
	/** looking at it costs nothing, whatever the time of its next try */
	readonly isAlwaysDue?: boolean;
}

/** The tries to read the deletion processes of our identity. */
export const deletionPiece: UnfinishedPiece = { row: 'syncState', id: 'sync' };

/** The name of a piece in problems and events. */
export function nameOf({ row, id }: UnfinishedPiece): string {
	return row === deletionPiece.row ? 'identityDeletion' : id;
}

/** Undefined when the piece is finished or gone. */
export async function readPiece(
	tx: Reader,
	{ row, id }: UnfinishedPiece,
): Promise<{ readonly change: string; readonly retry: RetryState | undefined } | undefined> {
	const record = (await tx[row].get(id))?.record;
	const changeOf = changes[row] as (record: unknown) => string | undefined;
	const change = record === undefined ? undefined : changeOf(record);
	return change === undefined ? undefined : { change, retry: record?.retry };
}

/** Replaces the tries of a piece; its row is otherwise as it was. */
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

async function replaceRetry<Record extends { readonly retry?: RetryState | undefined }>(
	rows: RetryRows<Record>,
	id: string,
	retry: RetryState | undefined,
): Promise<void> {
	const record = (await rows.get(id))?.record;
	if (record === undefined) return;
	const { retry: _retry, ...rest } = record;
	await rows.update((retry === undefined ? rest : { ...rest, retry }) as Record);
}
