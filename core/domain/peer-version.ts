import { versionAfter, type Evidence } from '../model/content/version-evidence';
import { generationOf, type Generation, type PeerVersion } from '../model/peer-version';
import type { RelationshipRecord } from '../model/record/relationship';
import type { ReadTransaction, WriteTransaction } from '../store/store';
import { currentRelationship } from './current-relationship';

/**
 * Records what content from a peer shows about the version of its wallet
 * (docs/protocol/content.md 13.4). The latest content decides: wallets are updated, and an earlier
 * conclusion can be wrong.
 *
 * @param known current relationship with the peer, if this transaction has read it
 */
export async function learnVersion(
	tx: WriteTransaction,
	peer: string,
	evidence: Evidence | undefined,
	known?: RelationshipRecord,
): Promise<void> {
	if (evidence === undefined) return;
	const current = known ?? (await currentRelationship(tx, peer))?.record;
	if (current === undefined) return;
	const before = versionIn(current);
	const version = versionAfter(before, evidence);
	if (version === before) return;
	const { peerVersion: _before, ...rest } = current;
	await tx.relationships.update({
		...rest,
		...(version === undefined ? {} : { peerVersion: version }),
	});
}

/** Returns the recorded version; undefined while no content has shown it. */
export function versionIn(record: RelationshipRecord | undefined): PeerVersion | undefined {
	return record?.peerVersion;
}

/** Returns the generation of the recorded version. */
export function generationIn(record: RelationshipRecord | undefined): Generation | undefined {
	return generationOf(versionIn(record));
}

/**
 * Returns the generation in whose form a peer is notified. An account that is served as version 7
 * takes a peer of unknown version for one of version 7, as official software of that version does.
 */
export function notifiedGeneration(
	record: RelationshipRecord | undefined,
	{ hasOneId }: { readonly hasOneId: boolean },
): Generation | undefined {
	return generationIn(record) ?? (hasOneId ? 7 : undefined);
}

/** Returns the recorded version of a peer; undefined while no content has shown it. */
export async function versionOfPeer(
	tx: ReadTransaction,
	peer: string,
): Promise<PeerVersion | undefined> {
	return versionIn((await currentRelationship(tx, peer))?.record);
}
