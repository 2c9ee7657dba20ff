import { encodeUtf8 } from '../../../../core/base/encoding';
import { systemRandom } from '../../../../core/base/random';
import {
	readCipher,
	readCipherField,
	readSignatureField,
	writePublicKey,
	writePublicKeyField,
} from '../../../../core/crypto/json-forms';
import {
	asSecretKey,
	asSignaturePrivateKey,
	asSignaturePublicKey,
} from '../../../../core/crypto/keys';
import { sha512 } from '../../../../core/domain/file/file-envelope';
import { hashPasswordForBackbone } from '../../../../core/crypto/password-hash';
import { signatureKeyPairOf, verify } from '../../../../core/crypto/signature-keys';
import { writeBase64Form } from '../../../../core/crypto/wire-json';
import { loadSodium } from '../../../../core/crypto/sodium';
import type { ChallengeType } from '../../../../core/domain/challenge/challenge-signing';
import {
	readChallenge,
	readChallengeSignature,
	signChallenge,
	writeChallenge,
	writeSignedChallenge,
} from '../../../../core/domain/challenge/challenge-signing';
import type { FileDescription } from '../../../../core/domain/file/file-envelope';
import { openFile, openFileMetadata, sealFile } from '../../../../core/domain/file/file-envelope';
import {
	readTokenTarget,
	templateTokenContentSchema,
	writeFileTokenContent,
	writeTemplateTokenContent,
} from '../../../../core/domain/token/token-contents';
import { openToken, sealToken } from '../../../../core/domain/token/token-envelope';
import { deriveAddress } from '../../../../core/model/address';
import { instantSchema } from '../../../../core/model/instant';
import type { JsonObject } from '../../../../core/model/json';
import {
	parseReference,
	writeReferenceUrl,
	writeTruncatedReference,
} from '../../../../core/model/reference';
import type { OfficialSecrets } from '../../crypto/official-secrets';
import {
	bytesOf,
	codeThrownBy,
	jsonOf,
	scriptedRandom,
	textOfForm,
} from '../../crypto/vector-files';
import { notReadable, unknownType } from './codes';
import { readVectors } from '../../../support/vectors';
import { itReadsItsVectors } from '../../../support/reads-its-vectors';

interface ApiForm {
	challengeString: string;
	signature: string;
}

interface WireIdentity {
	address: string;
	identityJson: string;
	identityPrivateKeyJson: string;
	devicePublicKeyJson: string;
	devicePrivateKeyJson: string;
	creation: {
		challengeResponse: { id: string; expiresAt: string; createdBy: null; createdByDevice: null };
		identitiesRequestBody: {
			identityPublicKey: string;
			signedChallenge: { challenge: string; signature: string };
		};
		decodedIdentityPublicKey: string;
		decodedSignature: string;
		signedUtf8: string;
		identitiesResponse: { address: string };
	};
}

const wire = readVectors<
	Record<string, unknown> & {
		identities: Record<'A' | 'B', WireIdentity>;
		relationship: { templatorSecretsJson: string };
		files: Array<{
			fileId: string;
			plaintextUtf8: string;
			uploadParts: Record<string, { value: string }>;
			uploadedBytesAreUtf8Json: string;
			contentKeyJson: string;
			metadataKeyJson: string;
			metadataPlaintextJson: string;
			ownerSignatureJson: string;
			truncatedReference: string;
			url: string;
		}>;
		tokens: Array<{
			note: string;
			tokenId: string;
			truncatedReference: string;
			url: string;
			password?: string;
			salt?: string;
			loadQuery: string | null;
			createRequestBody: { content: string; password?: string };
			secretKeyJson: string;
			plaintextJson: string;
		}>;
		challenges: Array<{
			note?: string;
			type: ChallengeType;
			by?: string;
			apiForm?: ApiForm;
			signedChallengeOnWire?: { challenge: string; signature: string };
			validatedByPeer?: boolean | string;
			error?: string;
		}>;
	}
>('wire-objects.json');

const transportTokens = readVectors<
	Record<string, unknown> & {
		cases: Array<{
			name: string;
			backbonePostBody: { content: string };
			cipherJson: string;
			secretKey: string;
			plaintext: string;
			reference: { truncated: string; url: string };
			ownDTO: { id: string };
		}>;
	}
>('transport-tokens.json');

const transportFiles = readVectors<
	Record<string, unknown> & {
		identities: Record<string, { devicePrivateKey: string }>;
		cases: Array<{
			name: string;
			owner: string;
			plaintext: string;
			metadataKey: string;
			cipherKey: string;
			backboneMultipartFields: Record<string, string>;
			storedBytesAsText: string;
			encryptedPropertiesJson: string;
			metadataPlaintext: string;
			ownerSignatureJson: string;
			ownerSignatureVerificationKey: string;
			reference: { truncated: string; url: string };
		}>;
	}
>('transport-files.json');

const misc = readVectors<
	Record<string, unknown> & {
		identities: Record<
			string,
			{ address: string; identityPublicKey: string; identityPrivateKey: string }
		>;
		challenges: Array<{
			type: ChallengeType;
			dto: ApiForm & { id: string; expiresAt: string; createdBy: string; createdByDevice: string };
			signatureJson: string;
			verificationKey: string;
		}>;
		identityCreationRequestOfA: {
			identityPublicKey: string;
			signedChallenge: { challenge: string; signature: string };
		};
	}
>('transport-misc.json');

const prvOf = (json: string): string => jsonOf<{ prv: string }>(json).prv;
const pubOf = (json: string): string => jsonOf<{ pub: string }>(json).pub;
const keyOf = (json: string): string => jsonOf<{ key: string }>(json).key;

beforeAll(loadSodium);

describe('the vector files', () => {
	it('of tokens, files and challenges are used whole, here and in the tests beside', () => {
		expect(Object.keys(misc)).toEqual([
			'about',
			'identities',
			'challenges',
			'identityCreationRequestOfA',
			'pseudonyms',
			'passwordHashes',
			'references',
		]);
		expect(Object.keys(transportTokens)).toEqual(['about', 'identities', 'cases']);
		expect(Object.keys(transportFiles)).toEqual(['about', 'identities', 'cases']);
	});
});

describe('a recorded identity', () => {
	const identities = Object.entries(wire.identities).map(([name, identity]) => ({
		name,
		identity,
	}));

	it.each(identities)('$name is created with the recorded body', ({ identity }) => {
		const { creation } = identity;
		const { challengeResponse, identitiesRequestBody: body } = creation;
		const keys = signatureKeyPairOf(asSignaturePrivateKey(prvOf(identity.identityPrivateKeyJson)));
		const challenge = writeChallenge({ ...challengeResponse, type: 'Identity' });
		const signature = signChallenge(challenge, keys.privateKey, 'Identity');
		expect(writeSignedChallenge(challenge, signature)).toEqual(body.signedChallenge);
		expect(writePublicKeyField(keys.publicKey)).toBe(body.identityPublicKey);
		expect(textOfForm(body.identityPublicKey)).toBe(creation.decodedIdentityPublicKey);
		expect(textOfForm(body.signedChallenge.signature)).toBe(creation.decodedSignature);
		expect(challenge).toBe(creation.signedUtf8);
		const address = deriveAddress(keys.publicKey, 'localhost');
		expect([address, address]).toEqual([identity.address, creation.identitiesResponse.address]);
		expect(jsonOf(identity.identityJson)).toEqual({
			'@type': 'Identity',
			address,
			publicKey: writePublicKey(keys.publicKey),
		});
		expect(pubOf(identity.devicePublicKeyJson)).toBe(
			signatureKeyPairOf(asSignaturePrivateKey(prvOf(identity.devicePrivateKeyJson))).publicKey,
		);
	});

	it('of transport-misc.json is created with the recorded body', () => {
		const { identityPublicKey, signedChallenge } = misc.identityCreationRequestOfA;
		const identity = misc.identities['A'];
		const keys = signatureKeyPairOf(asSignaturePrivateKey(identity?.identityPrivateKey ?? ''));
		expect(keys.publicKey).toBe(identity?.identityPublicKey);
		expect(writePublicKeyField(keys.publicKey)).toBe(identityPublicKey);
		const challenge = writeChallenge(readChallenge(signedChallenge.challenge));
		const signature = signChallenge(challenge, keys.privateKey, 'Identity');
		expect(writeSignedChallenge(challenge, signature)).toEqual(signedChallenge);
	});
});

describe('a recorded challenge', () => {
	const templator = jsonOf<OfficialSecrets>(wire.relationship.templatorSecretsJson);
	const identity = wire.identities.A;
	const privateKeys: Record<ChallengeType, string> = {
		Identity: prvOf(identity.identityPrivateKeyJson),
		Device: prvOf(identity.devicePrivateKeyJson),
		Relationship: templator.sig.prv.prv,
	};
	const withForm = wire.challenges.flatMap(({ apiForm, ...rest }) =>
		apiForm === undefined ? [] : [{ apiForm, ...rest }],
	);

	it('is left out only where no text is recorded', () => {
		// The creator itself has no relationship to itself: a check of the caller, not of signatures.
		const others = wire.challenges.filter(({ apiForm }) => apiForm === undefined);
		expect(others.map(({ validatedByPeer }) => validatedByPeer)).toEqual([
			'error.transport.recordNotFound',
		]);
	});

	const wrongKey = 'signature by the wrong key';

	it.each(withForm)('of type $type has a valid signature, or not: $note', (challenge) => {
		const { apiForm, type, note } = challenge;
		const { publicKey } = signatureKeyPairOf(asSignaturePrivateKey(privateKeys[type]));
		const signature = readChallengeSignature(apiForm.signature);
		const isValid = verify(apiForm.challengeString, signature, publicKey);
		expect(isValid).toBe(note !== wrongKey);
		expect(readChallenge(apiForm.challengeString).type).toBe(type);
		expect(writeBase64Form(signature)).toBe(apiForm.signature);
	});

	const made = withForm.filter(({ signedChallengeOnWire }) => signedChallengeOnWire !== undefined);

	it.each(made)('of type $type is written and signed to the same bytes', (challenge) => {
		const { type, apiForm, signedChallengeOnWire } = challenge;
		const text = writeChallenge(readChallenge(apiForm.challengeString));
		expect(text).toBe(apiForm.challengeString);
		const signature = signChallenge(text, asSignaturePrivateKey(privateKeys[type]), type);
		expect(writeSignedChallenge(text, signature)).toEqual(signedChallengeOnWire);
		expect(writeBase64Form(signature)).toBe(apiForm.signature);
	});

	it.each(misc.challenges)('of type $type in transport-misc.json is valid', (challenge) => {
		const { dto, type, signatureJson, verificationKey } = challenge;
		const { id, expiresAt, createdBy, createdByDevice } = dto;
		expect(writeChallenge({ id, expiresAt, createdBy, createdByDevice, type })).toBe(
			dto.challengeString,
		);
		const signature = readChallengeSignature(dto.signature);
		expect(JSON.stringify(signature)).toBe(signatureJson);
		const publicKey = asSignaturePublicKey(verificationKey);
		expect(verify(dto.challengeString, signature, publicKey)).toBe(true);
	});

	it.each([
		'',
		'not JSON',
		'[]',
		'{"id":"CHL","type":"Identity"}',
		'{"id":"CHL","expiresAt":"x","type":"Identity"}',
		'{"id":"CHL","expiresAt":"2030-01-01","type":"Other"}',
		'{"id":"CHL","expiresAt":"2030-01-01","type":"Identity","createdBy":null}',
	])('is not %j', (text) => {
		expect(codeThrownBy(() => readChallenge(text))).toBe(
			'error.runtime.validation.invalidPropertyValue',
		);
	});

	it.each(['', '!', 'e30', 'AAAA'])('has no signature %j', (text) => {
		expect(codeThrownBy(() => readChallengeSignature(text))).toBe(
			'error.runtime.validation.invalidPropertyValue',
		);
	});
});

describe('a recorded token', () => {
	const recorded = [
		...wire.tokens.map((token) => ({
			name: token.note,
			id: token.tokenId,
			field: token.createRequestBody.content,
			secretKey: keyOf(token.secretKeyJson),
			plaintext: token.plaintextJson,
			reference: { truncated: token.truncatedReference, url: token.url },
		})),
		...transportTokens.cases.map((token) => ({
			name: token.name,
			id: token.ownDTO.id,
			field: token.backbonePostBody.content,
			secretKey: token.secretKey,
			plaintext: token.plaintext,
			reference: token.reference,
		})),
	];

	it.each(recorded)('is opened: $name', ({ field, secretKey, plaintext }) => {
		expect(openToken(field, asSecretKey(secretKey))).toEqual(jsonOf(plaintext));
	});

	it.each(recorded)('is sealed to the same bytes: $name', ({ field, secretKey, plaintext }) => {
		const nonce = readCipherField(field).nnc ?? '';
		const random = scriptedRandom(bytesOf(secretKey), bytesOf(nonce));
		const sealed = sealToken(jsonOf<JsonObject>(plaintext), random);
		expect(sealed).toEqual({ content: field, secretKey });
	});

	it.each(recorded)('has its reference: $name', ({ reference, secretKey, id }) => {
		const parsed = parseReference(reference.truncated);
		expect(parsed).toMatchObject({ kind: 'token', key: secretKey, id });
		expect(parseReference(reference.url)).toEqual(parsed);
		expect(writeTruncatedReference(parsed)).toBe(reference.truncated);
		expect(writeReferenceUrl(parsed)).toBe(reference.url);
	});

	it.each(recorded)('leads where it says, or nowhere: $name', ({ plaintext }) => {
		const content = jsonOf<JsonObject>(plaintext);
		const target = readTokenTarget(content);
		const { data } = templateTokenContentSchema.safeParse(content);
		expect(data).toEqual(target?.kind === 'template' ? target : undefined);
		if (target === undefined) {
			expect(content['templateId'] ?? content['fileId']).toBeUndefined();
			return;
		}
		const written =
			target.kind === 'template'
				? writeTemplateTokenContent(target)
				: writeFileTokenContent(target.fileId, target.secretKey);
		expect(JSON.stringify(written)).toBe(plaintext);
	});

	it.each([
		{ templateId: 'RLT1' },
		{ secretKey: { key: 'AAAA', alg: 3 } },
		{ passwordProtection: { passwordType: 'pin3', salt: 'A'.repeat(22) } },
		{ passwordProtection: { passwordType: 'pw', salt: 'AAAA' } },
		{ forIdentity: null },
	])('that leads to a template with %j is refused', (change) => {
		const content = {
			'@type': 'TokenContentRelationshipTemplate',
			templateId: 'RLTabcdefghijklmnopq',
			secretKey: { key: 'A'.repeat(43), alg: 3 },
		};
		expect(readTokenTarget(content)?.kind).toBe('template');
		expect(codeThrownBy(() => readTokenTarget({ ...content, ...change }))).toMatch(/^error\./);
		expect(templateTokenContentSchema.safeParse({ ...content, ...change }).success).toBe(false);
	});

	const protectedTokens = wire.tokens.filter(({ password }) => password !== undefined);

	it.each(protectedTokens)('is loaded with the recorded query: $note', async (token) => {
		const hash = await hashPasswordForBackbone(token.password ?? '', bytesOf(token.salt ?? ''));
		expect(hash).toBe(token.createRequestBody.password);
		expect(`?password=${encodeURIComponent(hash)}`).toBe(token.loadQuery);
	});

	it.each(transportTokens.cases)('is the cipher that was recorded: $name', (token) => {
		expect(readCipherField(token.backbonePostBody.content)).toEqual(
			readCipher(jsonOf(token.cipherJson)),
		);
	});

	it.each<[string, JsonObject, string]>([
		['an unknown type', { '@type': 'NoSuchType' }, unknownType],
		['any JSON', { any: 1 }, 'nothing was thrown'],
	])('with %s', (_, content, code) => {
		const { content: field, secretKey } = sealToken(content, systemRandom);
		expect(codeThrownBy(() => openToken(field, secretKey))).toBe(code);
	});

	it('with a list inside is refused', () => {
		const list = [1] as unknown as JsonObject;
		const { content: field, secretKey } = sealToken(list, systemRandom);
		expect(codeThrownBy(() => openToken(field, secretKey))).toBe(notReadable);
	});
});

describe('a recorded file', () => {
	const recorded = [
		...wire.files.map((file) => ({
			name: file.fileId,
			plaintext: encodeUtf8(file.plaintextUtf8),
			contentKey: keyOf(file.contentKeyJson),
			metadataKey: keyOf(file.metadataKeyJson),
			metadata: file.metadataPlaintextJson,
			content: file.uploadedBytesAreUtf8Json,
			cipherHash: file.uploadParts['cipherHash']?.value ?? '',
			ownerSignature: file.uploadParts['ownerSignature']?.value ?? '',
			encryptedProperties: file.uploadParts['encryptedProperties']?.value ?? '',
			devicePrivateKey: prvOf(wire.identities.A.devicePrivateKeyJson),
			reference: { truncated: file.truncatedReference, url: file.url },
		})),
		...transportFiles.cases.map((file) => ({
			name: file.name,
			plaintext: bytesOf(file.plaintext),
			contentKey: file.cipherKey,
			metadataKey: file.metadataKey,
			metadata: file.metadataPlaintext,
			content: file.storedBytesAsText,
			cipherHash: file.backboneMultipartFields['cipherHash'] ?? '',
			ownerSignature: file.backboneMultipartFields['ownerSignature'] ?? '',
			encryptedProperties: file.backboneMultipartFields['encryptedProperties'] ?? '',
			devicePrivateKey: transportFiles.identities[file.owner]?.devicePrivateKey ?? '',
			reference: file.reference,
		})),
	];

	it.each(wire.files)('is uploaded as it is recorded: $fileId', (file) => {
		const { content, owner, ownerSignature, expiresAt } = file.uploadParts;
		expect(textOfForm(content?.value ?? '')).toBe(file.uploadedBytesAreUtf8Json);
		expect(owner?.value).toBe(wire.identities.A.address);
		expect(textOfForm(ownerSignature?.value ?? '')).toBe(file.ownerSignatureJson);
		expect(instantSchema.parse(expiresAt?.value)).toBe(expiresAt?.value);
	});

	it.each(recorded)('is opened: $name', (file) => {
		const metadata = openFileMetadata(file.encryptedProperties, asSecretKey(file.metadataKey));
		expect(metadata.secretKey).toBe(file.contentKey);
		expect(openFile(encodeUtf8(file.content), file.cipherHash, metadata)).toEqual(file.plaintext);
	});

	it.each(recorded)('is sealed to the same bytes: $name', async (file) => {
		const contentNonce = readCipher(jsonOf(file.content)).nnc ?? '';
		const metadataNonce = readCipherField(file.encryptedProperties).nnc ?? '';
		const sealed = await sealFile(
			{ size: file.plaintext.length, pieces: [file.plaintext] },
			jsonOf<FileDescription>(file.metadata),
			asSignaturePrivateKey(file.devicePrivateKey),
			scriptedRandom(
				bytesOf(file.contentKey),
				bytesOf(contentNonce),
				bytesOf(file.metadataKey),
				bytesOf(metadataNonce),
			),
		);
		expect({ ...sealed, content: new Uint8Array(sealed.content) }).toEqual({
			content: encodeUtf8(file.content),
			cipherHash: file.cipherHash,
			ownerSignature: file.ownerSignature,
			encryptedProperties: file.encryptedProperties,
			metadataKey: file.metadataKey,
			contentKey: file.contentKey,
			plaintextHash: openFileMetadata(file.encryptedProperties, asSecretKey(file.metadataKey))
				.plaintextHash,
		});
	});

	it.each(recorded)('is signed by the device of its owner: $name', (file) => {
		const { publicKey } = signatureKeyPairOf(asSignaturePrivateKey(file.devicePrivateKey));
		const signature = readSignatureField(file.ownerSignature);
		expect(verify(sha512(file.plaintext), signature, publicKey)).toBe(true);
	});

	it.each(transportFiles.cases)('is described and signed as it is recorded: $name', (file) => {
		const { encryptedProperties = '', ownerSignature = '' } = file.backboneMultipartFields;
		expect(readCipherField(encryptedProperties)).toEqual(
			readCipher(jsonOf(file.encryptedPropertiesJson)),
		);
		expect(textOfForm(ownerSignature)).toBe(file.ownerSignatureJson);
		const publicKey = asSignaturePublicKey(file.ownerSignatureVerificationKey);
		const signature = readSignatureField(ownerSignature);
		expect(verify(sha512(bytesOf(file.plaintext)), signature, publicKey)).toBe(true);
	});

	it.each(recorded)('has its reference: $name', ({ reference, metadataKey }) => {
		const parsed = parseReference(reference.truncated);
		expect(parsed).toMatchObject({ kind: 'file', key: metadataKey });
		expect(parseReference(reference.url)).toEqual(parsed);
		expect(writeTruncatedReference(parsed)).toBe(reference.truncated);
	});

	it('that was damaged is refused, whichever part', () => {
		const [file] = recorded;
		if (file === undefined) throw new Error('The vectors are empty');
		const metadata = openFileMetadata(file.encryptedProperties, asSecretKey(file.metadataKey));
		const content = encodeUtf8(file.content);
		expect(codeThrownBy(() => openFile(content.slice(1), file.cipherHash, metadata))).toBe(
			'error.transport.files.cipherMismatch',
		);
		const other = { ...metadata, plaintextHash: file.cipherHash };
		expect(codeThrownBy(() => openFile(content, file.cipherHash, other))).toBe(
			'error.transport.files.plaintextHashMismatch',
		);
	});
});

itReadsItsVectors(__filename);
