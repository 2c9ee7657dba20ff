import { systemRandom } from '../../../../core/base/random';
import { encodeBase64 } from '../../../../core/base/encoding';
import { readCipherField, writeCipherField } from '../../../../core/crypto/json-forms';
import { asSecretKey, asSignaturePrivateKey } from '../../../../core/crypto/keys';
import { hashPasswordForBackbone } from '../../../../core/crypto/password-hash';
import { encrypt } from '../../../../core/crypto/secret-key';
import {
	generateSignatureKeyPair,
	signatureKeyPairOf,
} from '../../../../core/crypto/signature-keys';
import type { SignatureKeyPair } from '../../../../core/crypto/signature-keys';
import { sign } from '../../../../core/crypto/signature-keys';
import { loadSodium } from '../../../../core/crypto/sodium';
import {
	openTemplate,
	readTemplate,
	sealTemplate,
} from '../../../../core/domain/template/template-envelope';
import { deletedIdentityPseudonyms, deriveAddress } from '../../../../core/model/address';
import type { JsonObject } from '../../../../core/model/json';
import { requireLoadable } from '../../../../core/model/loadable-reference';
import { readPasswordProtectionInput } from '../../../../core/model/password-protection';
import {
	parseReference,
	truncateForIdentity,
	writeReferenceUrl,
	writeTruncatedReference,
} from '../../../../core/model/reference';
import {
	bytesOf,
	codeThrownBy,
	jsonOf,
	scriptedRandom,
	textOfForm,
} from '../../crypto/vector-files';
import { exchangePair, type OfficialPair } from '../../crypto/official-secrets';
import { notReadable, servalError, unknownType } from './codes';
import { readVectors } from '../../../support/vectors';
import { itReadsItsVectors } from '../../../support/reads-its-vectors';

interface Wrapper {
	content: JsonObject;
	identity: { address: string; publicKey: { pub: string } };
	templateKey: { id: string; pub: string };
}

interface RecordedTemplate {
	name: string;
	creatorAddress: string;
	identityPrivateKey: string;
	contentField: string;
	secretKey: string;
	serialized: string;
	signed: string;
	exchangePair: { publicKey: string; privateKey: string };
}

const wire = readVectors<{
	identities: Record<string, { address: string; identityPrivateKeyJson: string }>;
	templates: Array<{
		variant: string;
		templateId: string;
		truncatedReference: string;
		url: string;
		password?: string;
		salt?: string;
		loadQuery: string | null;
		createRequestBody: { content: string; password?: string; forIdentity?: string };
		secretKeyJson: string;
		signedJson: string;
		signedBytesUtf8: string;
		templateExchangeKeypairJson: string;
	}>;
}>('wire-objects.json');

const transport = readVectors<{
	identities: Record<string, { address: string; identityPrivateKey: string }>;
	cases: Array<{
		name: string;
		creator: string;
		runtimeRequest: { passwordProtection?: unknown };
		backbonePostBody: { content: string; password?: string; forIdentity?: string };
		cipherJson: string;
		secretKey: string;
		signedPlaintext: string;
		serializedTemplate: string;
		templateExchangeKeypair: { id: string; publicKey: string; privateKey: string };
		reference: {
			truncated: string;
			truncatedDecoded: string;
			url: string;
			urlFragmentDecoded: string;
		};
		passwordProtection?: {
			password: string;
			passwordType: string;
			salt: string;
			saltBase64: string;
			hashBase64: string;
			passwordLocationIndicator?: number;
		};
		ownDTO: { id: string };
		peer: { backboneGetQuery: string; backboneGetResponse: { content: string; createdBy: string } };
	}>;
}>('transport-templates.json');

const identityA = wire.identities['A'];
const recorded: RecordedTemplate[] = [
	...wire.templates.map((template) => ({
		name: `wire-objects, ${template.variant}`,
		creatorAddress: identityA?.address ?? '',
		identityPrivateKey: jsonOf<{ prv: string }>(identityA?.identityPrivateKeyJson ?? '').prv,
		contentField: template.createRequestBody.content,
		secretKey: jsonOf<{ key: string }>(template.secretKeyJson).key,
		serialized: template.signedBytesUtf8,
		signed: template.signedJson,
		exchangePair: exchangePair(jsonOf<OfficialPair>(template.templateExchangeKeypairJson)),
	})),
	...transport.cases.map((template) => ({
		name: `transport-templates, ${template.name}`,
		creatorAddress: transport.identities[template.creator]?.address ?? '',
		identityPrivateKey: transport.identities[template.creator]?.identityPrivateKey ?? '',
		contentField: template.backbonePostBody.content,
		secretKey: template.secretKey,
		serialized: template.serializedTemplate,
		signed: template.signedPlaintext,
		exchangePair: template.templateExchangeKeypair,
	})),
];

beforeAll(loadSodium);

describe('a recorded template', () => {
	it.each(recorded)('is opened: $name', (template) => {
		const wrapper = jsonOf<Wrapper>(template.serialized);
		const opened = openTemplate(template.contentField, asSecretKey(template.secretKey), {
			createdBy: template.creatorAddress,
		});
		expect(opened).toEqual({
			content: wrapper.content,
			identity: {
				address: wrapper.identity.address,
				publicKey: wrapper.identity.publicKey.pub,
			},
			templateKey: { id: wrapper.templateKey.id, publicKey: wrapper.templateKey.pub },
		});
	});

	it.each(recorded)('is sealed to the same bytes: $name', (template) => {
		const wrapper = jsonOf<Wrapper>(template.serialized);
		const random = scriptedRandom(
			bytesOf(template.exchangePair.privateKey),
			wrapper.templateKey.id.slice('TRPRTK'.length),
			bytesOf(template.secretKey),
			bytesOf(readCipherField(template.contentField).nnc ?? ''),
		);
		const keys = signatureKeyPairOf(asSignaturePrivateKey(template.identityPrivateKey));
		const identity = { address: template.creatorAddress, keys };
		const sealed = sealTemplate(wrapper.content, identity, random);
		expect(sealed.content).toBe(template.contentField);
		expect(sealed).toMatchObject({
			secretKey: template.secretKey,
			templateKeyId: wrapper.templateKey.id,
			templateKeyPair: {
				publicKey: template.exchangePair.publicKey,
				privateKey: template.exchangePair.privateKey,
			},
		});
		expect(wrapper.templateKey.pub).toBe(template.exchangePair.publicKey);
	});

	it.each(recorded)('carries the recorded signed text: $name', ({ serialized, signed }) => {
		expect(jsonOf<{ serializedTemplate: string }>(signed).serializedTemplate).toBe(serialized);
	});

	it.each(transport.cases)('is the cipher that was recorded: $name', (template) => {
		const cipher = readCipherField(template.backbonePostBody.content);
		expect({ ...cipher, '@type': 'CryptoCipher' }).toEqual(jsonOf(template.cipherJson));
		expect(template.peer.backboneGetResponse.content).toBe(writeCipherField(cipher));
	});
});

describe('the reference of a recorded template', () => {
	const forms = [
		...wire.templates.map((template) => ({
			name: template.variant,
			truncated: template.truncatedReference,
			url: template.url,
			id: template.templateId,
			key: jsonOf<{ key: string }>(template.secretKeyJson).key,
			forIdentity: template.createRequestBody.forIdentity,
			password: template.password,
			salt: template.salt,
			hash: template.createRequestBody.password,
		})),
		...transport.cases.map((template) => ({
			name: template.name,
			truncated: template.reference.truncated,
			url: template.reference.url,
			id: template.ownDTO.id,
			key: template.secretKey,
			forIdentity: template.backbonePostBody.forIdentity,
			password: template.passwordProtection?.password,
			salt: template.passwordProtection?.salt,
			hash: template.backbonePostBody.password,
		})),
	];

	it.each(forms)('is read and written again: $name', (form) => {
		const reference = parseReference(form.truncated);
		expect(parseReference(form.url)).toEqual(reference);
		expect(writeTruncatedReference(reference)).toBe(form.truncated);
		expect(writeReferenceUrl(reference)).toBe(form.url);
		expect(reference).toMatchObject({ kind: 'template', id: form.id, key: form.key });
		const hint = form.forIdentity === undefined ? undefined : truncateForIdentity(form.forIdentity);
		expect(reference.forIdentityTruncated).toBe(hint);
		expect(reference.passwordProtection?.salt).toBe(form.salt);
	});

	it.each(transport.cases)('hides nothing but the recorded text: $name', ({ reference }) => {
		expect(textOfForm(reference.truncated)).toBe(reference.truncatedDecoded);
		expect(textOfForm(new URL(reference.url).hash.slice(1))).toBe(reference.urlFragmentDecoded);
	});

	const protectedForms = forms.filter((form) => form.password !== undefined);

	it.each(protectedForms)('has the recorded password hash: $name', async (form) => {
		const salt = bytesOf(form.salt ?? '');
		expect(await hashPasswordForBackbone(form.password ?? '', salt)).toBe(form.hash);
	});

	const inputs = transport.cases.flatMap(
		({ name, runtimeRequest, passwordProtection: stored, backbonePostBody: { password: hash } }) =>
			stored === undefined
				? []
				: [{ name, input: runtimeRequest.passwordProtection, stored, hash }],
	);

	it.each(inputs)('stems from what the caller asked for: $name', ({ input, stored, hash }) => {
		const { password, passwordType, passwordLocationIndicator } = stored;
		expect(readPasswordProtectionInput(input)).toEqual({
			password,
			passwordType,
			...(passwordLocationIndicator === undefined ? {} : { passwordLocationIndicator }),
		});
		expect(encodeBase64(bytesOf(stored.salt))).toBe(stored.saltBase64);
		expect(hash).toBe(stored.hashBase64);
	});

	it.each(wire.templates)('is loaded with the recorded query: $variant', (template) => {
		const hash = template.createRequestBody.password;
		const query = hash === undefined ? null : `?password=${encodeURIComponent(hash)}`;
		expect(query).toBe(template.loadQuery);
	});
});

describe('a template made by hand (receiver-cases.json)', () => {
	const { cases } = readVectors<{
		cases: Array<{
			object: string;
			note: string;
			result: string;
			reference?: {
				id: string;
				keyJson: string;
				forIdentityTruncated?: string;
				passwordProtected?: true;
			};
			backboneObject: { content: string; createdBy: string };
		}>;
	}>('receiver-cases.json');
	const templates = cases.filter(({ object }) => object === 'template');
	const address = wire.identities['B']?.address ?? '';
	const codes: Record<string, string> = { 'rejected: object not readable': notReadable };

	const load = (index: number, withHardening: boolean): unknown => {
		const template = templates[index];
		if (template?.reference === undefined) throw new Error('A case without reference');
		const { content, createdBy } = template.backboneObject;
		const { id } = template.reference;
		const key = asSecretKey(jsonOf<{ key: string }>(template.reference.keyJson).key);
		const { forIdentityTruncated, passwordProtected } = template.reference;
		requireLoadable(
			{
				kind: 'template',
				id,
				key,
				...(forIdentityTruncated === undefined ? {} : { forIdentityTruncated }),
				...(passwordProtected === undefined
					? {}
					: { passwordProtection: { passwordType: 'pw', salt: 'A'.repeat(22) } }),
			},
			{ address },
		);
		return withHardening ? openTemplate(content, key, { createdBy }) : readTemplate(content, key);
	};
	const numbered = templates.map((template, index) => ({ index, ...template }));

	it.each(numbered)('is judged like the official receiver does: $note', ({ index, result }) => {
		const code = codeThrownBy(() => load(index, false));
		expect(code).toBe(result === 'accepted' ? 'nothing was thrown' : (codes[result] ?? result));
	});

	/* transport 20.3: the official receiver accepts an address that does not belong to the key. */
	const hardened = ['identity address that does not belong to the public key'];

	it.each(numbered)('is judged by our rules: $note', ({ index, note, result }) => {
		const code = codeThrownBy(() => load(index, true));
		const official = result === 'accepted' ? 'nothing was thrown' : (codes[result] ?? result);
		expect(code).toBe(hardened.includes(note) ? 'error.transport.signatureNotValid' : official);
	});
});

describe('a template', () => {
	const keys = generateKeys();
	const content = { '@type': 'ArbitraryRelationshipTemplateContent', value: { a: 1 } };

	function generateKeys(): () => SignatureKeyPair {
		let pair: SignatureKeyPair | undefined;
		return () => (pair ??= generateSignatureKeyPair(systemRandom));
	}
	const ownAddress = (): string => deriveAddress(keys().publicKey, 'localhost');
	const seal = (value: JsonObject, address = ownAddress()): ReturnType<typeof sealTemplate> =>
		sealTemplate(value, { address, keys: keys() }, systemRandom);
	const open = (sealed: ReturnType<typeof sealTemplate>, createdBy = ownAddress()): unknown =>
		openTemplate(sealed.content, sealed.secretKey, { createdBy }).content;

	it('that we sealed is opened', () => {
		expect(open(seal(content))).toEqual(content);
	});

	it('of another identity than the Backbone says is refused', () => {
		const other = deriveAddress(generateSignatureKeyPair(systemRandom).publicKey, 'localhost');
		const code = 'error.transport.signatureNotValid';
		expect(codeThrownBy(() => open(seal(content), other))).toBe(code);
		expect(codeThrownBy(() => open(seal(content, other), other))).toBe(code);
	});

	it('of an identity that was deleted meanwhile is opened', () => {
		const { client, backbone } = deletedIdentityPseudonyms('localhost');
		expect(open(seal(content), client)).toEqual(content);
		expect(open(seal(content), backbone)).toEqual(content);
	});

	it.each([
		[{ a: 1 }, 'nothing was thrown'],
		[{ '@type': 'NoSuchType' }, unknownType],
		[{ '@type': 7 }, servalError],
		[{ ...content, '@version': 2 }, unknownType],
		[{ ...content, '@version': 1 }, 'nothing was thrown'],
		[{ '@type': 'toString' }, unknownType],
		[{ '@type': 'ArbitraryRelationshipTemplateContent' }, notReadable],
		[{ '@type': 'RelationshipTemplateContent', onNewRelationship: { items: [] } }, notReadable],
		[{ '@type': 'RelationshipTemplateContent', onNewRelationship: { items: 1 } }, servalError],
		[{ '@type': 'Mail', to: ['x'], subject: '', body: '' }, 'nothing was thrown'],
	])('with content %j gives: %s', (value, code) => {
		expect(codeThrownBy(() => open(seal(value as JsonObject)))).toBe(code);
	});

	it('with another key is not decrypted', () => {
		const sealed = seal(content);
		const other = { ...sealed, secretKey: seal(content).secretKey };
		expect(codeThrownBy(() => open(other))).toBe('error.crypto.encryption.decrypt');
	});

	const wrapperWith = (change: object): string =>
		JSON.stringify({
			content,
			identity: {
				address: ownAddress(),
				publicKey: { pub: keys().publicKey, alg: 3 },
			},
			templateKey: { id: 'TRPRTKabcdefghijklmn', pub: keys().publicKey, alg: 3 },
			...change,
		});
	const sealedBy = (serializedTemplate: string): ReturnType<typeof sealTemplate> => {
		const deviceSignature = sign(serializedTemplate, keys().privateKey, 2);
		const sealed = seal(content);
		const text = JSON.stringify({ deviceSignature, serializedTemplate });
		const cipher = encrypt(sealed.secretKey, text, systemRandom);
		return { ...sealed, content: writeCipherField(cipher) };
	};

	const publicKey = { pub: 'A'.repeat(43), alg: 3 };

	it.each([
		['a list as content', { content: [] }],
		['null as content', { content: null }],
		['no identity', { identity: undefined }],
		['an identity of another type', { identity: { '@type': 'Mail' } }],
		['an endless address', { identity: { address: 'a'.repeat(2_000), publicKey } }],
		['an endless template key id', { templateKey: { id: 'a'.repeat(2_000) } }],
	])('with %s is refused', (_, change) => {
		expect(codeThrownBy(() => open(sealedBy(wrapperWith(change))))).toMatch(
			/^error\.(runtime\.requestDeserialization|crypto\.wrongSerializedBuffer)$/,
		);
	});

	it('without content changes is opened, so that the refusals above have their reason', () => {
		expect(open(sealedBy(wrapperWith({})))).toEqual(content);
	});

	it('that is not JSON inside is refused', () => {
		const sealed = seal(content);
		const cipher = encrypt(sealed.secretKey, 'not JSON', systemRandom);
		const broken = { ...sealed, content: writeCipherField(cipher) };
		expect(codeThrownBy(() => open(broken))).toBe(notReadable);
	});
});

itReadsItsVectors(__filename);
