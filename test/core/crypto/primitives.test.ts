import {
	decodeBase64,
	decodeBase64Url,
	encodeBase64,
	encodeBase64Url,
	encodeUtf8,
} from '../../../core/base/encoding';
import { systemRandom } from '../../../core/base/random';
import { exchangeAsRequestor, exchangeAsTemplator } from '../../../core/crypto/exchange-keys';
import { exchangeKeyPairOf, generateExchangeKeyPair } from '../../../core/crypto/exchange-keys';
import { sha512 } from '../../../core/domain/file/file-envelope';
import type { Cipher } from '../../../core/crypto/cipher';
import type { Signature } from '../../../core/crypto/json-forms';
import {
	readCipher,
	readCipherField,
	readSecretKey,
	readSignature,
	readSignatureField,
	readSignaturePublicKey,
	writeCipherField,
	writePublicKey,
	writePublicKeyDto,
	writePublicKeyField,
	writeSecretKey,
	writeSignatureField,
} from '../../../core/crypto/json-forms';
import { deriveKey } from '../../../core/crypto/key-derivation';
import {
	asExchangePrivateKey,
	asNonce,
	asSecretKey,
	asSignaturePrivateKey,
	asSignaturePublicKey,
} from '../../../core/crypto/keys';
import { decrypt, encrypt } from '../../../core/crypto/secret-key';
import {
	generateSignatureKeyPair,
	sign,
	signatureKeyPairOf,
	verify,
} from '../../../core/crypto/signature-keys';
import { loadSodium } from '../../../core/crypto/sodium';
import {
	counterNonce,
	decryptWithCounter,
	encryptWithCounter,
} from '../../../core/crypto/transmission';
import { writeBase64Form } from '../../../core/crypto/wire-json';
import { bytesOf, codeThrownBy, hexOf, jsonOf, scriptedRandom, textOfForm } from './vector-files';
import { readVectors } from '../../support/vectors';
import { itReadsItsVectors } from '../../support/reads-its-vectors';

interface CryptoVectors {
	base64: {
		encode: Array<{
			hex: string;
			urlNoPadding: string;
			standardPadded: string;
			standardNoPadding: string;
		}>;
		decodeUrl: Array<{ input: string; valid: boolean; hex?: string }>;
		decodeStandard: Array<{ input: string; valid: boolean; hex?: string }>;
	};
	hashes: Array<{ utf8: string; sha256Hex: string; sha512Hex: string }>;
	signatureKeys: Array<{
		id: string;
		seed: string;
		publicKey: string;
		privateKey64: string;
		publicKeyJson: string;
		publicKeyJsonWithType: string;
		publicKeyBase64WithType: string;
		publicKeyBase64WithoutType: string;
		privateKeyJsonWithType: string;
		keypairJsonWithType: string;
	}>;
	signatureKeysInvalid: Array<{ description: string; json: unknown; error: string }>;
	signatures: Array<{
		description?: string;
		key: string;
		messageUtf8: string;
		alg: 1 | 2;
		signature: string;
		json?: string;
		jsonWithType?: string;
		base64WithType?: string;
		base64WithoutType?: string;
		valid: boolean;
		result?: false | string;
	}>;
	encryption: Array<{
		description?: string;
		key: string;
		keyJson?: string;
		keyJsonWithType?: string;
		keyBase64WithType?: string;
		nonce: string;
		plaintextUtf8: string;
		ciphertext: string;
		json: string;
		jsonWithType: string;
		base64WithType: string;
		cipherJson?: unknown;
		valid: boolean;
		error?: string;
	}>;
	secretKeysInvalid: Array<{ description: string; json: unknown; error: string }>;
	counterNonces: Array<{
		baseNonceHex: string;
		counter: number;
		effectiveNonceHex: string;
		key: string;
		plaintextUtf8: string;
		ciphertext: string;
		cipherJson: string;
		valid: boolean;
		error?: string;
	}>;
	keyExchange: Array<{
		requestorKeypairJson: string;
		requestorPublicKeyBase64WithType: string;
		templatorKeypairJson: string;
		requestor: OfficialExchange;
		templator: OfficialExchange;
	}>;
	keyDerivation: Array<{
		baseKey: string;
		keyId: number;
		context: string;
		derivedKey?: string;
		valid: boolean;
	}>;
}

interface OfficialExchange {
	receivingKey: string;
	transmissionKey: string;
	json: string;
}

const vectors = readVectors<CryptoVectors & Record<string, unknown>>('crypto.json');
const keyNamed = (id: string): CryptoVectors['signatureKeys'][number] => {
	const key = vectors.signatureKeys.find((candidate) => candidate.id === id);
	if (key === undefined) throw new Error(`No key ${id} in the vectors`);
	return key;
};

beforeAll(loadSodium);

describe('base64', () => {
	it.each(vectors.base64.encode)('writes $hex in both alphabets', (vector) => {
		const bytes = hexOf(vector.hex);
		expect(encodeBase64Url(bytes)).toBe(vector.urlNoPadding);
		expect(encodeBase64(bytes)).toBe(vector.standardPadded);
		expect(encodeBase64(bytes).replace(/=+$/, '')).toBe(vector.standardNoPadding);
	});

	it.each(vectors.base64.decodeUrl)('decides that base64url %j is valid or not', (vector) => {
		expect(decodeBase64Url(vector.input)).toEqual(
			vector.valid ? hexOf(vector.hex ?? '') : undefined,
		);
	});

	it.each(vectors.base64.decodeStandard)('decides that base64 %j is valid or not', (vector) => {
		expect(decodeBase64(vector.input)).toEqual(vector.valid ? hexOf(vector.hex ?? '') : undefined);
	});
});

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

describe('hashes', () => {
	it.each(vectors.hashes)('are computed of $utf8', ({ utf8, sha512Hex }) => {
		expect(hex(sha512(encodeUtf8(utf8)))).toBe(sha512Hex);
	});
});

describe('signature keys', () => {
	it.each(vectors.signatureKeys)('$id is made from its seed', (vector) => {
		const pair = generateSignatureKeyPair(scriptedRandom(bytesOf(vector.seed)));
		expect(pair).toEqual({ publicKey: vector.publicKey, privateKey: vector.privateKey64 });
		expect(signatureKeyPairOf(pair.privateKey)).toEqual(pair);
	});

	it.each(vectors.signatureKeys)('$id is written and read in all forms', (vector) => {
		const publicKey = asSignaturePublicKey(vector.publicKey);
		expect(JSON.stringify(writePublicKey(publicKey))).toBe(vector.publicKeyJson);
		expect(writePublicKeyField(publicKey)).toBe(vector.publicKeyBase64WithType);
		expect(writePublicKeyDto(publicKey)).toBe(vector.publicKeyBase64WithoutType);
		expect(readSignaturePublicKey(jsonOf(vector.publicKeyJsonWithType))).toBe(publicKey);
		expect(readSignaturePublicKey({ publicKey: vector.publicKey, algorithm: 3 })).toBe(publicKey);
	});

	it.each(vectors.signatureKeys)('$id stands in the official at-rest forms', (vector) => {
		const single = jsonOf<{ prv: string }>(vector.privateKeyJsonWithType);
		const pair = jsonOf<{ pub: { pub: string }; prv: { prv: string } }>(vector.keypairJsonWithType);
		const privateKey = asSignaturePrivateKey(single.prv);
		expect(pair.prv.prv).toBe(privateKey);
		expect(pair.pub.pub).toBe(signatureKeyPairOf(privateKey).publicKey);
	});

	/* Only the fact of rejection is promised where the official code names another mistake. */
	const otherCodes: Record<string, string> = {
		'standard base64 with padding': 'error.crypto.wrongSerializedBuffer',
		'public key missing': 'error.crypto.wrongSerializedBuffer',
	};

	it.each(vectors.signatureKeysInvalid)('are refused: $description', (vector) => {
		expect(codeThrownBy(() => readSignaturePublicKey(vector.json))).toBe(
			otherCodes[vector.description] ?? vector.error,
		);
	});
});

describe('signatures', () => {
	const valid = vectors.signatures.filter((vector) => vector.valid);
	const invalid = vectors.signatures.filter((vector) => !vector.valid);

	it.each(valid)('by $key with label $alg are made and verified', (vector) => {
		const key = keyNamed(vector.key);
		const signature = sign(vector.messageUtf8, asSignaturePrivateKey(key.privateKey64), vector.alg);
		expect(signature.sig).toBe(vector.signature);
		expect(JSON.stringify(signature)).toBe(vector.json);
		expect(readSignature(jsonOf(vector.jsonWithType ?? ''))).toEqual(signature);
		expect(textOfForm(writeSignatureField(signature))).toBe(vector.jsonWithType);
		expect(writeSignatureField(signature)).toBe(vector.base64WithType);
		expect(writeBase64Form(signature)).toBe(vector.base64WithoutType);
		expect(readSignatureField(vector.base64WithType ?? '')).toEqual(signature);
		const publicKey = asSignaturePublicKey(key.publicKey);
		expect(verify(vector.messageUtf8, signature, publicKey)).toBe(true);
	});

	it.each(invalid)('are refused: $description', (vector) => {
		const signature: Signature = { sig: vector.signature, alg: vector.alg };
		const publicKey = asSignaturePublicKey(keyNamed(vector.key).publicKey);
		const work = (): boolean => verify(vector.messageUtf8, signature, publicKey);
		if (vector.result === false) expect(work()).toBe(false);
		else expect(codeThrownBy(work)).toBe(vector.result);
	});

	it.each([0, 4, '2', null, undefined])('with label %j are not readable', (alg) => {
		const sig = vectors.signatures[0]?.signature;
		expect(codeThrownBy(() => readSignature({ sig, alg }))).toBe(
			'error.crypto.hash.wrongHashAlgorithm',
		);
	});

	it('need content', () => {
		const pair = generateSignatureKeyPair(systemRandom);
		const signature = sign('a', pair.privateKey, 2);
		expect(codeThrownBy(() => sign('', pair.privateKey, 2))).toBe('error.crypto.wrongBuffer');
		expect(codeThrownBy(() => verify('', signature, pair.publicKey))).toBe(
			'error.crypto.wrongBuffer',
		);
	});
});

describe('encryption', () => {
	const valid = vectors.encryption.filter((vector) => vector.valid);
	const invalid = vectors.encryption.filter((vector) => !vector.valid);

	it.each(valid)('of $plaintextUtf8 gives the official cipher', (vector) => {
		const key = asSecretKey(vector.key);
		const cipher = encrypt(key, vector.plaintextUtf8, scriptedRandom(bytesOf(vector.nonce)));
		expect(cipher.cph).toBe(vector.ciphertext);
		expect(JSON.stringify(cipher)).toBe(vector.json);
		expect(writeCipherField(cipher)).toBe(vector.base64WithType);
		expect(textOfForm(writeCipherField(cipher))).toBe(vector.jsonWithType);
		const read = readCipherField(vector.base64WithType);
		expect(decrypt(key, read)).toEqual(encodeUtf8(vector.plaintextUtf8));
	});

	it.each(valid)('key of $plaintextUtf8 is written and read', (vector) => {
		const key = asSecretKey(vector.key);
		expect(JSON.stringify(writeSecretKey(key))).toBe(vector.keyJson);
		expect(writeBase64Form(writeSecretKey(key), 'CryptoSecretKey')).toBe(vector.keyBase64WithType);
		expect(readSecretKey(jsonOf(vector.keyJsonWithType ?? ''))).toBe(key);
		expect(readSecretKey({ secretKey: vector.key, algorithm: 3 })).toBe(key);
	});

	it.each(invalid)('refuses a cipher: $description', (vector) => {
		const work = (): unknown => decrypt(asSecretKey(vector.key), readCipher(vector.cipherJson));
		expect(codeThrownBy(work)).toBe(vector.error);
	});

	it.each(vectors.secretKeysInvalid)('refuses a key: $description', (vector) => {
		expect(codeThrownBy(() => readSecretKey(vector.json))).toBe(vector.error);
	});

	it('reads ciphers with long names', () => {
		const cipher: Cipher = readCipher({ cipher: 'AAAA', algorithm: 3, counter: 5 });
		expect(cipher).toEqual({ cph: 'AAAA', alg: 3, cnt: 5 });
	});
});

describe('counter nonces', () => {
	const valid = vectors.counterNonces.filter((vector) => vector.valid);
	const invalid = vectors.counterNonces.filter((vector) => !vector.valid);

	it.each(valid)('of $baseNonceHex at $counter', (vector) => {
		const baseNonce = hexOf(vector.baseNonceHex);
		expect(hex(counterNonce(baseNonce, vector.counter))).toBe(vector.effectiveNonceHex);
		const transmission = {
			key: asSecretKey(vector.key),
			nonce: asNonce(encodeBase64Url(baseNonce)),
		};
		const cipher = encryptWithCounter(transmission, vector.plaintextUtf8, vector.counter);
		expect(cipher.cph).toBe(vector.ciphertext);
		expect(JSON.stringify(cipher)).toBe(vector.cipherJson);
		expect(decryptWithCounter(transmission, readCipher(jsonOf(vector.cipherJson)))).toEqual(
			encodeUtf8(vector.plaintextUtf8),
		);
	});

	it.each(invalid)('are refused at $counter', (vector) => {
		const work = (): unknown => counterNonce(hexOf(vector.baseNonceHex), vector.counter);
		expect(codeThrownBy(work)).toBe(vector.error);
	});
});

describe('key exchange', () => {
	const pairOf = (json: string): ReturnType<typeof exchangeKeyPairOf> => {
		const parsed = jsonOf<{ pub: { pub: string }; prv: { prv: string } }>(json);
		const pair = exchangeKeyPairOf(asExchangePrivateKey(parsed.prv.prv));
		expect(pair.publicKey).toBe(parsed.pub.pub);
		return pair;
	};

	it.each(vectors.keyExchange)('gives both sides their keys', (vector) => {
		const requestor = pairOf(vector.requestorKeypairJson);
		const templator = pairOf(vector.templatorKeypairJson);
		expect(exchangeAsRequestor(requestor, templator.publicKey)).toEqual({
			receive: vector.requestor.receivingKey,
			transmit: vector.requestor.transmissionKey,
		});
		expect(exchangeAsTemplator(templator, requestor.publicKey)).toEqual({
			receive: vector.templator.receivingKey,
			transmit: vector.templator.transmissionKey,
		});
		for (const { receivingKey, transmissionKey, json } of [vector.requestor, vector.templator]) {
			expect(jsonOf(json)).toMatchObject({ rx: receivingKey, tx: transmissionKey });
		}
	});

	it.each(vectors.keyExchange)('names the public key in its base64 form', (vector) => {
		const { publicKey } = pairOf(vector.requestorKeypairJson);
		const typeFirst = { '@type': 'CryptoExchangePublicKey', ...writePublicKey(publicKey) };
		expect(writeBase64Form(typeFirst)).toBe(vector.requestorPublicKeyBase64WithType);
	});

	it('refuses a public key of small order', () => {
		const own = generateExchangeKeyPair(systemRandom);
		const weak = encodeBase64Url(new Uint8Array(32)) as typeof own.publicKey;
		expect(codeThrownBy(() => exchangeAsTemplator(own, weak))).toBe(
			'error.crypto.exchange.keyDerivation',
		);
	});
});

describe('key derivation', () => {
	it.each(vectors.keyDerivation)('with $context and $keyId', (vector) => {
		const work = (): string => deriveKey(asSecretKey(vector.baseKey), vector.keyId, vector.context);
		if (vector.valid) expect(work()).toBe(vector.derivedKey);
		// Contexts and ids are constants of the program: a wrong one is a mistake without a code.
		else expect(work).toThrow(TypeError);
	});
});

itReadsItsVectors(__filename);
