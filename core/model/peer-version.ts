import * as z from 'zod';

export const peerVersionSchema = z.literal([6, 7, 7.1, 7.2, 7.4, 7.5]);
/**
 * Version of a peer's wallet (docs/protocol/content.md 13.4): 6, or the earliest release of version
 * 7 that the wallet can have. Releases that add no content are left out.
 */
export type PeerVersion = z.infer<typeof peerVersionSchema>;

/** Generations of wallets; each has content types that the other does not know. */
export type Generation = 6 | 7;

/** Generation to which a version belongs; undefined while the version is not known. */
export function generationOf(version: PeerVersion | undefined): Generation | undefined {
	if (version === undefined) return undefined;
	return version === 6 ? 6 : 7;
}
