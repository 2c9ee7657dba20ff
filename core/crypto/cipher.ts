/**
 * What encryption returns, as it is stored and sent (docs/protocol/crypto-and-identity.md 2.4, 7).
 */
export interface Cipher {
	/** base64url of the ciphertext and its tag */
	readonly cph: string;
	readonly alg: 3;
	/** exactly one of nonce and counter is present */
	readonly nnc?: string;
	readonly cnt?: number;
}

/** The highest counter; a direction that has used it can never encrypt again. */
export const maxCounter = 0xffffffff;
