import { parse } from '../base/schema-parse';
import type { PublicKeyJson } from './json-forms';
import { exchangePublicKeySchema, memberReader, nested, unreadable } from './json-forms';
import { signaturePublicKeySchema, writePublicKey } from './json-forms';
import type { ExchangePublicKey, Nonce, SignaturePublicKey } from './keys';
import { asNonce } from './keys';

/** Public part of a creation, from requestor to templator. */
export interface PublicRequest {
	readonly exchangeKey: ExchangePublicKey;
	readonly signatureKey: SignaturePublicKey;
	readonly ephemeralKey: ExchangePublicKey;
	/** base nonce of the requestor's transmissions */
	readonly nonce: Nonce;
}

/** Public part of an acceptance, from templator to requestor. */
export interface PublicResponse {
	readonly exchangeKey: ExchangePublicKey;
	readonly signatureKey: SignaturePublicKey;
	/** base nonce of the templator's transmissions */
	readonly nonce: Nonce;
}

export interface PublicRequestJson {
	readonly exc: PublicKeyJson;
	readonly sig: PublicKeyJson;
	readonly eph: PublicKeyJson;
	readonly nnc: string;
}

export interface PublicResponseJson {
	readonly exc: PublicKeyJson;
	readonly sig: PublicKeyJson;
	readonly sta: { readonly nnc: string; readonly alg: 3; readonly typ: 2 };
}

/** @see docs/protocol/crypto-and-identity.md 3 */
export function writePublicRequest(request: PublicRequest): PublicRequestJson {
	return {
		exc: writePublicKey(request.exchangeKey),
		sig: writePublicKey(request.signatureKey),
		eph: writePublicKey(request.ephemeralKey),
		nnc: request.nonce,
	};
}

/** @throws `error.crypto.wrongSerializedBuffer` and the codes of the keys inside */
export function readPublicRequest(value: unknown): PublicRequest {
	const member = memberReader(value, 'the public part of a relationship request');
	return {
		exchangeKey: parse(exchangePublicKeySchema, member('exc', 'exchangeKey')),
		signatureKey: parse(signaturePublicKeySchema, member('sig', 'signatureKey')),
		ephemeralKey: parse(exchangePublicKeySchema, member('eph', 'ephemeralKey')),
		nonce: asNonce(member('nnc', 'nonce')),
	};
}

export function writePublicResponse(response: PublicResponse): PublicResponseJson {
	return {
		exc: writePublicKey(response.exchangeKey),
		sig: writePublicKey(response.signatureKey),
		sta: { nnc: response.nonce, alg: 3, typ: 2 },
	};
}

/** @throws `error.crypto.wrongSerializedBuffer` and the codes of the keys inside */
export function readPublicResponse(value: unknown): PublicResponse {
	const member = memberReader(value, 'the public part of a relationship response');
	return {
		exchangeKey: parse(exchangePublicKeySchema, member('exc', 'exchangeKey')),
		signatureKey: parse(signaturePublicKeySchema, member('sig', 'signatureKey')),
		nonce: parse(publicStateSchema, member('sta', 'state')),
	};
}

const publicStateSchema = nested(['CryptoPublicState'], readPublicState);
export const publicRequestSchema = nested(['CryptoRelationshipPublicRequest'], readPublicRequest);
export const publicResponseSchema = nested(
	['CryptoRelationshipPublicResponse'],
	readPublicResponse,
);

/** Reads the nonce only; official readers accept either state type here. */
function readPublicState(value: unknown): Nonce {
	const member = memberReader(value, 'a public state');
	if (member('alg', 'algorithm') !== 3) throw unreadable('a public state of algorithm 3');
	return asNonce(member('nnc', 'nonce'));
}
