import { encodeBase64Url, encodeUtf8 } from '../../../core/base/encoding';
import { systemRandom } from '../../../core/base/random';
import { generateExchangeKeyPair } from '../../../core/crypto/exchange-keys';
import {
	readCipher,
	readCipherField,
	readSignatureField,
	writeCipherField,
	writeSignatureField,
} from '../../../core/crypto/json-forms';
import { asSignaturePublicKey, keyBytes } from '../../../core/crypto/keys';
import {
	readPublicRequest,
	readPublicResponse,
	writePublicRequest,
	writePublicResponse,
} from '../../../core/crypto/relationship-public-parts';
import type { RelationshipSecrets } from '../../../core/crypto/relationship-secrets';
import {
	completeRequestorSecrets,
	createRequestSecrets,
	createTemplatorSecrets,
	publicRequestOf,
	publicResponseOf,
	requestKeyForTemplator,
} from '../../../core/crypto/relationship-secrets';
import {
	readRelationshipSecrets,
	readRequestSecrets,
} from '../../../core/crypto/relationship-secrets-schema';
import { decryptText } from '../../../core/crypto/secret-key';
import { generateSignatureKeyPair, sign, verify } from '../../../core/crypto/signature-keys';
import { loadSodium } from '../../../core/crypto/sodium';
import {
	counterNonce,
	decryptWithCounter,
	encryptWithCounter,
} from '../../../core/crypto/transmission';
import { readBase64Form, writeBase64Form } from '../../../core/crypto/wire-json';
import type { JsonObject } from '../../../core/model/json';
import type { OfficialPair, OfficialRequestSecrets, OfficialSecrets } from './official-secrets';
import {
	exchangePair,
	randomOfRequest,
	randomOfTemplator,
	relationshipSecrets,
	requestSecrets,
} from './official-secrets';
import { codeThrownBy, jsonOf } from './vector-files';
import { readVectors } from '../../support/vectors';
import { itReadsItsVectors } from '../../support/reads-its-vectors';

interface Establishment {
	templateExchangeKeypair: OfficialPair;
	templatorIdentityPublicKey: { pub: string };
	requestorRequestSecrets: OfficialRequestSecrets;
	publicRequest: Record<string, unknown>;
	publicRequestBase64: string;
	requestSecretKey: string;
	creationContent: {
		plaintextUtf8: string;
		cipherBase64: string;
		relationshipSignatureBase64: string;
	};
	templatorSecretsInitial: OfficialSecrets;
	publicResponse: Record<string, unknown>;
	publicResponseBase64: string;
	requestorSecretsInitial: OfficialSecrets;
	transmissions: Array<{
		direction: 'templator->requestor' | 'requestor->templator';
		counter: number;
		effectiveNonce: string;
		plaintextUtf8: string;
		cipherJson: string;
		cipherBase64: string;
		/** of the official state object; our counters are kept by the store */
		counterAfterwards: number;
	}>;
	ownSignatures: Array<{
		by: 'templator' | 'requestor';
		messageUtf8: string;
		base64: string;
		valid: boolean;
		description?: string;
	}>;
}

interface StateNegative {
	case: number;
	description: string;
	receiver: 'templator' | 'requestor';
	cipherJson: unknown;
	strictOrder?: boolean;
	otherTemplateExchangeKeypair?: OfficialPair;
	error: string;
}

const vectors = readVectors<{ cases: Establishment[]; stateNegative: StateNegative[] }>(
	'relationship-secrets.json',
);
const numbered = vectors.cases.map((vector, index) => ({ index, vector }));

const templatorOf = (vector: Establishment): RelationshipSecrets =>
	relationshipSecrets(vector.templatorSecretsInitial);
const requestorOf = (vector: Establishment): RelationshipSecrets =>
	relationshipSecrets(vector.requestorSecretsInitial);

beforeAll(loadSodium);

describe('the requestor', () => {
	it.each(numbered)('makes the official request secrets ($index)', ({ vector }) => {
		const official = requestSecrets(vector.requestorRequestSecrets);
		const made = createRequestSecrets(
			exchangePair(vector.templateExchangeKeypair).publicKey,
			asSignaturePublicKey(vector.templatorIdentityPublicKey.pub),
			randomOfRequest(vector.requestorRequestSecrets),
		);
		expect(made).toEqual(official);
		expect(made.requestKey).toBe(vector.requestSecretKey);
	});

	it.each(numbered)('publishes its part of them ($index)', ({ vector }) => {
		const made = publicRequestOf(requestSecrets(vector.requestorRequestSecrets));
		const json = writePublicRequest(made);
		expect(writeBase64Form(json, 'CryptoRelationshipPublicRequest')).toBe(
			vector.publicRequestBase64,
		);
		expect(readPublicRequest(vector.publicRequest)).toEqual(made);
		expect(readPublicRequest(readBase64Form(vector.publicRequestBase64, 'it'))).toEqual(made);
	});

	it.each(numbered)('completes them with the acceptance ($index)', ({ vector }) => {
		const completed = completeRequestorSecrets(
			requestSecrets(vector.requestorRequestSecrets),
			readPublicResponse(vector.publicResponse),
		);
		expect(completed).toEqual(requestorOf(vector));
	});
});

describe('the templator', () => {
	it.each(numbered)('makes the official secrets of the request ($index)', ({ vector }) => {
		const made = createTemplatorSecrets(
			readPublicRequest(vector.publicRequest),
			exchangePair(vector.templateExchangeKeypair),
			randomOfTemplator(vector.templatorSecretsInitial),
		);
		expect(made).toEqual(templatorOf(vector));
	});

	it.each(numbered)('publishes its part of them ($index)', ({ vector }) => {
		const made = publicResponseOf(templatorOf(vector));
		const json = writePublicResponse(made);
		expect(writeBase64Form(json, 'CryptoRelationshipPublicResponse')).toBe(
			vector.publicResponseBase64,
		);
		expect(readPublicResponse(readBase64Form(vector.publicResponseBase64, 'it'))).toEqual(made);
	});

	it.each(numbered)('opens and verifies the creation content ($index)', ({ vector }) => {
		const publicRequest = readPublicRequest(vector.publicRequest);
		const pair = exchangePair(vector.templateExchangeKeypair);
		const key = requestKeyForTemplator(publicRequest, pair);
		const { plaintextUtf8, cipherBase64, relationshipSignatureBase64 } = vector.creationContent;
		expect(decryptText(key, readCipherField(cipherBase64))).toBe(plaintextUtf8);
		const signature = readSignatureField(relationshipSignatureBase64);
		expect(verify(plaintextUtf8, signature, publicRequest.signatureKey)).toBe(true);
		const { privateKey } = requestSecrets(vector.requestorRequestSecrets).signature;
		expect(writeSignatureField(sign(plaintextUtf8, privateKey, 1))).toBe(
			relationshipSignatureBase64,
		);
	});
});

describe('a transmission', () => {
	const all = numbered.flatMap(({ index, vector }) =>
		vector.transmissions.map((transmission) => ({ index, vector, ...transmission })),
	);

	it.each(all)('($index) $direction at $counter is sealed and opened', (entry) => {
		const { vector, counter, plaintextUtf8, direction } = entry;
		const [sender, receiver] =
			direction === 'templator->requestor'
				? [templatorOf(vector), requestorOf(vector)]
				: [requestorOf(vector), templatorOf(vector)];
		const nonce = counterNonce(keyBytes(sender.transmit.nonce), counter);
		expect(encodeBase64Url(nonce)).toBe(entry.effectiveNonce);
		const cipher = encryptWithCounter(sender.transmit, plaintextUtf8, counter);
		expect(JSON.stringify(cipher)).toBe(entry.cipherJson);
		expect(writeCipherField(cipher)).toBe(entry.cipherBase64);
		const read = readCipher(jsonOf(entry.cipherJson));
		const plaintext = encodeUtf8(plaintextUtf8);
		expect(decryptWithCounter(receiver.receive, read)).toEqual(plaintext);
		expect(decryptWithCounter(sender.transmit, read)).toEqual(plaintext);
	});

	/* We never check the order of counters: official senders repeat 0 (crypto-and-identity 7). */
	const notApplicable = ['counter 1 received while 0 is expected, strict order'];
	const states = vectors.stateNegative.filter(
		({ description }) => !notApplicable.includes(description),
	);

	it('leaves out only what demands a strict order', () => {
		const strict = vectors.stateNegative.filter((vector) => vector.strictOrder === true);
		expect(strict.map(({ description }) => description)).toEqual(notApplicable);
	});

	it.each(states)('is refused: $description', (negative) => {
		const vector = vectors.cases[negative.case];
		if (vector === undefined) throw new Error('The vectors name a case that is not there');
		const { receiver, otherTemplateExchangeKeypair } = negative;
		const pair = otherTemplateExchangeKeypair ?? vector.templateExchangeKeypair;
		const work = (): unknown => {
			const cipher = readCipher(negative.cipherJson);
			if (receiver === 'requestor') {
				return decryptWithCounter(requestorOf(vector).receive, cipher);
			}
			const publicRequest = readPublicRequest(vector.publicRequest);
			return decryptText(requestKeyForTemplator(publicRequest, exchangePair(pair)), cipher);
		};
		expect(codeThrownBy(work)).toBe(negative.error);
	});

	it('is opened in any order and more than once', () => {
		const [vector] = vectors.cases;
		if (vector === undefined) throw new Error('The vectors are empty');
		const [sender, receiver] = [templatorOf(vector), requestorOf(vector)];
		for (const counter of [7, 0, 0, 4_294_967_295, 3]) {
			const cipher = encryptWithCounter(sender.transmit, 'again', counter);
			expect(decryptWithCounter(receiver.receive, cipher)).toEqual(encodeUtf8('again'));
		}
	});
});

describe('a relationship signature', () => {
	const all = numbered.flatMap(({ index, vector }) =>
		vector.ownSignatures.map((signature) => ({ index, vector, ...signature })),
	);

	it.each(all)('($index) by $by is valid: $valid', (entry) => {
		const { vector, by, messageUtf8, base64, valid } = entry;
		const [own, other] =
			by === 'templator'
				? [templatorOf(vector), requestorOf(vector)]
				: [requestorOf(vector), templatorOf(vector)];
		const signature = readSignatureField(base64);
		expect(verify(messageUtf8, signature, other.peerSignatureKey)).toBe(valid);
		expect(verify(messageUtf8, signature, own.signature.publicKey)).toBe(valid);
		const made = writeSignatureField(sign(messageUtf8, own.signature.privateKey, 1));
		expect(made === base64).toBe(valid);
	});
});

describe('stored secrets', () => {
	const establish = (): { request: JsonObject; requestor: JsonObject; templator: JsonObject } => {
		const templatePair = generateExchangeKeyPair(systemRandom);
		const identity = generateSignatureKeyPair(systemRandom);
		const request = createRequestSecrets(templatePair.publicKey, identity.publicKey, systemRandom);
		const templator = createTemplatorSecrets(publicRequestOf(request), templatePair, systemRandom);
		const requestor = completeRequestorSecrets(request, publicResponseOf(templator));
		expect(requestor.transmit).toEqual(templator.receive);
		expect(requestor.receive).toEqual(templator.transmit);
		return { request, requestor, templator };
	};

	it('survive JSON', () => {
		const { request, requestor, templator } = establish();
		const copyOf = (value: JsonObject): unknown => JSON.parse(JSON.stringify(value));
		expect(readRequestSecrets(copyOf(request))).toEqual(request);
		expect(readRelationshipSecrets(copyOf(requestor))).toEqual(requestor);
		expect(readRelationshipSecrets(copyOf(templator))).toEqual(templator);
	});

	it('interface 7: error.transport.secrets.wrongSecretType | tells secrets of the wrong kind', () => {
		const { request, requestor } = establish();
		const code = 'error.transport.secrets.wrongSecretType';
		expect(codeThrownBy(() => readRelationshipSecrets(request))).toBe(code);
		expect(codeThrownBy(() => readRelationshipSecrets(undefined))).toBe(code);
		expect(codeThrownBy(() => readRequestSecrets(requestor))).toBe(code);
	});

	it('with a damaged key are refused', () => {
		const { request } = establish();
		expect(codeThrownBy(() => readRequestSecrets({ ...request, nonce: 'AAAA' }))).toBe(
			'error.crypto.wrongSerializedBuffer',
		);
	});
});

describe('a public part', () => {
	const [vector] = vectors.cases;
	const request = vector?.publicRequest ?? {};
	const response = vector?.publicResponse ?? {};

	it('is read with long names', () => {
		const { exc, sig, eph, nnc } = request as Record<string, { pub: string }>;
		const long = {
			exchangeKey: { publicKey: exc?.pub, algorithm: 3 },
			signatureKey: { publicKey: sig?.pub, algorithm: 3 },
			ephemeralKey: { publicKey: eph?.pub, algorithm: 3 },
			nonce: nnc,
		};
		expect(readPublicRequest(long)).toEqual(readPublicRequest(request));
	});

	it.each([
		['another type', { exc: { ...(request['exc'] as object), '@type': 'CryptoSecretKey' } }],
		['an unknown type', { exc: { ...(request['exc'] as object), '@type': 'Nope' } }],
		['null as type', { exc: { ...(request['exc'] as object), '@type': null } }],
		['a missing key', { eph: undefined }],
		['a short nonce', { nnc: 'AAAA' }],
	])('with %s inside is refused', (_, change) => {
		expect(codeThrownBy(() => readPublicRequest({ ...request, ...change }))).toBe(
			'error.crypto.wrongSerializedBuffer',
		);
	});

	it('with the fitting type inside is read', () => {
		const exc = { ...(request['exc'] as object), '@type': 'CryptoExchangePublicKey' };
		expect(readPublicRequest({ ...request, exc })).toEqual(readPublicRequest(request));
	});

	it('is read with either state type, as official readers do', () => {
		const sta = { ...(response['sta'] as object), typ: 1 };
		expect(readPublicResponse({ ...response, sta })).toEqual(readPublicResponse(response));
	});
});

itReadsItsVectors(__filename);
