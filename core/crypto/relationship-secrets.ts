import { encodeBase64Url } from '../base/encoding';
import type { Random } from '../base/random';
import type { ExchangeKeyPair } from './exchange-keys';
import { exchangeAsRequestor, exchangeAsTemplator, generateExchangeKeyPair } from './exchange-keys';
import { derivationContexts, deriveKey } from './key-derivation';
import type { ExchangePublicKey, Nonce, SecretKey, SignaturePublicKey } from './keys';
import type { PublicRequest, PublicResponse } from './relationship-public-parts';
import type { SignatureKeyPair } from './signature-keys';
import { generateSignatureKeyPair } from './signature-keys';
import type { Transmission } from './transmission';

/*
 * The secrets of a relationship, as plain JSON values that are stored sealed. All pairs but the
 * template's are made per relationship; nothing here ever changes once it is established.
 *
 * Source: docs/protocol/crypto-and-identity.md 6
 */

/** What the requestor keeps between sending the creation and its acceptance. */
export type RequestSecrets = {
	readonly exchange: ExchangeKeyPair;
	readonly ephemeral: ExchangeKeyPair;
	readonly signature: SignatureKeyPair;
	/** base nonce of our transmissions */
	readonly nonce: Nonce;
	/** key of the creation content */
	readonly requestKey: SecretKey;
	readonly peerTemplateKey: ExchangePublicKey;
	readonly peerIdentityKey: SignaturePublicKey;
};

/** Both directions, from either end. */
export type RelationshipSecrets = {
	readonly role: 'templator' | 'requestor';
	readonly exchange: ExchangeKeyPair;
	readonly signature: SignatureKeyPair;
	readonly transmit: Transmission;
	readonly receive: Transmission;
	/** key of the creation content, to read it again */
	readonly requestKey: SecretKey;
	readonly peerExchangeKey: ExchangePublicKey;
	readonly peerSignatureKey: SignaturePublicKey;
};

/** Requestor, before sending (6.1). */
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

/** The part of the request secrets that travels in clear beside the creation content. */
export function publicRequestOf(secrets: RequestSecrets): PublicRequest {
	return {
		exchangeKey: secrets.exchange.publicKey,
		signatureKey: secrets.signature.publicKey,
		ephemeralKey: secrets.ephemeral.publicKey,
		nonce: secrets.nonce,
	};
}

/** The key of a creation content, for the owner of the template pair (6.2 step 2). */
export function requestKeyForTemplator(
	publicRequest: PublicRequest,
	templatePair: ExchangeKeyPair,
): SecretKey {
	const shared = exchangeAsTemplator(templatePair, publicRequest.ephemeralKey);
	return deriveKey(shared.receive, 1, derivationContexts.request);
}

/**
 * Templator, on receiving the creation (6.2). Make them once, when the pending relationship is first
 * seen, and use the stored ones for the acceptance.
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

/** The part of the templator's secrets that travels in clear beside the acceptance. */
export function publicResponseOf(secrets: RelationshipSecrets): PublicResponse {
	return {
		exchangeKey: secrets.exchange.publicKey,
		signatureKey: secrets.signature.publicKey,
		nonce: secrets.transmit.nonce,
	};
}

/**
 * Requestor, after the acceptance (6.3).
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
	return encodeBase64Url(random.bytes(24)) as Nonce;
}
