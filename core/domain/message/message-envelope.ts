import * as z from 'zod';
import type { Random } from '../../base/random';
import type { SecretKeyJson } from '../../crypto/json-forms';
import {
	nested,
	readCipherField,
	readSecretKey,
	readSignature,
	secretKeySchema,
	writeCipherField,
	writeSecretKey,
} from '../../crypto/json-forms';
import type { SecretKey, SignaturePublicKey } from '../../crypto/keys';
import type { RelationshipSecrets } from '../../crypto/relationship-secrets';
import { decryptText, encrypt, generateSecretKey, textOf } from '../../crypto/secret-key';
import { sign, signatureLabels, verify } from '../../crypto/signature-keys';
import type { Transmission } from '../../crypto/transmission';
import { decryptWithCounter, encryptWithCounter } from '../../crypto/transmission';
import { parseWireJson } from '../../crypto/wire-json';
import { evidenceIn, type Evidence } from '../../model/content/version-evidence';
import { parseInstant } from '../../model/instant';
import type { JsonObject } from '../../model/json';
import {
	contentSchema,
	readEnvelopeText,
	readEnvelopeValue,
	readReceivedContent,
	shortText,
} from '../envelope/envelope-content';
import { envelopeErrors } from '../envelope/envelope-errors';
import type { SendIntentRecord } from '../../model/record/message';

/*
 * A message at the Backbone: one body for all recipients under a fresh key, and that key for each
 * of them under the keys of the relationship. Source: docs/protocol/crypto-and-identity.md 5.4,
 * docs/protocol/transport.md 7
 */

export interface MessageAttachment {
	readonly id: string;
	/** metadata key of the file */
	readonly key: SecretKey;
	readonly backboneBaseUrl?: string | undefined;
}

export interface MessageToSeal {
	readonly content: JsonObject;
	readonly attachments: readonly MessageAttachment[];
	/** canonical instant of the sender's clock */
	readonly createdAt: string;
	/** nonce of the body, random by default; the key of the body is always a new one */
	readonly bodyNonce?: Uint8Array | undefined;
	readonly recipients: ReadonlyArray<{
		readonly address: string;
		readonly secrets: RelationshipSecrets;
		/** reserved durably by the caller and used here only */
		readonly counter: number;
	}>;
}

/** The body of POST Messages and the key to read it again. */
export interface SealedMessage {
	readonly postBody: NonNullable<SendIntentRecord['postBody']>;
	readonly messageKey: SecretKey;
}

/** Message as the Backbone returns it, as far as it is opened here. */
export interface MessageEnvelope {
	readonly body: string;
	readonly recipients: ReadonlyArray<{ readonly address: string; readonly encryptedKey: string }>;
}

export interface OpenedMessage {
	readonly content: JsonObject;
	readonly attachments: MessageAttachment[];
	/** instant as signed by the sender; the public message carries the Backbone's instant instead */
	readonly createdAt: string;
	/** text that the sender signed */
	readonly signedText: string;
	/** all recipients that the sender named */
	readonly recipients: string[];
	readonly messageKey: SecretKey;
	/** facts about the wallet that wrote the content, as far as the content shows them */
	readonly evidence?: Evidence;
}

export function sealMessage(message: MessageToSeal, random: Random): SealedMessage {
	const messageKey = generateSecretKey(random);
	const keyText = JSON.stringify(writeSecretKey(messageKey));
	const recipients = message.recipients.map(({ address, secrets, counter }) => ({
		address,
		encryptedKey: writeCipherField(encryptWithCounter(secrets.transmit, keyText, counter)),
	}));
	const serialized = JSON.stringify({
		'@type': 'MessageContentWrapper',
		attachments: message.attachments.map(writeAttachment),
		content: message.content,
		createdAt: message.createdAt,
		recipients: message.recipients.map(({ address }) => address),
	});
	const signed = JSON.stringify({
		'@type': 'MessageSigned',
		message: serialized,
		signatures: message.recipients.map(({ address, secrets }) => {
			const { privateKey } = secrets.signature;
			const signature = sign(serialized, privateKey, signatureLabels.relationship);
			// Text instead of an object, which official receivers refuse.
			return { recipient: address, signature: JSON.stringify(signature) };
		}),
	});
	const body = writeCipherField(encrypt(messageKey, signed, random, message.bodyNonce));
	const attachments = message.attachments.map(({ id }) => ({ id }));
	return { postBody: { attachments, body, recipients }, messageKey };
}

const attachmentMembers = z.object({
	id: shortText,
	key: secretKeySchema,
	backboneBaseUrl: shortText.optional(),
});

const messageWrapperSchema = z.object({
	attachments: z
		.array(
			nested(['FileReference'], (value): MessageAttachment =>
				readEnvelopeValue(value, attachmentMembers, 'an attachment'),
			),
		)
		.max(1_000)
		.nullish(),
	content: contentSchema,
	createdAt: z.string().refine((text) => parseInstant(text) !== undefined, 'not a date'),
	recipients: z.array(shortText).max(10_000),
});

const signatureEntryMembers = z.object({ recipient: shortText, signature: shortText });

const signedMessageSchema = z.object({
	message: z.string(),
	signatures: z
		.array(
			nested(['MessageSignature'], (value) =>
				readEnvelopeValue(value, signatureEntryMembers, 'a message signature'),
			),
		)
		.max(10_000),
});

type SignedMessage = z.infer<typeof signedMessageSchema>;

/**
 * Opens a received message, with the checks of the official receiver in the same order.
 *
 * @param receiver with the secrets of a relationship to the sender, if there is one
 * @throws `error.transport.recordNotFound`, `error.transport.messages.ownAddressNotInList`,
 * `error.crypto.encryption.decrypt`, `error.transport.messages.signatureListMismatch`,
 * `error.transport.messages.signatureNotValid`, `error.transport.messages.plaintextMismatch`,
 * `error.runtime.unknownType`, `error.runtime.servalError`, `error.runtime.requestDeserialization`
 */
export function openMessage(
	message: MessageEnvelope,
	receiver: {
		readonly address: string;
		readonly secrets: RelationshipSecrets | undefined;
		/** named in the error without a relationship */
		readonly sender?: string;
	},
): OpenedMessage {
	const { address, secrets, sender = 'the sender' } = receiver;
	if (secrets === undefined) {
		const details = { message: `Expected a relationship with ${sender}, found none` };
		throw envelopeErrors.create('noRelationship', details);
	}
	const messageKey = openMessageKey(message, address, secrets.receive);
	const signed = readSigned(message.body, messageKey);
	requireMessageSignature(signed, address, secrets.peerSignatureKey);
	const opened = readWrapper(signed, messageKey);
	if (opened.recipients.includes(address)) return opened;
	throw envelopeErrors.create('plaintextMismatch', {
		message: 'Expected the own address among the signed recipients, it is not there',
	});
}

/**
 * Opens a message of this account, whose key it can decrypt like the recipient.
 *
 * @param recipient with the secrets of the relationship to it
 * @throws the codes of `openMessage`
 */
export function openOwnMessage(
	message: MessageEnvelope,
	{ address, secrets }: { readonly address: string; readonly secrets: RelationshipSecrets },
): OpenedMessage {
	const messageKey = openMessageKey(message, address, secrets.transmit);
	const signed = readSigned(message.body, messageKey);
	requireMessageSignature(signed, address, secrets.signature.publicKey);
	return readWrapper(signed, messageKey);
}

function openMessageKey(
	message: MessageEnvelope,
	address: string,
	transmission: Transmission,
): SecretKey {
	const entry = message.recipients.find((recipient) => recipient.address === address);
	if (entry === undefined) {
		const details = { message: `Expected ${address} among the recipients, it is not there` };
		throw envelopeErrors.create('ownAddressNotInList', details);
	}
	const keyText = textOf(decryptWithCounter(transmission, readCipherField(entry.encryptedKey)));
	return readSecretKey(parseWireJson(keyText));
}

function readSigned(body: string, messageKey: SecretKey): SignedMessage {
	const text = decryptText(messageKey, readCipherField(body));
	return readEnvelopeText(text, signedMessageSchema, 'a signed message');
}

function requireMessageSignature(
	signed: SignedMessage,
	address: string,
	peerKey: SignaturePublicKey,
): void {
	const entry = signed.signatures.find((signature) => signature.recipient === address);
	if (entry === undefined) {
		const details = { message: 'Expected a signature for the own address, found none' };
		throw envelopeErrors.create('signatureListMismatch', details);
	}
	if (verify(signed.message, readSignature(parseWireJson(entry.signature)), peerKey)) return;
	throw envelopeErrors.create('messageSignatureNotValid', {
		message: 'Expected a message signed by the peer, the signature does not fit',
	});
}

function readWrapper(signed: SignedMessage, messageKey: SecretKey): OpenedMessage {
	const wrapper = readEnvelopeText(signed.message, messageWrapperSchema, 'a message');
	const content = readReceivedContent(wrapper.content);
	const evidence = evidenceIn(wrapper.content);
	return {
		...wrapper,
		content,
		signedText: signed.message,
		attachments: wrapper.attachments ?? [],
		messageKey,
		...(evidence === undefined ? {} : { evidence }),
	};
}

function writeAttachment(attachment: MessageAttachment): {
	backboneBaseUrl?: string;
	id: string;
	key: SecretKeyJson;
} {
	const { backboneBaseUrl, id, key } = attachment;
	const base = backboneBaseUrl === undefined ? {} : { backboneBaseUrl };
	return { ...base, id, key: writeSecretKey(key) };
}
