import type { Random } from '../base/random';
import type { ExchangeKeyPair } from './exchange-keys';
import { exchangeAsRequestor, exchangeAsTemplator, generateExchangeKeyPair } from './exchange-keys';
import { derivationContexts, deriveKey } from './key-derivation';
import type { ExchangePublicKey, Nonce, SecretKey, SignaturePublicKey } from './keys';
import { encodeKey } from './keys';
import type { PublicRequest, PublicResponse } from './relationship-public-parts';
import type { SignatureKeyPair } from './signature-keys';
import { generateSignatureKeyPair } from './signature-keys';
import type { Transmission } from './transmission';

/*
 * Secrets of a relationship, as plain JSON values that are stored sealed. All key pairs except the
 * template's are generated per relationship; established secrets never change.
 *
 * Source: docs/protocol/crypto-and-identity.md 6
 */

/** Secrets that the requestor stores between sending the creation and its acceptance. */
export type RequestSecrets = {
	readonly exchange: ExchangeKeyPair;
	readonly ephemeral: ExchangeKeyPair;
	readonly signature: SignatureKeyPair;
	/** base nonce of own transmissions */
	readonly nonce: Nonce;
	/** key of the creation content */
	readonly requestKey: SecretKey;
	readonly peerTemplateKey: ExchangePublicKey;
	readonly peerIdentityKey: SignaturePublicKey;
};

/** Secrets of an established relationship, for both directions and both sides. */
export type RelationshipSecrets = {
	readonly role: 'templator' | 'requestor';
	readonly exchange: ExchangeKeyPair;
	readonly signature: SignatureKeyPair;
	readonly transmit: Transmission;
	readonly receive: Transmission;
	/** key of the creation content, kept to read it again */
	readonly requestKey: SecretKey;
	readonly peerExchangeKey: ExchangePublicKey;
	readonly peerSignatureKey: SignaturePublicKey;
};

/** Generates the requestor's secrets before sending (docs/protocol/crypto-and-identity.md 6.1). */
export function createRequestSecrets(
	peerTemplateKey: ExchangePublicKey,
	peerIdentityKey: SignaturePublicKey,
	random: Random,
): RequestSecrets {
	const ephemeral = generateExchangeKeyPair(random);
	const exchange = generateExchangeKeyPair(random);
	const signature = generateSignatureKeyPair(random);
	const nonce = generateNonce(random);
	const shared = exchangeAsRequestor(ephemeral, peerTemplateKey);
	const requestKey = deriveKey(shared.transmit, 1, derivationContexts.request);
	return { exchange, ephemeral, signature, nonce, requestKey, peerTemplateKey, peerIdentityKey };
}

/** Public part of the request secrets, sent in clear text beside the creation content. */
export function publicRequestOf(secrets: RequestSecrets): PublicRequest {
	return {
		exchangeKey: secrets.exchange.publicKey,
		signatureKey: secrets.signature.publicKey,
		ephemeralKey: secrets.ephemeral.publicKey,
		nonce: secrets.nonce,
	};
}

/**
 * Derives the key of a creation content, for the owner of the template's key pair
 * (docs/protocol/crypto-and-identity.md 6.2, step 2).
 */
export function requestKeyForTemplator(
	publicRequest: PublicRequest,
	templatePair: ExchangeKeyPair,
): SecretKey {
	const shared = exchangeAsTemplator(templatePair, publicRequest.ephemeralKey);
	return deriveKey(shared.receive, 1, derivationContexts.request);
}

/**
 * Creates the templator's secrets on receiving the creation (docs/protocol/crypto-and-identity.md
 * 6.2). Called once, when the pending relationship is first seen; the acceptance uses the stored
 * secrets.
 *
 * @throws `error.crypto.exchange.keyDerivation`
 */
export function createTemplatorSecrets(
	publicRequest: PublicRequest,
	templatePair: ExchangeKeyPair,
	random: Random,
): RelationshipSecrets {
	const exchange = generateExchangeKeyPair(random);
	const signature = generateSignatureKeyPair(random);
	const shared = exchangeAsTemplator(exchange, publicRequest.exchangeKey);
	return {
		role: 'templator',
		exchange,
		signature,
		transmit: {
			key: deriveKey(shared.transmit, 1, derivationContexts.templatorToRequestor),
			nonce: generateNonce(random),
		},
		receive: {
			key: deriveKey(shared.receive, 1, derivationContexts.requestorToTemplator),
			nonce: publicRequest.nonce,
		},
		requestKey: requestKeyForTemplator(publicRequest, templatePair),
		peerExchangeKey: publicRequest.exchangeKey,
		peerSignatureKey: publicRequest.signatureKey,
	};
}

/** Public part of the templator's secrets, sent in clear text beside the acceptance. */
export function publicResponseOf(secrets: RelationshipSecrets): PublicResponse {
	return {
		exchangeKey: secrets.exchange.publicKey,
		signatureKey: secrets.signature.publicKey,
		nonce: secrets.transmit.nonce,
	};
}

/**
 * Completes the requestor's secrets after the acceptance (docs/protocol/crypto-and-identity.md
 * 6.3).
 *
 * @throws `error.crypto.exchange.keyDerivation`
 */
export function completeRequestorSecrets(
	request: RequestSecrets,
	publicResponse: PublicResponse,
): RelationshipSecrets {
	const shared = exchangeAsRequestor(request.exchange, publicResponse.exchangeKey);
	return {
		role: 'requestor',
		exchange: request.exchange,
		signature: request.signature,
		transmit: {
			key: deriveKey(shared.transmit, 1, derivationContexts.requestorToTemplator),
			nonce: request.nonce,
		},
		receive: {
			key: deriveKey(shared.receive, 1, derivationContexts.templatorToRequestor),
			nonce: publicResponse.nonce,
		},
		requestKey: request.requestKey,
		peerExchangeKey: publicResponse.exchangeKey,
		peerSignatureKey: publicResponse.signatureKey,
	};
}

function generateNonce(random: Random): Nonce {
	return encodeKey(random.bytes(24));
}
