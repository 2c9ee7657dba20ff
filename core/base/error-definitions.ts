import type { ErrorDefinition } from './errors';

/**
 * Definitions of the codes that several nouns give. A catalogue refers to them:
 * `notFound: { ...general.recordNotFound, remedy: '…' }`, with the advice of its situation.
 */
export const general = {
	invalidPropertyValue: {
		code: 'error.runtime.validation.invalidPropertyValue',
		kind: 'invalid',
		meaning:
			'A value of the input is missing or not valid. The message names the field and what was expected.',
		remedy: 'Correct the named field.',
	},
	invalidTags: {
		code: 'error.consumption.attributes.invalidTags',
		kind: 'invalid',
		meaning: 'Tags of an attribute or file are not valid for its type of value in version 7.',
		remedy: "Use tags of the Backbone's collection, or tags that begin with 'x:'.",
	},
	accountExists: {
		code: 'error.gateway.accounts.exists',
		kind: 'conflict',
		meaning: 'The HTTP gateway has an account of this name already, in any letter case.',
		remedy: 'Choose another name, or delete the account of this name first.',
	},
	recordNotFound: {
		code: 'error.runtime.recordNotFound',
		kind: 'notFound',
		meaning: 'The object does not exist, or this account may not see it.',
		remedy:
			'It may be expired, deleted, meant for another identity, or protected by another password.',
	},
	/** A record that the protocol needs, and not the object that the caller named. */
	neededRecordNotFound: {
		code: 'error.transport.recordNotFound',
		kind: 'notFound',
		meaning: 'A record that is needed is not stored in this account.',
		remedy: 'The record this event needs is not in the store of this account.',
	},
	unreadableContent: {
		code: 'error.runtime.requestDeserialization',
		kind: 'invalid',
		meaning:
			'Content does not have the form that the protocol defines. The message names the member.',
		remedy: 'Correct the named member of the content.',
	},
	unknownType: {
		code: 'error.runtime.unknownType',
		kind: 'invalid',
		meaning: 'Content has a type that this version does not know.',
		remedy: "Check the spelling of '@type'; types are case sensitive.",
	},
	servalError: {
		code: 'error.runtime.servalError',
		kind: 'invalid',
		meaning: 'Content has a member of the wrong kind. The message names the member.',
		remedy: "Give a list where one is expected, and '@type' and '@version' as text.",
	},
	/** Input or a state on which official software fails with an internal error. */
	unknown: {
		code: 'error.runtime.unknown',
		kind: 'invalid',
		meaning:
			'The operation is not possible in the state of the object, or its input is not valid. The message says why.',
		remedy: 'Correct the named member of the content.',
	},
	notIntendedForYou: {
		code: 'error.transport.general.notIntendedForYou',
		kind: 'forbidden',
		meaning: 'The object is personalized for another identity.',
		remedy:
			'The object was made for another identity; ask its creator for an object for this identity.',
	},
	signatureNotValid: {
		code: 'error.transport.signatureNotValid',
		kind: 'forbidden',
		meaning: 'A signature does not fit the object and the identity that it names.',
		remedy: 'Do not trust the object: it was not made by the identity that it names.',
	},
	invalidTokenContent: {
		code: 'error.runtime.invalidTokenContent',
		kind: 'invalid',
		meaning: 'The token holds another kind of content than this operation needs.',
		remedy: 'Use content, or a token with content, of the kind that this operation accepts.',
	},
	invalidConfiguration: {
		code: 'error.gateway.configuration.invalid',
		kind: 'invalid',
		meaning: 'A value of the credential or configuration is missing or not valid.',
		remedy: 'Correct the named field of the credential or configuration.',
	},
	unexpectedAnswer: {
		code: 'error.gateway.backbone.unexpectedAnswer',
		kind: 'unavailable',
		meaning: 'The answer of the Backbone does not have the form that the protocol defines.',
		remedy: 'The Backbone violates the protocol; report this to its operator.',
	},
	insufficientDatawalletVersion: {
		code: 'error.transport.datawallet.insufficientSupportedDatawalletVersion',
		kind: 'conflict',
		meaning:
			'The data of this identity at the Backbone has a version that this package does not support.',
		remedy: 'The identity was used by newer software; update this package.',
	},
	outcomeUnknown: {
		code: 'error.gateway.messages.outcomeUnknown',
		kind: 'unavailable',
		meaning: 'The Backbone did not confirm a message, for example because the connection was lost.',
		remedy:
			'Syncs look for the message at the Backbone. At the latest some minutes after the call it is known whether it was sent, and an event says it (transport.messageSent or gateway.messageNotSent). Repeating the same step waits for this and does not send it twice.',
	},
	noAccessToken: {
		code: 'error.transport.request.noAuthGrant',
		kind: 'forbidden',
		meaning: 'The Backbone gave no access token to this identity.',
		remedy: 'The identity may have been deleted, or its store is an outdated copy.',
	},
	noAccessTokenForClient: {
		code: 'error.transport.request.noAuthPossible',
		kind: 'forbidden',
		meaning:
			'The Backbone gave no access token, because it rejected the client or its token endpoint failed.',
		remedy:
			'Check client ID and client secret; the Backbone does not say which of the two is wrong.',
	},
	noSyncBeforeDeletion: {
		code: 'error.platform.validation.syncRun.cannotStartSyncRunWhileIdentityIsToBeDeleted',
		kind: 'conflict',
		meaning: 'The Backbone starts no sync, because the identity is to be deleted.',
		remedy:
			'To keep the identity, cancel its deletion; messages that peers send in the meantime arrive then.',
	},
} as const satisfies Readonly<Record<string, ErrorDefinition>>;
