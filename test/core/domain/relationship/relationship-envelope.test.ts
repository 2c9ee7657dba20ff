import { systemRandom } from '../../../../core/base/random';
import { generateExchangeKeyPair } from '../../../../core/crypto/exchange-keys';
import { readCipher } from '../../../../core/crypto/json-forms';
import { asExchangePrivateKey, asSignaturePrivateKey } from '../../../../core/crypto/keys';
import type { SignaturePrivateKey } from '../../../../core/crypto/keys';
import {
	exchangeAsRequestor,
	exchangeAsTemplator,
	exchangeKeyPairOf,
} from '../../../../core/crypto/exchange-keys';
import {
	createRequestSecrets,
	createTemplatorSecrets,
	publicRequestOf,
} from '../../../../core/crypto/relationship-secrets';
import type {
	RelationshipSecrets,
	RequestSecrets,
} from '../../../../core/crypto/relationship-secrets';
import {
	generateSignatureKeyPair,
	signatureKeyPairOf,
} from '../../../../core/crypto/signature-keys';
import { loadSodium } from '../../../../core/crypto/sodium';
import { readBase64Form, writeBase64Form } from '../../../../core/crypto/wire-json';
import {
	openCreationContent,
	openCreationResponse,
	openOwnCreationContent,
	readCreationContent,
	readCreationEnvelope,
	sealCreationContent,
	sealCreationResponse,
} from '../../../../core/domain/relationship/relationship-envelope';
import { deriveAddress } from '../../../../core/model/address';
import type { JsonObject } from '../../../../core/model/json';
import {
	randomOfTemplator,
	relationshipSecrets,
	requestSecrets,
} from '../../crypto/official-secrets';
import type {
	OfficialPair,
	OfficialRequestSecrets,
	OfficialSecrets,
} from '../../crypto/official-secrets';
import { bytesOf, codeThrownBy, jsonOf, scriptedRandom } from '../../crypto/vector-files';
import { readVectors } from '../../../support/vectors';
import { itReadsItsVectors } from '../../../support/reads-its-vectors';

interface Recorded {
	name: string;
	templateId: string;
	templatePrivateKey: string;
	relationshipId: string;
	requestor: { address: string; identityPrivateKey: string; devicePrivateKey: string };
	templator: { devicePrivateKey: string };
	request: OfficialRequestSecrets;
	creationContent: string;
	serializedCreation: string;
	signedCreation: string;
	templatorSecrets: OfficialSecrets;
	response: string;
	serializedResponse: string;
	signedResponse: string;
	requestorSecrets: OfficialSecrets;
}

interface WireIdentity {
	address: string;
	identityPrivateKeyJson: string;
	devicePrivateKeyJson: string;
}

const wire = readVectors<{
	identities: Record<'A' | 'B', WireIdentity>;
	templates: Array<{ variant: string; templateId: string; templateExchangeKeypairJson: string }>;
	relationship: {
		template: string;
		relationshipId: string;
		createRequestBody: { creationContent: string };
		requestorRequestSecretsJson: string;
		creationContentOuterJson: string;
		creationContentSignedJson: string;
		creationContentSignedUtf8: string;
		templatorSecretsJson: string;
		acceptRequestBody: { creationResponseContent: string };
		creationResponseOuterJson: string;
		creationResponseSignedJson: string;
		creationResponseSignedUtf8: string;
		requestorSecretsAfterAcceptanceJson: string;
	};
}>('wire-objects.json');

interface TransportIdentity {
	address: string;
	identityPrivateKey: string;
	devicePrivateKey: string;
}

const transport = readVectors<{
	identities: Record<string, TransportIdentity>;
	cases: Array<{
		name: string;
		templatorName: string;
		requestorName: string;
		template: {
			id: string;
			exchangeKeypair: { privateKey: string; publicKey: string };
			templatorIdentityPublicKey: string;
		};
		request: {
			requestorSecrets: OfficialRequestSecrets;
			kxOfEphemeralWithTemplateKey: { ownTx: string; ownRx: string };
			requestSecretKey: string;
			nonce: string;
			backbonePostBody: { creationContent: string };
			creationContentJson: string;
			signedPlaintext: string;
			serializedCreationContent: string;
			backbonePostResponse: { id: string };
		};
		templatorSide: {
			templatorSecrets: OfficialSecrets;
			kxOfExchangeKeys: { ownTx: string; ownRx: string };
			backboneGetResponse: { creationContent: string; from: string };
		};
		acceptance: {
			backbonePutBody: { creationResponseContent: string };
			creationResponseContentJson: string;
			signedPlaintext: string;
			serializedCreationResponseContent: string;
			requestorSecretsAfterAcceptance: OfficialSecrets;
			requestorKxOfExchangeKeys: { ownTx: string; ownRx: string };
		};
	}>;
}>('transport-relationships.json');

const prvOf = (json: string): string => jsonOf<{ prv: string }>(json).prv;
const templateOf = (variant: string): (typeof wire.templates)[number] => {
	const template = wire.templates.find((candidate) => candidate.variant === variant);
	if (template === undefined) throw new Error(`No template ${variant} in the vectors`);
	return template;
};
const identityOf = (name: string): TransportIdentity => {
	const identity = transport.identities[name];
	if (identity === undefined) throw new Error(`No identity ${name} in the vectors`);
	return identity;
};

const { relationship } = wire;
const recorded: Recorded[] = [
	{
		name: 'wire-objects',
		templateId: templateOf(relationship.template).templateId,
		templatePrivateKey: jsonOf<OfficialPair>(
			templateOf(relationship.template).templateExchangeKeypairJson,
		).prv.prv,
		relationshipId: relationship.relationshipId,
		requestor: {
			address: wire.identities.B.address,
			identityPrivateKey: prvOf(wire.identities.B.identityPrivateKeyJson),
			devicePrivateKey: prvOf(wire.identities.B.devicePrivateKeyJson),
		},
		templator: { devicePrivateKey: prvOf(wire.identities.A.devicePrivateKeyJson) },
		request: jsonOf(relationship.requestorRequestSecretsJson),
		creationContent: relationship.createRequestBody.creationContent,
		serializedCreation: relationship.creationContentSignedUtf8,
		signedCreation: relationship.creationContentSignedJson,
		templatorSecrets: jsonOf(relationship.templatorSecretsJson),
		response: relationship.acceptRequestBody.creationResponseContent,
		serializedResponse: relationship.creationResponseSignedUtf8,
		signedResponse: relationship.creationResponseSignedJson,
		requestorSecrets: jsonOf(relationship.requestorSecretsAfterAcceptanceJson),
	},
	...transport.cases.map((entry) => ({
		name: `transport-relationships ${entry.name}`,
		templateId: entry.template.id,
		templatePrivateKey: entry.template.exchangeKeypair.privateKey,
		relationshipId: entry.request.backbonePostResponse.id,
		requestor: identityOf(entry.requestorName),
		templator: identityOf(entry.templatorName),
		request: entry.request.requestorSecrets,
		creationContent: entry.request.backbonePostBody.creationContent,
		serializedCreation: entry.request.serializedCreationContent,
		signedCreation: entry.request.signedPlaintext,
		templatorSecrets: entry.templatorSide.templatorSecrets,
		response: entry.acceptance.backbonePutBody.creationResponseContent,
		serializedResponse: entry.acceptance.serializedCreationResponseContent,
		signedResponse: entry.acceptance.signedPlaintext,
		requestorSecrets: entry.acceptance.requestorSecretsAfterAcceptance,
	})),
];

const pairOf = (privateKey: string): ReturnType<typeof exchangeKeyPairOf> =>
	exchangeKeyPairOf(asExchangePrivateKey(privateKey));

interface Creation {
	content: JsonObject;
	templateId: string;
}

beforeAll(loadSodium);

describe('a recorded creation', () => {
	it.each(recorded)('is opened by the templator: $name', (entry) => {
		const { content } = jsonOf<Creation>(entry.serializedCreation);
		const opened = openCreationContent(entry.creationContent, pairOf(entry.templatePrivateKey), {
			from: entry.requestor.address,
			templateId: entry.templateId,
		});
		const identityKey = asSignaturePrivateKey(entry.requestor.identityPrivateKey);
		expect(opened).toEqual({
			content,
			identity: {
				address: entry.requestor.address,
				publicKey: signatureKeyPairOf(identityKey).publicKey,
			},
			templateId: entry.templateId,
			publicRequest: publicRequestOf(requestSecrets(entry.request)),
		});
	});

	it.each(recorded)('leads the templator to the recorded secrets: $name', (entry) => {
		const { publicRequest } = readCreationEnvelope(entry.creationContent);
		const secrets = createTemplatorSecrets(
			publicRequest,
			pairOf(entry.templatePrivateKey),
			randomOfTemplator(entry.templatorSecrets),
		);
		expect(secrets).toEqual(relationshipSecrets(entry.templatorSecrets));
	});

	it.each(recorded)('is read again by the requestor: $name', (entry) => {
		const { content } = jsonOf<Creation>(entry.serializedCreation);
		const request = requestSecrets(entry.request);
		const completed = relationshipSecrets(entry.requestorSecrets);
		for (const secrets of [request, completed]) {
			const opened = openOwnCreationContent(entry.creationContent, secrets);
			expect(opened.content).toEqual(content);
		}
	});

	it.each(recorded)('is sealed to the same bytes: $name', (entry) => {
		const { content, templateId } = jsonOf<Creation>(entry.serializedCreation);
		const nonce = readCreationEnvelope(entry.creationContent).cipher.nnc ?? '';
		const identityKey = asSignaturePrivateKey(entry.requestor.identityPrivateKey);
		const field = sealCreationContent(
			{
				content,
				templateId,
				identity: {
					address: entry.requestor.address,
					publicKey: signatureKeyPairOf(identityKey).publicKey,
				},
				devicePrivateKey: asSignaturePrivateKey(entry.requestor.devicePrivateKey),
				secrets: requestSecrets(entry.request),
			},
			scriptedRandom(bytesOf(nonce)),
		);
		expect(field).toBe(entry.creationContent);
		expect(
			jsonOf<{ serializedCreationContent: string }>(entry.signedCreation).serializedCreationContent,
		).toBe(entry.serializedCreation);
	});
});

describe('a recorded acceptance', () => {
	it.each(recorded)('completes the requestor and is genuine: $name', (entry) => {
		const opened = openCreationResponse(
			entry.response,
			requestSecrets(entry.request),
			entry.relationshipId,
		);
		expect(opened.failure).toBeUndefined();
		expect(opened.secrets).toEqual(relationshipSecrets(entry.requestorSecrets));
	});

	it.each(recorded)('is sealed to the same bytes: $name', (entry) => {
		const field = sealCreationResponse({
			relationshipId: entry.relationshipId,
			devicePrivateKey: asSignaturePrivateKey(entry.templator.devicePrivateKey),
			secrets: relationshipSecrets(entry.templatorSecrets),
			counter: 0,
		});
		expect(field).toBe(entry.response);
		const { serializedCreationResponseContent: serialized } = jsonOf<{
			serializedCreationResponseContent: string;
		}>(entry.signedResponse);
		expect(serialized).toBe(entry.serializedResponse);
	});

	it('stands in the outer objects that wire-objects.json shows', () => {
		const { creationContentOuterJson, creationResponseOuterJson } = relationship;
		const { createRequestBody, acceptRequestBody } = relationship;
		expect(readBase64Form(createRequestBody.creationContent, 'it')).toEqual(
			jsonOf(creationContentOuterJson),
		);
		expect(readBase64Form(acceptRequestBody.creationResponseContent, 'it')).toEqual(
			jsonOf(creationResponseOuterJson),
		);
	});
});

describe('the intermediate values of transport-relationships.json', () => {
	it.each(transport.cases)('are computed: $name', (entry) => {
		const { request, templatorSide, acceptance, template } = entry;
		const secrets = requestSecrets(request.requestorSecrets);
		const templator = relationshipSecrets(templatorSide.templatorSecrets);
		const templatePair = pairOf(template.exchangeKeypair.privateKey);
		expect(templatePair.publicKey).toBe(template.exchangeKeypair.publicKey);
		expect(secrets.peerIdentityKey).toBe(template.templatorIdentityPublicKey);
		expect(exchangeAsRequestor(secrets.ephemeral, templatePair.publicKey)).toEqual({
			transmit: request.kxOfEphemeralWithTemplateKey.ownTx,
			receive: request.kxOfEphemeralWithTemplateKey.ownRx,
		});
		expect(exchangeAsTemplator(templator.exchange, secrets.exchange.publicKey)).toEqual({
			transmit: templatorSide.kxOfExchangeKeys.ownTx,
			receive: templatorSide.kxOfExchangeKeys.ownRx,
		});
		expect(exchangeAsRequestor(secrets.exchange, templator.exchange.publicKey)).toEqual({
			transmit: acceptance.requestorKxOfExchangeKeys.ownTx,
			receive: acceptance.requestorKxOfExchangeKeys.ownRx,
		});
		expect([secrets.requestKey, secrets.nonce]).toEqual([request.requestSecretKey, request.nonce]);
	});

	it.each(transport.cases)('are the ones of the Backbone fields: $name', (entry) => {
		const { request, templatorSide, acceptance } = entry;
		const created = request.backbonePostBody.creationContent;
		expect(readBase64Form(created, 'it')).toEqual(jsonOf(request.creationContentJson));
		expect(templatorSide.backboneGetResponse.creationContent).toBe(created);
		const accepted = acceptance.backbonePutBody.creationResponseContent;
		expect(readBase64Form(accepted, 'it')).toEqual(jsonOf(acceptance.creationResponseContentJson));
	});
});

describe('a creation made by hand (receiver-cases.json)', () => {
	const { cases } = readVectors<{
		cases: Array<{
			object: string;
			note: string;
			result: string;
			templateId: string;
			templateExchangeKeypairJson: string;
			backboneObject: { from: string; creationContent: string };
		}>;
	}>('receiver-cases.json');
	const creations = cases.filter(({ object }) => object === 'relationship creation');
	const pair = (json: string): ReturnType<typeof exchangeKeyPairOf> =>
		pairOf(jsonOf<OfficialPair>(json).prv.prv);

	it.each(creations)('is judged like the official receiver does: $note', (creation) => {
		const { backboneObject, templateExchangeKeypairJson, result } = creation;
		const code = codeThrownBy(() =>
			readCreationContent(backboneObject.creationContent, pair(templateExchangeKeypairJson)),
		);
		expect(code).toBe(result === 'accepted' ? 'nothing was thrown' : result);
	});

	/*
	 * All these name an address that belongs to no key, so our rules refuse those that the official
	 * receiver accepts (transport 20.3, 20.5).
	 */
	it.each(creations)('is refused by our rules: $note', (creation) => {
		const { backboneObject, templateExchangeKeypairJson, result, templateId } = creation;
		const code = codeThrownBy(() =>
			openCreationContent(backboneObject.creationContent, pair(templateExchangeKeypairJson), {
				from: backboneObject.from,
				templateId,
			}),
		);
		expect(code).toBe(result === 'accepted' ? 'error.transport.signatureNotValid' : result);
	});
});

describe('a relationship', () => {
	const plainContent = { '@type': 'ArbitraryRelationshipCreationContent', value: {} };
	const templateId = 'RLTabcdefghijklmnopq';
	const relationshipId = 'RELabcdefghijklmnopq';

	const begin = (
		content: JsonObject = plainContent,
	): {
		address: string;
		field: string;
		devicePrivateKey: SignaturePrivateKey;
		templatePair: ReturnType<typeof generateExchangeKeyPair>;
		secrets: RequestSecrets;
	} => {
		const identity = generateSignatureKeyPair(systemRandom);
		const address = deriveAddress(identity.publicKey, 'localhost');
		const templatePair = generateExchangeKeyPair(systemRandom);
		const secrets = createRequestSecrets(
			templatePair.publicKey,
			generateSignatureKeyPair(systemRandom).publicKey,
			systemRandom,
		);
		const devicePrivateKey = generateSignatureKeyPair(systemRandom).privateKey;
		const creation = {
			content,
			templateId,
			identity: { address, publicKey: identity.publicKey },
			devicePrivateKey,
			secrets,
		};
		const field = sealCreationContent(creation, systemRandom);
		return { address, field, devicePrivateKey, templatePair, secrets };
	};

	const accept = (
		begun: ReturnType<typeof begin>,
		counter = 0,
		id = relationshipId,
	): { response: string; templator: RelationshipSecrets } => {
		const { publicRequest } = readCreationEnvelope(begun.field);
		const templator = createTemplatorSecrets(publicRequest, begun.templatePair, systemRandom);
		const { devicePrivateKey } = begun;
		const response = sealCreationResponse({
			relationshipId: id,
			devicePrivateKey,
			secrets: templator,
			counter,
		});
		return { response, templator };
	};

	it('is established from both ends', () => {
		const begun = begin();
		const { response, templator } = accept(begun, 7);
		const { secrets, failure } = openCreationResponse(response, begun.secrets, relationshipId);
		expect(failure).toBeUndefined();
		expect(secrets.transmit).toEqual(templator.receive);
		expect(secrets.receive).toEqual(templator.transmit);
		expect(secrets.peerSignatureKey).toBe(templator.signature.publicKey);
		expect(templator.peerSignatureKey).toBe(secrets.signature.publicKey);
	});

	it('for our template, from the identity that the Backbone names, is opened', () => {
		const { field, templatePair, address: from } = begin();
		const expected = { from, templateId };
		expect(openCreationContent(field, templatePair, expected).content).toEqual(plainContent);
	});

	it.each<[string, JsonObject, string]>([
		['an unknown type', { '@type': 'NoSuchType' }, 'error.runtime.unknownType'],
		['another version', { ...plainContent, '@version': 2 }, 'error.runtime.unknownType'],
		['a type that is not a text', { '@type': 7 }, 'error.runtime.unknownType'],
		['no type', { value: 1 }, 'nothing was thrown'],
		['a known type of another place', { '@type': 'Mail' }, 'nothing was thrown'],
	])('with content of %s is judged by the type only', (_, content, code) => {
		const { field, templatePair, address: from } = begin(content);
		const open = () => openCreationContent(field, templatePair, { from, templateId });
		expect(codeThrownBy(open)).toBe(code);
	});

	it.each([
		['from another identity', { from: 'did:e:localhost:dids:99eb14c41a68d5583aa004' }],
		['for another template', { templateId: 'RLTother000000000000' }],
	])('%s than the Backbone says is refused', (_, change) => {
		const { field, templatePair, address: from } = begin();
		const expected = { from, templateId, ...change };
		expect(codeThrownBy(() => openCreationContent(field, templatePair, expected))).toBe(
			'error.transport.signatureNotValid',
		);
	});

	it.each<[string, (response: Record<string, unknown>) => void, string]>([
		[
			'an altered cipher',
			(outer) => {
				const cipher = readCipher(outer['cipher']);
				outer['cipher'] = { ...cipher, cph: `AAAA${cipher.cph.slice(4)}` };
			},
			'error.crypto.encryption.decrypt',
		],
		['no cipher', (outer) => delete outer['cipher'], 'error.crypto.wrongSerializedBuffer'],
		[
			'another signature key',
			(outer) => {
				const publicPart = outer['publicCreationResponseContentCrypto'] as object;
				const pub = generateSignatureKeyPair(systemRandom).publicKey;
				outer['publicCreationResponseContentCrypto'] = {
					...publicPart,
					sig: { pub, alg: 3 },
				};
			},
			'error.transport.signatureNotValid',
		],
	])('accepted with %s is completed and found to be false', (_, change, code) => {
		const begun = begin();
		const outer = readBase64Form(accept(begun).response, 'it') as Record<string, unknown>;
		change(outer);
		const opened = openCreationResponse(writeBase64Form(outer), begun.secrets, relationshipId);
		expect(opened.failure?.code).toBe(code);
		expect(opened.secrets.role).toBe('requestor');
	});

	it('accepted under another id is completed and found to be false', () => {
		const begun = begin();
		const { response } = accept(begun, 0, 'RELother000000000000');
		const { failure } = openCreationResponse(response, begun.secrets, relationshipId);
		expect(failure?.code).toBe('error.transport.signatureNotValid');
	});

	it('accepted without a public part is refused', () => {
		const begun = begin();
		const field = writeBase64Form({ cipher: {} });
		expect(codeThrownBy(() => openCreationResponse(field, begun.secrets, relationshipId))).toBe(
			'error.crypto.wrongSerializedBuffer',
		);
	});
});

itReadsItsVectors(__filename);
