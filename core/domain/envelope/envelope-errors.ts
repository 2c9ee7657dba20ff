import { general } from '../../base/error-definitions';
import { defineErrors } from '../../base/errors';

const askSender =
	'The object was damaged or made by incompatible software; ask its sender for it again.';

/**
 * Failures to open an object that a peer has sealed. Source: docs/protocol/crypto-and-identity.md
 * 5, docs/protocol/transport.md 18.2
 */
export const envelopeErrors = defineErrors({
	signatureNotValid: general.signatureNotValid,
	notReadable: {
		...general.unreadableContent,
		remedy: askSender,
	},
	unknownType: {
		...general.unknownType,
		remedy: 'The sender uses a kind of content that this version does not know; update it.',
	},
	servalError: {
		...general.servalError,
		remedy: askSender,
	},
	noRelationship: {
		...general.neededRecordNotFound,
		remedy: 'Messages are read only from peers with a relationship; synchronise and try again.',
	},
	ownAddressNotInList: {
		code: 'error.transport.messages.ownAddressNotInList',
		kind: 'invalid',
		meaning: 'This account is not among the recipients of a message that was delivered to it.',
		remedy: askSender,
	},
	signatureListMismatch: {
		code: 'error.transport.messages.signatureListMismatch',
		kind: 'invalid',
		meaning: 'The signatures of a message do not fit its recipients.',
		remedy: askSender,
	},
	messageSignatureNotValid: {
		code: 'error.transport.messages.signatureNotValid',
		kind: 'forbidden',
		meaning: 'The signature of a message is not valid.',
		remedy: 'Do not trust the message: it was not signed by the peer that it names.',
	},
	plaintextMismatch: {
		code: 'error.transport.messages.plaintextMismatch',
		kind: 'invalid',
		meaning: 'The signed recipients of a message do not include this account.',
		remedy: askSender,
	},
	cipherMismatch: {
		code: 'error.transport.files.cipherMismatch',
		kind: 'invalid',
		meaning: 'The encrypted content of a file does not fit its hash.',
		remedy: 'The file was damaged at the Backbone or on its way; download it again.',
	},
	plaintextHashMismatch: {
		code: 'error.transport.files.plaintextHashMismatch',
		kind: 'invalid',
		meaning: 'The decrypted content of a file does not fit its hash.',
		remedy:
			'The content of the file differs from what its owner has described; ask the owner for the file again.',
	},
	invalidChallenge: {
		...general.invalidPropertyValue,
		remedy: 'Give challengeString and signature exactly as the other side created them.',
	},
});
