import type { ExchangeKeyPair } from '../../../core/crypto/exchange-keys';
import {
	asExchangePrivateKey,
	asExchangePublicKey,
	asNonce,
	asSecretKey,
	asSignaturePrivateKey,
	asSignaturePublicKey,
} from '../../../core/crypto/keys';
import type {
	RelationshipSecrets,
	RequestSecrets,
} from '../../../core/crypto/relationship-secrets';
import type { SignatureKeyPair } from '../../../core/crypto/signature-keys';
import { bytesOf, scriptedRandom } from './vector-files';
import type { Random } from '../../../core/base/random';

/* The at-rest forms of the official library, as they stand in the vectors, in our own form. */
export interface OfficialPair {
	pub: { pub: string };
	prv: { prv: string };
}

export interface OfficialRequestSecrets {
	eph: OfficialPair;
	exc: OfficialPair;
	sig: OfficialPair;
	key: { key: string };
	nnc: string;
	pik: { pub: string };
	pxk: { pub: string };
}

export interface OfficialState {
	key: string;
	nnc: string;
	cnt: number;
}

export interface OfficialSecrets {
	exc: OfficialPair;
	sig: OfficialPair;
	psk: { pub: string };
	pxk: { pub: string };
	rsk: { key: string };
	rx: OfficialState;
	tx: OfficialState;
	typ: 1 | 2;
}

export const exchangePair = (pair: OfficialPair): ExchangeKeyPair => ({
	publicKey: asExchangePublicKey(pair.pub.pub),
	privateKey: asExchangePrivateKey(pair.prv.prv),
});

export const signaturePair = (pair: OfficialPair): SignatureKeyPair => ({
	publicKey: asSignaturePublicKey(pair.pub.pub),
	privateKey: asSignaturePrivateKey(pair.prv.prv),
});

export const requestSecrets = (official: OfficialRequestSecrets): RequestSecrets => ({
	exchange: exchangePair(official.exc),
	ephemeral: exchangePair(official.eph),
	signature: signaturePair(official.sig),
	nonce: asNonce(official.nnc),
	requestKey: asSecretKey(official.key.key),
	peerTemplateKey: asExchangePublicKey(official.pxk.pub),
	peerIdentityKey: asSignaturePublicKey(official.pik.pub),
});

export const relationshipSecrets = (official: OfficialSecrets): RelationshipSecrets => ({
	role: official.typ === 1 ? 'templator' : 'requestor',
	exchange: exchangePair(official.exc),
	signature: signaturePair(official.sig),
	transmit: { key: asSecretKey(official.tx.key), nonce: asNonce(official.tx.nnc) },
	receive: { key: asSecretKey(official.rx.key), nonce: asNonce(official.rx.nnc) },
	requestKey: asSecretKey(official.rsk.key),
	peerExchangeKey: asExchangePublicKey(official.pxk.pub),
	peerSignatureKey: asSignaturePublicKey(official.psk.pub),
});

export const seedOf = (pair: OfficialPair): Uint8Array => bytesOf(pair.prv.prv).slice(0, 32);

/** The random values that lead createRequestSecrets to these secrets. */
export const randomOfRequest = (official: OfficialRequestSecrets): Random =>
	scriptedRandom(
		bytesOf(official.eph.prv.prv),
		bytesOf(official.exc.prv.prv),
		seedOf(official.sig),
		bytesOf(official.nnc),
	);

/** The random values that lead createTemplatorSecrets to these secrets. */
export const randomOfTemplator = (official: OfficialSecrets): Random =>
	scriptedRandom(bytesOf(official.exc.prv.prv), seedOf(official.sig), bytesOf(official.tx.nnc));
