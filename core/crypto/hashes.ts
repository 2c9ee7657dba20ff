import { createHash, type Hash } from 'node:crypto';

export function sha512(content: Uint8Array): Uint8Array {
	return new Uint8Array(createHash('sha512').update(content).digest());
}

/** For content that comes in pieces. */
export function startSha512(): Hash {
	return createHash('sha512');
}
