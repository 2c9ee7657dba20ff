import type { Generation, Writer } from '../model/content/generations';
import type { ReadTransaction, WriteTransaction } from '../store/store';
import { currentRelationship } from './current-relationship';

/**
 * Records the generation of a peer's wallet, once content from the peer reveals it
 * (docs/protocol/content.md 13.4). The latest content decides: wallets are updated, and an earlier
 * conclusion can be wrong. Content that version 7 does not write only clears a recorded version 7.
 */
export async function learnGeneration(
	tx: WriteTransaction,
	peer: string,
	writer: Writer | undefined,
): Promise<void> {
	if (writer === undefined) return;
	const current = (await currentRelationship(tx, peer))?.record;
	if (current === undefined) return;
	const { peerGeneration: known, ...rest } = current;
	if (writer === 'not7') {
		if (known === 7) await tx.relationships.update(rest);
	} else if (writer !== known) {
		await tx.relationships.update({ ...rest, peerGeneration: writer });
	}
}

/** Returns the recorded generation; undefined while no content has revealed it. */
export async function generationOfPeer(
	tx: ReadTransaction,
	peer: string,
): Promise<Generation | undefined> {
	return (await currentRelationship(tx, peer))?.record.peerGeneration;
}
