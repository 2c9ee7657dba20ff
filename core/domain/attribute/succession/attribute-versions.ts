import type { AttributeRecord } from '../../../model/record/attribute';
import type { AttributeField, FieldCondition, ReadTransaction } from '../../../store/store';
import { currentRelationship } from '../../current-relationship';
import { generationIn } from '../../peer-version';
import type { AttributeWriter } from '../attribute-writer';
import { matching } from '../../query/conditions';

/* Chains of versions, and the copies of these versions (docs/protocol/consumption.md 8.9, 8.10). */

/** Returns all predecessors, nearest first. */
export async function predecessorsOf(
	tx: ReadTransaction,
	record: AttributeRecord,
): Promise<AttributeRecord[]> {
	return await follow(tx, record, 'succeeds');
}

/** Returns all versions of the chain that contains the record, newest first. */
export async function versionsOf(
	tx: ReadTransaction,
	record: AttributeRecord,
): Promise<AttributeRecord[]> {
	const later = await follow(tx, record, 'succeededBy');
	return [...later.reverse(), record, ...(await follow(tx, record, 'succeeds'))];
}

/**
 * Follows the links of a chain up to a missing or already visited version, so that a damaged chain
 * causes neither an error nor an endless loop.
 */
async function follow(
	tx: ReadTransaction,
	record: AttributeRecord,
	link: 'succeeds' | 'succeededBy',
): Promise<AttributeRecord[]> {
	const seen = new Set([record.id]);
	const found: AttributeRecord[] = [];
	let id = record[link];
	while (id !== undefined && !seen.has(id)) {
		seen.add(id);
		const next = (await tx.attributes.get(id))?.record;
		if (next === undefined) break;
		found.push(next);
		id = next[link];
	}
	return found;
}

export interface SharedVersionsFilter {
	/** peers whose copies are included; absent: all peers */
	readonly peers?: readonly string[] | undefined;
	readonly onlyLatest: boolean;
}

/**
 * Returns the shared copies of any version of a repository or relationship attribute, copies of the
 * newest version first.
 */
export async function sharedVersionsOf(
	tx: ReadTransaction,
	record: AttributeRecord,
	{ peers, onlyLatest }: SharedVersionsFilter,
): Promise<AttributeRecord[]> {
	const versions = await versionsOf(tx, record);
	const where: Array<FieldCondition<AttributeField>> = [
		{ field: 'sourceAttribute', op: 'in', value: versions.map(({ id }) => id) },
		...(peers === undefined ? [] : matching({ peer: peers })),
		...(onlyLatest ? [{ field: 'succeededBy', op: 'missing' } as const] : []),
	];
	const copies = (await tx.attributes.list({ where })).map((entry) => entry.record);
	return versions.flatMap(({ id }) =>
		copies.filter(({ shareInfo }) => shareInfo?.sourceAttribute === id),
	);
}

const stillSharedStates = [undefined, 'DeletionRequestSent', 'DeletionRequestRejected'];

/** Checks whether the peer holds the copy and has not agreed to delete it. */
export function isStillShared({ deletionInfo }: AttributeRecord): boolean {
	return stillSharedStates.includes(deletionInfo?.deletionStatus);
}

/**
 * Returns the newest copy that the peer holds of any version of the attribute. With one id on both
 * sides, a copy that the peer is about to delete counts too: another one could not have another id.
 * A wallet of version 6 gives each copy an id, and takes nothing for a copy that it deletes.
 */
export async function newestSharedVersion(
	tx: ReadTransaction,
	record: AttributeRecord,
	peer: string,
	{ hasOneId }: Pick<AttributeWriter, 'hasOneId'>,
): Promise<AttributeRecord | undefined> {
	const shared = await sharedVersionsOf(tx, record, { peers: [peer], onlyLatest: true });
	const withDoomed = hasOneId && !(await givesIdsItself(tx, peer));
	return shared.find((copy) => isStillShared(copy) || (withDoomed && isAboutToBeDeleted(copy)));
}

/** Checks whether the peer has agreed to delete the copy, and has not done so yet. */
export function isAboutToBeDeleted({ deletionInfo }: AttributeRecord): boolean {
	return deletionInfo?.deletionStatus === 'ToBeDeletedByPeer';
}

/** Tells whether the wallet of the peer is known to be of version 6. */
export async function givesIdsItself(tx: ReadTransaction, peer: string): Promise<boolean> {
	return generationIn((await currentRelationship(tx, peer))?.record) === 6;
}
