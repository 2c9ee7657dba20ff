import { createHash } from 'node:crypto';

/** Recognises a peer whom we have left without naming it (docs/protocol/transport.md 6.4). */
export function markOfPeer(address: string): string {
	return createHash('sha256').update(address).digest('base64url');
}
