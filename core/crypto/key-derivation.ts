import { encodeUtf8 } from '../base/encoding';
import type { SecretKey } from './keys';
import { encodeKey, keyBytes } from './keys';
import { sodium } from './sodium';

/** Derivation contexts of the protocol, of exactly eight characters each. */
export const derivationContexts = {
	/** key of the creation content */
	request: 'REQTMP01',
	requestorToTemplator: 'RELREQ01',
	templatorToRequestor: 'RELTEM01',
} as const;

/**
 * Derives a key with libsodium's `crypto_kdf` and 32 bytes of output.
 *
 * @param id 0 to 2147483647
 * @param context exactly eight characters
 * @throws TypeError for another context or id: both are constants of the program
 * @see docs/protocol/crypto-and-identity.md 2.6
 */
export function deriveKey(base: SecretKey, id: number, context: string): SecretKey {
	if (encodeUtf8(context).length !== 8) throw new TypeError('A context has eight bytes');
	if (!Number.isInteger(id) || id < 0 || id > 0x7fffffff) {
		throw new TypeError('A sub-key id is an integer from 0 to 2147483647');
	}
	const derived = sodium().crypto_kdf_derive_from_key(32, id, context, keyBytes(base));
	return encodeKey(derived);
}
