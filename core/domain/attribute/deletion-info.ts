import type { AttributeRecord, DeletionInfo } from '../../model/record/attribute';
import type { WriteTransaction } from '../../store/store';
import { attributeErrors } from './attribute-errors';
import { isOwnShared, isPeerShared, isThirdParty } from './attribute-kinds';
import { predecessorsOf } from './attribute-versions';

/** docs/protocol/consumption.md 7.3 */
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

const kinds: readonly KindOfCopy[] = [
	{
		isOfKind: isOwnShared,
		statuses: [
			'DeletionRequestSent',
			'DeletionRequestRejected',
			'ToBeDeletedByPeer',
			'DeletedByPeer',
		],
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
];

/**
 * Marks an attribute and the versions before it with what becomes of the copy on one of the sides;
 * no event tells of it. Answers the attribute as it is now.
 *
 * An attribute of a third party that is of another kind besides takes the statuses of both (ours,
 * consumption 7.3).
 *
 * @param spared says which versions stay as they are
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

/** Spares the versions that have one of these statuses. */
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
