import type { Generation } from '../model/content/generations';
import type { ReadTransaction, WriteTransaction } from '../store/store';

/**
 * Remembers of which generation the wallet of a peer is, once something that it wrote has told
 * (docs/protocol/content.md 13). What it writes now counts: wallets are updated.
 */
export async function learnGeneration(
	tx: WriteTransaction,
	peer: string,
	generation: Generation | undefined,
): Promise<void> {
	if (generation === undefined) return;
	const newest = await tx.relationships.first(newestWith(peer));
	if (newest === undefined || newest.record.peerGeneration === generation) return;
	await tx.relationships.update({ ...newest.record, peerGeneration: generation });
}

/** Undefined while nothing has told. */
export async function generationOfPeer(
	tx: ReadTransaction,
	peer: string,
): Promise<Generation | undefined> {
	return (await tx.relationships.first(newestWith(peer)))?.record.peerGeneration;
}

const newestWith = (peer: string) =>
	({
		where: [{ field: 'peer', op: 'eq', value: peer }],
		orderBy: { field: 'inserted', direction: 'desc' },
	}) as const;
