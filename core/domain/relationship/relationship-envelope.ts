import * as z from 'zod';
import type { Random } from '../../base/random';
import { isGatewayError, type GatewayError } from '../../base/errors';
import type { ExchangeKeyPair } from '../../crypto/exchange-keys';
import type { Cipher } from '../../crypto/cipher';
import { type Signature, cipherSchema, signatureSchema } from '../../crypto/json-forms';
import type { SecretKey, SignaturePrivateKey, SignaturePublicKey } from '../../crypto/keys';
import {
	type PublicRequest,
	type PublicResponse,
	publicRequestSchema,
	publicResponseSchema,
	writePublicRequest,
	writePublicResponse,
} from '../../crypto/relationship-public-parts';
import {
	type RelationshipSecrets,
	type RequestSecrets,
	completeRequestorSecrets,
	publicRequestOf,
	publicResponseOf,
	requestKeyForTemplator,
} from '../../crypto/relationship-secrets';
import { decryptText, encrypt, textOf } from '../../crypto/secret-key';
import { sign, signatureLabels, verify } from '../../crypto/signature-keys';
import { decryptWithCounter, encryptWithCounter } from '../../crypto/transmission';
import { readBase64Form, writeBase64Form } from '../../crypto/wire-json';
import type { JsonObject } from '../../model/json';
import {
	contentSchema,
	readEnvelopeText,
	readEnvelopeValue,
	requireKnownContent,
	shortText,
} from '../envelope/envelope-content';
import { envelopeErrors } from '../envelope/envelope-errors';
import {
	type EnvelopeIdentity,
	envelopeIdentitySchema,
	requireIdentityOf,
	writeEnvelopeIdentity,
} from '../envelope/envelope-identity';

/*
 * `creationContent` and `creationResponseContent` of a relationship at the Backbone: a clear part
 * with fresh keys and a cipher with the signed content.
 * Source: docs/protocol/crypto-and-identity.md 5.2, 5.3, docs/protocol/transport.md 5
 */

/** Outer object of a creation, before anything is decrypted. */
export interface CreationEnvelope {
	readonly cipher: Cipher;
	readonly publicRequest: PublicRequest;
}

export interface OpenedCreation {
	readonly content: JsonObject;
	/** identity of the requestor */
	readonly identity: EnvelopeIdentity;
	readonly templateId: string;
	readonly publicRequest: PublicRequest;
}

/**
 * Seals the `creationContent` that the requestor posts. The caller stores the secrets before
 * posting.
 */
export function sealCreationContent(
	creation: {
		readonly content: JsonObject;
		readonly templateId: string;
		readonly identity: EnvelopeIdentity;
		readonly devicePrivateKey: SignaturePrivateKey;
		readonly secrets: RequestSecrets;
	},
	random: Random,
): string {
	const { content, identity, templateId, secrets } = creation;
	const serializedCreationContent = JSON.stringify({
		'@type': 'RelationshipCreationContentWrapper',
		content,
		identity: writeEnvelopeIdentity(identity),
		templateId,
	});
	const signatures = signTwice(serializedCreationContent, creation.devicePrivateKey, secrets);
	const signed = JSON.stringify({ ...signatures, serializedCreationContent });
	return writeBase64Form({
		'@type': 'RelationshipCreationContentCipher',
		cipher: encrypt(secrets.requestKey, signed, random),
		publicCreationContentCrypto: writePublicRequest(publicRequestOf(secrets)),
	});
}

const creationEnvelopeSchema = z.object({
	cipher: cipherSchema,
	publicCreationContentCrypto: publicRequestSchema,
});

const signedCreationSchema = z.object({
	deviceSignature: signatureSchema,
	relationshipSignature: signatureSchema,
	serializedCreationContent: z.string(),
});

const creationWrapperSchema = z.object({
	content: contentSchema,
	identity: envelopeIdentitySchema,
	templateId: shortText,
});

/** @throws `error.crypto.wrongSerializedBuffer`, `error.runtime.requestDeserialization` */
export function readCreationEnvelope(field: string): CreationEnvelope {
	const value = readBase64Form(field, 'a creation content');
	const outer = readEnvelopeValue(value, creationEnvelopeSchema, 'a creation content');
	return { cipher: outer.cipher, publicRequest: outer.publicCreationContentCrypto };
}

/**
 * Decrypts and verifies a creation for the templator, and checks that it was made by the identity
 * and for the template that the Backbone names. The caller then makes the secrets with
 * `createTemplatorSecrets(opened.publicRequest, ...)`.
 *
 * @param expected `from` and `relationshipTemplateId` of the Backbone's relationship
 * @throws `error.crypto.encryption.decrypt`
 * @throws `error.transport.signatureNotValid`
 * @throws `error.runtime.unknownType`, `error.runtime.requestDeserialization`
 */
export function openCreationContent(
	field: string,
	templateKeyPair: ExchangeKeyPair,
	expected: {
		readonly from: string;
		readonly templateId: string;
	},
): OpenedCreation {
	const creation = readCreationContent(field, templateKeyPair);
	requireIdentityOf(creation.identity, expected.from);
	if (creation.templateId === expected.templateId) return creation;
	throw envelopeErrors.create('signatureNotValid', {
		message: `Expected a creation for template ${expected.templateId}, found one for another`,
	});
}

/**
 * Applies the checks of official software, which does not compare the creation with the Backbone's
 * relationship.
 */
export function readCreationContent(
	field: string,
	templateKeyPair: ExchangeKeyPair,
): OpenedCreation {
	const envelope = readCreationEnvelope(field);
	const requestKey = requestKeyForTemplator(envelope.publicRequest, templateKeyPair);
	return openCreation(envelope, requestKey);
}

/** Decrypts a creation that the requestor has made itself. */
export function openOwnCreationContent(
	field: string,
	secrets: Pick<RequestSecrets, 'requestKey'>,
): OpenedCreation {
	return openCreation(readCreationEnvelope(field), secrets.requestKey);
}

function openCreation(
	{ cipher, publicRequest }: CreationEnvelope,
	requestKey: SecretKey,
): OpenedCreation {
	const text = decryptText(requestKey, cipher);
	const signed = readEnvelopeText(text, signedCreationSchema, 'a signed creation');
	const { serializedCreationContent: serialized, relationshipSignature } = signed;
	requireSignature(serialized, relationshipSignature, publicRequest.signatureKey);
	const wrapper = readEnvelopeText(serialized, creationWrapperSchema, 'a creation');
	requireKnownContent(wrapper.content);
	return { ...wrapper, publicRequest };
}

/**
 * Seals the `creationResponseContent` that the templator sends with the acceptance.
 *
 * @param response `counter` is reserved durably by the caller and used here only
 */
export function sealCreationResponse(response: {
	readonly relationshipId: string;
	readonly devicePrivateKey: SignaturePrivateKey;
	readonly secrets: RelationshipSecrets;
	readonly counter: number;
}): string {
	const { relationshipId, secrets, counter } = response;
	const serializedCreationResponseContent = JSON.stringify({
		'@type': 'RelationshipCreationResponseContentWrapper',
		relationshipId,
	});
	const signatures = signTwice(
		serializedCreationResponseContent,
		response.devicePrivateKey,
		secrets,
	);
	const signed = JSON.stringify({ ...signatures, serializedCreationResponseContent });
	return writeBase64Form({
		'@type': 'RelationshipCreationResponseContentCipher',
		cipher: encryptWithCounter(secrets.transmit, signed, counter),
		publicCreationResponseContentCrypto: writePublicResponse(publicResponseOf(secrets)),
	});
}

const responseEnvelopeSchema = z.object({
	cipher: cipherSchema,
	publicCreationResponseContentCrypto: publicResponseSchema,
});

/*
 * Leaves out the cipher: official requestors read only the public part, so a cipher in an unknown
 * form must not stop the acceptance.
 */
const publicResponseOnlySchema = responseEnvelopeSchema.omit({ cipher: true });

const signedResponseSchema = z.object({
	deviceSignature: signatureSchema,
	relationshipSignature: signatureSchema,
	serializedCreationResponseContent: z.string(),
});

const responseWrapperSchema = z.object({ relationshipId: shortText });

export interface OpenedCreationResponse {
	/** complete secrets, whatever the verdict: official software does not check the rest */
	readonly secrets: RelationshipSecrets;
	/** undefined when cipher, signature and relationship id are valid; otherwise the reason */
	readonly failure: GatewayError | undefined;
}

/**
 * Completes the requestor's secrets with the public part of the acceptance and verifies the cipher
 * beside it.
 *
 * @throws only when the public part is unusable: `error.crypto.*`,
 * `error.runtime.requestDeserialization`
 * @see docs/protocol/transport.md 5.4, 20.4
 */
export function openCreationResponse(
	field: string,
	request: RequestSecrets,
	relationshipId: string,
): OpenedCreationResponse {
	const value = readBase64Form(field, 'a creation response');
	const outer = readEnvelopeValue(value, publicResponseOnlySchema, 'a creation response');
	const publicResponse = outer.publicCreationResponseContentCrypto;
	const secrets = completeRequestorSecrets(request, publicResponse);
	try {
		verifyResponse(value, secrets, publicResponse, relationshipId);
		return { secrets, failure: undefined };
	} catch (error) {
		if (!isGatewayError(error)) throw error;
		return { secrets, failure: error };
	}
}

function verifyResponse(
	value: unknown,
	secrets: RelationshipSecrets,
	publicResponse: PublicResponse,
	relationshipId: string,
): void {
	const { cipher } = readEnvelopeValue(value, responseEnvelopeSchema, 'a creation response');
	const text = textOf(decryptWithCounter(secrets.receive, cipher));
	const signed = readEnvelopeText(text, signedResponseSchema, 'a signed creation response');
	const { serializedCreationResponseContent: serialized, relationshipSignature } = signed;
	requireSignature(serialized, relationshipSignature, publicResponse.signatureKey);
	const wrapper = readEnvelopeText(serialized, responseWrapperSchema, 'a creation response');
	if (wrapper.relationshipId === relationshipId) return;
	throw envelopeErrors.create('signatureNotValid', {
		message: `Expected a response for relationship ${relationshipId}, found another`,
	});
}

function signTwice(
	serialized: string,
	devicePrivateKey: SignaturePrivateKey,
	secrets: Pick<RequestSecrets, 'signature'>,
): { deviceSignature: Signature; relationshipSignature: Signature } {
	const relationshipKey = secrets.signature.privateKey;
	return {
		deviceSignature: sign(serialized, devicePrivateKey, signatureLabels.device),
		relationshipSignature: sign(serialized, relationshipKey, signatureLabels.relationship),
	};
}

function requireSignature(
	serialized: string,
	signature: Signature,
	publicKey: SignaturePublicKey,
): void {
	if (verify(serialized, signature, publicKey)) return;
	throw envelopeErrors.create('signatureNotValid', {
		message: 'Expected content signed with the key beside it, the signature does not fit',
	});
}
