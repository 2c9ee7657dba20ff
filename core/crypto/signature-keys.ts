import { encodeBase64Url, encodeUtf8, decodeBase64Url } from '../base/encoding';
import type { Random } from '../base/random';
import { cryptoErrors } from './crypto-errors';
import type { Signature } from './json-forms';
import type { SignaturePrivateKey, SignaturePublicKey } from './keys';
import { encodeKey, keyBytes } from './keys';
import { sodium } from './sodium';

export type SignatureKeyPair = {
	readonly publicKey: SignaturePublicKey;
	readonly privateKey: SignaturePrivateKey;
};

/**
 * Values for `alg` of a signature, a label without effect on the computation; like official
 * software 2 for identity and device keys and 1 for relationship keys.
 */
export const signatureLabels = { identity: 2, device: 2, relationship: 1 } as const;
export type SignatureLabel = 1 | 2;

export function generateSignatureKeyPair(random: Random): SignatureKeyPair {
	const pair = sodium().crypto_sign_seed_keypair(random.bytes(32));
	return {
		publicKey: encodeKey(pair.publicKey),
		privateKey: encodeKey(pair.privateKey),
	};
}

/** Key pair of a private key, whose second half is the public key. */
export function signatureKeyPairOf(privateKey: SignaturePrivateKey): SignatureKeyPair {
	return { publicKey: encodeKey(keyBytes(privateKey).subarray(32)), privateKey };
}

/**
 * Signs content (text as UTF-8) with pure Ed25519. libsodium is used because importing a key takes
 * Node longer than libsodium needs to sign, and because libsodium refuses keys of small order.
 *
 * @throws `error.crypto.wrongBuffer` for empty content
 * @see docs/protocol/crypto-and-identity.md 2.3
 */
export function sign(
	content: string | Uint8Array,
	privateKey: SignaturePrivateKey,
	label: SignatureLabel,
): Signature {
	const signature = sodium().crypto_sign_detached(bytesToSign(content), keyBytes(privateKey));
	return { sig: encodeBase64Url(signature), alg: label };
}

/**
 * Verifies a signature and ignores its label.
 *
 * @throws `error.crypto.signature.verify` for a signature that is not 64 bytes of base64url
 * @throws `error.crypto.wrongBuffer` for empty content
 */
export function verify(
	content: string | Uint8Array,
	signature: Signature,
	publicKey: SignaturePublicKey,
): boolean {
	const bytes = decodeBase64Url(signature.sig);
	if (bytes?.length !== 64) {
		const message = `Expected a signature of 64 bytes, found ${bytes?.length ?? 'no base64url'}`;
		throw cryptoErrors.create('verify', { message });
	}
	return sodium().crypto_sign_verify_detached(bytes, bytesToSign(content), keyBytes(publicKey));
}

function bytesToSign(content: string | Uint8Array): Uint8Array {
	const bytes = typeof content === 'string' ? encodeUtf8(content) : content;
	if (bytes.length > 0) return bytes;
	throw cryptoErrors.create('emptyContent', { message: 'Expected content to sign, found none' });
}
