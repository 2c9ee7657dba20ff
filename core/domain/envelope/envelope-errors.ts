import { defineErrors } from '../../base/errors';

const askSender =
	'The object was damaged or made by incompatible software; ask its sender for it again.';

/**
 * Failures of opening what a peer sealed. Source: docs/protocol/crypto-and-identity.md 5,
 * docs/protocol/transport.md 18.2
 */
export const envelopeErrors = defineErrors({
	signatureNotValid: {
		code: 'error.transport.signatureNotValid',
		kind: 'forbidden',
		remedy: 'Do not trust the object: it was not made by the identity that it names.',
	},
	notReadable: {
		code: 'error.runtime.requestDeserialization',
		kind: 'invalid',
		remedy: askSender,
	},
	unknownType: {
		code: 'error.runtime.unknownType',
		kind: 'invalid',
		remedy: 'The sender uses a kind of content that this version does not know; update it.',
	},
	servalError: {
		code: 'error.runtime.servalError',
		kind: 'invalid',
		remedy: askSender,
	},
	noRelationship: {
		code: 'error.transport.recordNotFound',
		kind: 'notFound',
		remedy: 'Messages are read only from peers with a relationship; synchronise and try again.',
	},
	ownAddressNotInList: {
		code: 'error.transport.messages.ownAddressNotInList',
		kind: 'invalid',
		remedy: askSender,
	},
	signatureListMismatch: {
		code: 'error.transport.messages.signatureListMismatch',
		kind: 'invalid',
		remedy: askSender,
	},
	messageSignatureNotValid: {
		code: 'error.transport.messages.signatureNotValid',
		kind: 'forbidden',
		remedy: 'Do not trust the message: it was not signed by the peer that it names.',
	},
	plaintextMismatch: {
		code: 'error.transport.messages.plaintextMismatch',
		kind: 'invalid',
		remedy: askSender,
	},
	cipherMismatch: {
		code: 'error.transport.files.cipherMismatch',
		kind: 'invalid',
		remedy: 'The file was damaged at the Backbone or on its way; download it again.',
	},
	plaintextHashMismatch: {
		code: 'error.transport.files.plaintextHashMismatch',
		kind: 'invalid',
		remedy: 'The file is not the one that its owner described; ask for it again.',
	},
	invalidChallenge: {
		code: 'error.runtime.validation.invalidPropertyValue',
		kind: 'invalid',
		remedy: 'Give challengeString and signature exactly as the other side created them.',
	},
});
