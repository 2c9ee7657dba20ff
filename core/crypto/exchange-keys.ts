import type { Random } from '../base/random';
import { cryptoErrors } from './crypto-errors';
import type { ExchangePrivateKey, ExchangePublicKey, SecretKey } from './keys';
import { encodeKey, keyBytes } from './keys';
import { sodium } from './sodium';

export type ExchangeKeyPair = {
	readonly publicKey: ExchangePublicKey;
	readonly privateKey: ExchangePrivateKey;
};

/** Keys per direction, from the point of view of the computing side. */
export interface SharedKeys {
	readonly receive: SecretKey;
	readonly transmit: SecretKey;
}

export function generateExchangeKeyPair(random: Random): ExchangeKeyPair {
	return exchangeKeyPairOf(encodeKey(random.bytes(32)));
}

export function exchangeKeyPairOf(privateKey: ExchangePrivateKey): ExchangeKeyPair {
	const publicKey = sodium().crypto_scalarmult_base(keyBytes(privateKey));
	return { publicKey: encodeKey(publicKey), privateKey };
}

/**
 * Derives the templator's keys; the templator always has the client's role in libsodium's kx.
 *
 * @throws `error.crypto.exchange.keyDerivation` for an unusable public key
 * @see docs/protocol/crypto-and-identity.md 2.5
 */
export function exchangeAsTemplator(own: ExchangeKeyPair, peer: ExchangePublicKey): SharedKeys {
	return sharedKeys('crypto_kx_client_session_keys', own, peer);
}

/**
 * Derives the requestor's keys; the requestor always has the server's role.
 *
 * @throws `error.crypto.exchange.keyDerivation` for an unusable public key
 */
export function exchangeAsRequestor(own: ExchangeKeyPair, peer: ExchangePublicKey): SharedKeys {
	return sharedKeys('crypto_kx_server_session_keys', own, peer);
}

function sharedKeys(
	side: 'crypto_kx_client_session_keys' | 'crypto_kx_server_session_keys',
	own: ExchangeKeyPair,
	peer: ExchangePublicKey,
): SharedKeys {
	try {
		const keys = sodium()[side](keyBytes(own.publicKey), keyBytes(own.privateKey), keyBytes(peer));
		return {
			receive: encodeKey(keys.sharedRx),
			transmit: encodeKey(keys.sharedTx),
		};
	} catch (cause) {
		const message = 'Expected a public key that takes part in a key exchange, found a weak one';
		throw cryptoErrors.create('keyExchange', { message, cause });
	}
}
