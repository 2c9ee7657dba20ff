import * as z from 'zod';
import type { Random } from '../../base/random';
import type { ExchangeKeyPair } from '../../crypto/exchange-keys';
import { generateExchangeKeyPair } from '../../crypto/exchange-keys';
import {
	memberReader,
	nested,
	readCipherField,
	readExchangePublicKey,
	signatureSchema,
	writeCipherField,
	writePublicKey,
} from '../../crypto/json-forms';
import type { ExchangePublicKey, SecretKey } from '../../crypto/keys';
import { decryptText, encrypt, generateSecretKey } from '../../crypto/secret-key';
import type { SignatureKeyPair } from '../../crypto/signature-keys';
import { sign, signatureLabels, verify } from '../../crypto/signature-keys';
import { toDialect } from '../../model/content/dialects';
import { versionShownBy } from '../../model/content/version-evidence';
import type { PeerVersion } from '../../model/peer-version';
import type { TemplateRecord } from '../../model/record/template';
import type { JsonObject } from '../../model/json';
import { newId } from '../../model/ids';
import {
	contentSchema,
	readEnvelopeText,
	readEnvelopeValue,
	readReceivedContent,
	shortText,
} from '../envelope/envelope-content';
import { envelopeErrors } from '../envelope/envelope-errors';
import type { EnvelopeIdentity } from '../envelope/envelope-identity';
import {
	envelopeIdentitySchema,
	requireIdentityOf,
	writeEnvelopeIdentity,
} from '../envelope/envelope-identity';

/*
 * The `content` of a relationship template at the Backbone: a wrapper with content, identity and
 * exchange key of the templator, signed by its identity key, encrypted with a key that travels in
 * the reference only. Source: docs/protocol/crypto-and-identity.md 5.1, docs/protocol/transport.md
 * 4
 */

/** Template ready to be posted. The caller stores everything but `content` before posting. */
export interface SealedTemplate {
	/** field of the Backbone */
	readonly content: string;
	/** key in the reference */
	readonly secretKey: SecretKey;
	/** `TRPRTK...` */
	readonly templateKeyId: string;
	/** key pair whose private half opens every relationship that is made from this template */
	readonly templateKeyPair: ExchangeKeyPair;
}

export interface OpenedTemplate {
	readonly content: JsonObject;
	readonly identity: EnvelopeIdentity;
	readonly templateKey: { readonly id: string; readonly publicKey: ExchangePublicKey };
	/** version of the wallet that wrote the content, if recognizable */
	readonly ownerVersion?: PeerVersion;
}

/** @param identity address and identity key pair of the templator */
export function sealTemplate(
	content: JsonObject,
	identity: { readonly address: string; readonly keys: SignatureKeyPair },
	random: Random,
): SealedTemplate {
	const templateKeyPair = generateExchangeKeyPair(random);
	const templateKeyId = newId('templateKey', random);
	const { address, keys } = identity;
	const serializedTemplate = JSON.stringify({
		'@type': 'RelationshipTemplateContentWrapper',
		// The reader is unknown at this time.
		content: toDialect(undefined, content, templateKeyId),
		identity: writeEnvelopeIdentity({ address, publicKey: keys.publicKey }),
		templateKey: { id: templateKeyId, ...writePublicKey(templateKeyPair.publicKey) },
	});
	const signed = JSON.stringify({
		'@type': 'RelationshipTemplateSigned',
		// Signed with the identity key in spite of its name, because loaders verify it with that key.
		deviceSignature: sign(serializedTemplate, keys.privateKey, signatureLabels.identity),
		serializedTemplate,
	});
	const secretKey = generateSecretKey(random);
	const cipher = encrypt(secretKey, signed, random);
	return { content: writeCipherField(cipher), secretKey, templateKeyId, templateKeyPair };
}

const signedTemplateSchema = z.object({
	deviceSignature: signatureSchema,
	serializedTemplate: z.string(),
});

const templateKeySchema = nested(
	['RelationshipTemplatePublicKey'],
	(value): OpenedTemplate['templateKey'] => ({
		id: readEnvelopeValue(memberReader(value, 'a template key')('id', 'id'), shortText, 'an id'),
		publicKey: readExchangePublicKey(value),
	}),
);

const templateWrapperSchema = z.object({
	content: contentSchema,
	identity: envelopeIdentitySchema,
	templateKey: templateKeySchema,
});

/**
 * Decrypts a template, verifies the signature with the key inside the wrapper, and checks that the
 * templator is the identity that the Backbone names.
 *
 * @param field `content` of the Backbone's template
 * @throws `error.crypto.encryption.decrypt` for another key
 * @throws `error.transport.signatureNotValid`
 * @throws `error.runtime.unknownType`, `error.runtime.servalError`,
 * `error.runtime.requestDeserialization`
 */
export function openTemplate(
	field: string,
	secretKey: SecretKey,
	expected: { readonly createdBy: string },
): OpenedTemplate {
	const template = readTemplate(field, secretKey);
	requireIdentityOf(template.identity, expected.createdBy);
	return template;
}

/**
 * Applies the checks of official software, which does not compare the templator with the Backbone's
 * creator.
 */
export function readTemplate(field: string, secretKey: SecretKey): OpenedTemplate {
	const text = decryptText(secretKey, readCipherField(field));
	const signed = readEnvelopeText(text, signedTemplateSchema, 'a signed template');
	const { serializedTemplate, deviceSignature } = signed;
	const wrapper = readEnvelopeText(serializedTemplate, templateWrapperSchema, 'a template');
	if (!verify(serializedTemplate, deviceSignature, wrapper.identity.publicKey)) {
		const message = 'Expected a template signed by its templator, the signature does not fit';
		throw envelopeErrors.create('signatureNotValid', { message });
	}
	const ownerVersion = versionShownBy(wrapper.content);
	return {
		...wrapper,
		content: readReceivedContent(wrapper.content),
		...(ownerVersion === undefined ? {} : { ownerVersion }),
	};
}

/**
 * Rejects a template by another owner than before. A person who has the reference can encrypt other
 * content with its key; with the help of the Backbone that content would replace the owner's signed
 * template.
 *
 * @throws `error.transport.signatureNotValid`
 */
export function requireSameOwner(
	known: TemplateRecord | undefined,
	opened: Pick<TemplateRecord, 'identity'>,
): void {
	if (known === undefined || known.identity.address === opened.identity.address) return;
	throw envelopeErrors.create('signatureNotValid', {
		message: `The template '${known.id}' was made by another identity when it was loaded before.`,
		facts: { templateId: known.id },
	});
}
