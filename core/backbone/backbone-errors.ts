import { defineErrors } from '../base/errors';

const checkAddress = 'Check the Backbone address and that it can be reached from this machine.';
const tryLater = 'Try again later; if it stays, ask the operator of the Backbone.';
const checkClientPair =
	'Check client ID and client secret; the Backbone does not say which of the two is wrong.';

/**
 * Errors of the connection to the Backbone. Codes with `error.transport` and `error.platform` are
 * those of `docs/protocol/backbone-api.md` 25 and `docs/protocol/transport.md` 18.2; where the
 * protocol has none, ours start with `error.gateway.backbone`.
 *
 * Codes that the Backbone itself sends in a 400, 404 or 500 are passed on unchanged (`problem.ts`).
 */
export const backboneErrors = defineErrors({
	baseUrlNotSet: {
		code: 'error.transport.general.baseUrlNotSet',
		kind: 'invalid',
		remedy: 'Enter the address of the Backbone, for example https://backbone.example.com.',
	},
	invalidBaseUrl: {
		code: 'error.transport.general.invalidBaseUrl',
		kind: 'invalid',
		remedy: 'Enter scheme and host only, for example https://backbone.example.com.',
	},
	invalidPushUrl: {
		code: 'error.gateway.backbone.invalidPushUrl',
		kind: 'invalid',
		remedy:
			'Enter scheme and host of the push service only, for example https://push.example.com, or leave it empty.',
	},
	clientIdNotSet: {
		code: 'error.transport.general.platformClientIdNotSet',
		kind: 'invalid',
		remedy: 'Enter the client ID that the operator of the Backbone gave you.',
	},
	clientSecretNotSet: {
		code: 'error.transport.general.platformClientSecretNotSet',
		kind: 'invalid',
		remedy: 'Enter the client secret that the operator of the Backbone gave you.',
	},
	clientInvalid: {
		code: 'error.transport.general.platformClientInvalid',
		kind: 'forbidden',
		remedy: checkClientPair,
	},
	versionNotSupported: {
		code: 'error.gateway.backbone.versionNotSupported',
		kind: 'invalid',
		remedy: 'Use a Backbone of major version 6 or 7, or a release of this package that fits it.',
	},
	notABackbone: {
		code: 'error.gateway.backbone.notABackbone',
		// A proxy answers so while the Backbone is restarted: what is right stays right.
		kind: 'unavailable',
		remedy:
			'Check the Backbone address: something else answers there. If it has worked before, it may be a proxy while the Backbone is restarted; then try again later.',
	},
	redirected: {
		code: 'error.gateway.backbone.redirected',
		kind: 'invalid',
		remedy: 'If you trust the address it points to, enter that one as Backbone address.',
	},
	tooLate: {
		code: 'error.gateway.backbone.tooLate',
		kind: 'unavailable',
		remedy: 'Repeat it: the computer was asleep, or this process was held up for long.',
	},
	aborted: {
		code: 'error.transport.request.aborted',
		kind: 'unavailable',
		remedy: tryLater,
	},
	connectionFailed: {
		code: 'error.transport.request.unknown',
		kind: 'unavailable',
		remedy: checkAddress,
	},
	addressNotFound: {
		code: 'error.transport.request.addressNotFound',
		kind: 'unavailable',
		remedy: 'Check the host name of the Backbone address and the name resolution of this machine.',
	},
	bodyLengthExceeded: {
		code: 'error.transport.request.bodyLengthExceeded',
		kind: 'invalid',
		remedy: 'Send less at once: the Backbone takes at most 10 MiB per content.',
	},
	badRequest: {
		code: 'error.transport.request.badRequest',
		kind: 'invalid',
		remedy: checkAddress,
	},
	notFound: {
		code: 'error.transport.request.notFound',
		kind: 'notFound',
		remedy: checkAddress,
	},
	resultUndefined: {
		code: 'error.transport.request.resultUndefined',
		kind: 'unavailable',
		remedy: 'See whether a proxy answers instead of the Backbone; otherwise try again later.',
	},
	unexpectedAnswer: {
		code: 'error.gateway.backbone.unexpectedAnswer',
		kind: 'unavailable',
		remedy: 'The Backbone does not keep to the protocol; report it to its operator.',
	},
	answerTooLarge: {
		code: 'error.gateway.backbone.answerTooLarge',
		kind: 'unavailable',
		remedy: 'The Backbone does not keep to the protocol; report it to its operator.',
	},
	pageTooLarge: {
		code: 'error.gateway.backbone.pageTooLarge',
		kind: 'unavailable',
		remedy: 'The Backbone does not keep to the protocol; report it to its operator.',
	},
	tooManyPages: {
		code: 'error.gateway.backbone.tooManyPages',
		kind: 'unavailable',
		remedy: 'The Backbone does not keep to the protocol; report it to its operator.',
	},
	grantRefused: {
		code: 'error.transport.request.noAuthGrant',
		kind: 'forbidden',
		remedy: 'The identity may have been deleted, or its store is not the newest one.',
	},
	identityDeleted: {
		code: 'error.gateway.identity.deleted',
		kind: 'forbidden',
		remedy:
			"The grace period is over and nobody can bring the identity back. What is stored here can still be read; remove it when you do not need it any more, and enter another 'Account Name' for a new identity.",
	},
	grantFailed: {
		code: 'error.transport.request.noAuthGrant',
		kind: 'unavailable',
		remedy: checkAddress,
	},
	clientRefused: {
		code: 'error.transport.request.noAuthPossible',
		kind: 'forbidden',
		remedy: checkClientPair,
	},
	authenticationUnavailable: {
		code: 'error.transport.request.noAuthPossible',
		kind: 'unavailable',
		remedy: tryLater,
	},
	credentialsMissing: {
		code: 'error.transport.secrets.secretNotFound',
		kind: 'internal',
		remedy: 'Create or open an identity first.',
	},
	unauthorized: {
		code: 'error.platform.unauthorized',
		kind: 'forbidden',
		remedy:
			'The Backbone does not accept the access token that it has just given. A token holds only at the address at which it was asked for: enter the address that the Backbone itself uses, with the same host name everywhere (localhost and 127.0.0.1 are two), and have a proxy pass that name on. Compare the clocks of this machine and of the Backbone, too.',
	},
	forbidden: {
		code: 'error.platform.forbidden',
		kind: 'forbidden',
		remedy: 'Only the identity that owns the object may do this.',
	},
	quotaExhausted: {
		code: 'error.platform.unexpected',
		kind: 'unavailable',
		remedy:
			'Wait until the quota is renewed, or ask the operator of the Backbone for more. An identity that is to be deleted has none: cancel its deletion first.',
	},
	unexpected: {
		code: 'error.platform.unexpected',
		kind: 'unavailable',
		remedy: tryLater,
	},
	recordNotFound: {
		code: 'error.runtime.recordNotFound',
		kind: 'notFound',
		remedy:
			'It may be expired, deleted, meant for another identity, or protected by another password.',
	},
	deletedOwner: {
		code: 'error.transport.relationships.deletedOwnerOfRelationshipTemplate',
		kind: 'conflict',
		remedy: 'The owner of the template is gone; a relationship is no longer possible.',
	},
	insufficientDatawalletVersion: {
		code: 'error.transport.datawallet.insufficientSupportedDatawalletVersion',
		kind: 'conflict',
		remedy: 'The identity was used by newer software; update this package.',
	},
	invalidId: {
		code: 'error.runtime.validation.invalidPropertyValue',
		kind: 'invalid',
		remedy: 'Give the id as the Backbone wrote it: three capital letters and up to 17 characters.',
	},
	pushEnded: {
		code: 'error.gateway.backbone.pushEnded',
		kind: 'unavailable',
		remedy: 'The connection is opened again by itself.',
	},
	pushSilent: {
		code: 'error.gateway.backbone.pushSilent',
		kind: 'unavailable',
		remedy: 'The connection is opened again by itself; see whether a proxy buffers the stream.',
	},
	pushNotAvailable: {
		code: 'error.gateway.backbone.pushNotAvailable',
		kind: 'unavailable',
		remedy:
			"Syncing at the interval goes on. The push service may have an address of its own: ask the operator of the Backbone for it, and enter it as 'Push Address' in the credential ('modules.sse.baseUrlOverride' for the HTTP gateway).",
	},
	pushNotRegistered: {
		code: 'error.gateway.backbone.pushNotRegistered',
		kind: 'unavailable',
		remedy:
			'The connection is opened again by itself. If this happens often, ask the operator to look at the push service.',
	},
	closed: {
		code: 'error.gateway.backbone.closed',
		kind: 'unavailable',
		remedy: 'The gateway was closed while the call was under way; open it again.',
	},
});
