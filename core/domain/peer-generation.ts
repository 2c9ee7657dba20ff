import type { Generation, Writer } from '../model/content/generations';
import type { ReadTransaction, WriteTransaction } from '../store/store';
import { currentRelationship } from './current-relationship';

/**
 * Remembers of which generation the wallet of a peer is, once something that it wrote has told
 * (docs/protocol/content.md 13.4). What it writes now counts: wallets are updated, and a conclusion can
 * have been wrong. What version 7 does not write ends only the belief that it is one of version 7.
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

/** Undefined while nothing has told. */
export async function generationOfPeer(
	tx: ReadTransaction,
	peer: string,
): Promise<Generation | undefined> {
	return (await currentRelationship(tx, peer))?.record.peerGeneration;
}
