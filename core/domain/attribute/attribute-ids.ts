import { isId, newId } from '../../model/ids';
import type { Random } from '../../base/random';
import type { AttributeRecord, StoredShareInfo } from '../../model/record/attribute';
import type { ReadTransaction } from '../../store/store';
import { matching } from '../query/conditions';

/*
 * Ids of shared attributes. Both sides name an attribute by one id, which one of them has chosen. A
 * record has that id itself, unless another record here has it: the own attribute of which it is a
 * copy, or an attribute that another peer has shared under the same id (docs/adr/0043).
 */

/** Id under which the peer of a shared attribute knows it, in every content between the two. */
export function idAtPeer({ id, shareInfo }: Pick<AttributeRecord, 'id' | 'shareInfo'>): string {
	return shareInfo?.sharedId ?? id;
}

/**
 * Finds the attribute that is shared with or by the peer under an id. Of several, which exist after
 * an attribute was deleted and shared again, a record that is not deleted comes first, else the
 * newest.
 *
 * @param idThere id in a content of the peer, or in one for the peer
 */
export async function findAtPeer(
	tx: ReadTransaction,
	peer: string,
	idThere: string,
): Promise<AttributeRecord | undefined> {
	return (await lookUp(tx, peer, idThere)).known;
}

interface Found {
	/** record whose own id it is, shared with the peer or not */
	readonly same: AttributeRecord | undefined;
	/** attribute that the peer knows under the id */
	readonly known: AttributeRecord | undefined;
}

async function lookUp(tx: ReadTransaction, peer: string, idThere: string): Promise<Found> {
	const same = (await tx.attributes.get(idThere))?.record;
	const direct = same?.shareInfo?.peer === peer && idAtPeer(same) === idThere ? same : undefined;
	if (direct !== undefined && !isGone(direct)) return { same, known: direct };
	const others = await tx.attributes.list({ where: matching({ sharedId: idThere, peer }) });
	const records = others.map(({ record }) => record);
	return { same, known: records.find((record) => !isGone(record)) ?? records.at(-1) ?? direct };
}

/** Ids of a new record. */
export interface RecordIds {
	readonly id: string;
	/** absent if it is `id` */
	readonly sharedId?: string;
}

/**
 * Chooses the ids of a record that the peer knows under an id. The peer cannot replace other data
 * by its choice: a record whose id is in use here gets another one.
 *
 * @returns undefined when the id is malformed, or the peer shares another attribute under it
 */
export async function idsFor(
	tx: ReadTransaction,
	peer: string,
	idThere: string,
	random: Random,
): Promise<RecordIds | undefined> {
	if (!isId('attribute', idThere)) return undefined;
	const { same, known } = await lookUp(tx, peer, idThere);
	if (known !== undefined && !isGone(known)) return undefined;
	return same === undefined
		? { id: idThere }
		: { id: newId('attribute', random), sharedId: idThere };
}

/** Replaces the id that this account would have chosen by the id that the peer has chosen. */
export function withIdAtPeer(
	{ sharedId: _own, ...shareInfo }: StoredShareInfo,
	{ sharedId }: RecordIds,
): StoredShareInfo {
	return sharedId === undefined ? shareInfo : { ...shareInfo, sharedId };
}

/** Tells whether the peer may share a new attribute under an id that it has chosen. */
export async function mayUse(tx: ReadTransaction, peer: string, idThere: string): Promise<boolean> {
	if (!isId('attribute', idThere)) return false;
	const known = await findAtPeer(tx, peer, idThere);
	return known === undefined || isGone(known);
}

const goneStates = ['DeletedByPeer', 'DeletedByOwner'];

/** Checks whether one side has deleted the attribute. */
export const isGone = ({ deletionInfo }: AttributeRecord): boolean =>
	goneStates.includes(deletionInfo?.deletionStatus ?? '');
