import type { AttributeRecord, DeletionInfo } from '../../model/record/attribute';
import type { WriteTransaction } from '../../store/store';
import { attributeErrors } from './attribute-errors';
import {
	isForwarded,
	isForwardedByPeer,
	isOwnShared,
	isPeerShared,
	isThirdParty,
} from './attribute-kinds';
import { predecessorsOf } from './succession/attribute-versions';

/** Deletion statuses of a shared attribute (docs/protocol/consumption.md 7.3). */
export type DeletionStatus =
	| 'DeletionRequestSent'
	| 'DeletionRequestRejected'
	| 'ToBeDeletedByPeer'
	| 'DeletedByPeer'
	| 'ToBeDeleted'
	| 'DeletedByOwner';

export interface DeletionMark extends DeletionInfo {
	readonly deletionStatus: DeletionStatus;
}

interface KindOfCopy {
	readonly isOfKind: (record: AttributeRecord, ownAddress: string) => boolean;
	readonly statuses: readonly DeletionStatus[];
	readonly problem:
		| 'invalidDeletionInfoOfOwnShared'
		| 'invalidDeletionInfoOfPeerShared'
		| 'invalidDeletionInfoOfThirdParty';
}

const statusesAtPeer: readonly DeletionStatus[] = [
	'DeletionRequestSent',
	'DeletionRequestRejected',
	'ToBeDeletedByPeer',
	'DeletedByPeer',
];

const kinds: readonly KindOfCopy[] = [
	{
		isOfKind: isOwnShared,
		statuses: statusesAtPeer,
		problem: 'invalidDeletionInfoOfOwnShared',
	},
	{
		isOfKind: isPeerShared,
		statuses: ['ToBeDeleted', 'DeletedByOwner'],
		problem: 'invalidDeletionInfoOfPeerShared',
	},
	{
		isOfKind: isThirdParty,
		statuses: ['DeletedByPeer'],
		problem: 'invalidDeletionInfoOfThirdParty',
	},
	/* In version 7 the deletion of forwarded attributes can be requested, of any owner. */
	{
		isOfKind: isForwarded,
		statuses: statusesAtPeer,
		problem: 'invalidDeletionInfoOfThirdParty',
	},
	{
		isOfKind: isForwardedByPeer,
		statuses: ['ToBeDeleted'],
		problem: 'invalidDeletionInfoOfThirdParty',
	},
];

/**
 * Records the state of the copy on one side on the attribute and its predecessors; publishes no
 * event. Returns the updated attribute.
 *
 * An attribute of a third party that also belongs to another kind accepts the statuses of both
 * kinds (own decision, consumption 7.3).
 *
 * @param spared selects the versions that stay unchanged
 * @throws `error.consumption.attributes.cannotSetDeletionInfoOfRepositoryAttributes`,
 * `error.consumption.attributes.invalidDeletionInfoOf…`
 */
export async function markDeletion(
	tx: WriteTransaction,
	record: AttributeRecord,
	mark: DeletionMark,
	ownAddress: string,
	spared: (version: AttributeRecord) => boolean = () => false,
): Promise<AttributeRecord> {
	requireAllowed(record, mark.deletionStatus, ownAddress);
	for (const version of [record, ...(await predecessorsOf(tx, record))]) {
		if (!spared(version)) await tx.attributes.update({ ...version, deletionInfo: mark });
	}
	return spared(record) ? record : { ...record, deletionInfo: mark };
}

/** Selects the versions with one of these statuses, which {@link markDeletion} leaves unchanged. */
export const unless =
	(...statuses: readonly DeletionStatus[]) =>
	({ deletionInfo }: AttributeRecord): boolean =>
		(statuses as readonly string[]).includes(deletionInfo?.deletionStatus ?? '');

function requireAllowed(record: AttributeRecord, status: DeletionStatus, ownAddress: string): void {
	const fitting = kinds.filter(({ isOfKind }) => isOfKind(record, ownAddress));
	if (fitting.some(({ statuses }) => statuses.includes(status))) return;
	throw attributeErrors.create(fitting[0]?.problem ?? 'deletionInfoOfRepository', {
		message: `The attribute '${record.id}' cannot be marked as '${status}'.`,
		facts: { attributeId: record.id },
	});
}
