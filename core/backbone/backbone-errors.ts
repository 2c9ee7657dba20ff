import { general } from '../base/error-definitions';
import { defineErrors } from '../base/errors';

const checkAddress = 'Check the Backbone address and that it can be reached from this machine.';
const tryLater = 'Try again later. If the error persists, ask the operator of the Backbone.';
const checkClientPair =
	'Check client ID and client secret; the Backbone does not say which of the two is wrong.';

/**
 * Errors of the connection to the Backbone. Codes that begin with `error.transport` and
 * `error.platform` come from `docs/protocol/backbone-api.md` 25 and `docs/protocol/transport.md`
 * 18.2. Where the protocol defines no code, this package's own begins with
 * `error.gateway.backbone`.
 *
 * Codes that the Backbone itself sends in a 400, 404 or 500 are passed on unchanged (`problem.ts`).
 */
export const backboneErrors = defineErrors({
	baseUrlNotSet: {
		code: 'error.transport.general.baseUrlNotSet',
		kind: 'invalid',
		meaning: 'The credential or configuration has no Backbone address.',
		remedy: 'Enter the address of the Backbone, for example https://backbone.example.com.',
	},
	invalidBaseUrl: {
		code: 'error.transport.general.invalidBaseUrl',
		kind: 'invalid',
		meaning: 'The Backbone address is not a usable address. It may lack https:// or have a path.',
		remedy: 'Enter scheme and host only, for example https://backbone.example.com.',
	},
	invalidPushUrl: {
		code: 'error.gateway.backbone.invalidPushUrl',
		kind: 'invalid',
		meaning: 'The push address is not a usable address. It may lack https:// or have a path.',
		remedy:
			'Enter scheme and host of the push service only, for example https://push.example.com, or leave it empty.',
	},
	clientIdNotSet: {
		code: 'error.transport.general.platformClientIdNotSet',
		kind: 'invalid',
		meaning: 'The credential or configuration has no client ID.',
		remedy: 'Enter the client ID that the operator of the Backbone gave you.',
	},
	clientSecretNotSet: {
		code: 'error.transport.general.platformClientSecretNotSet',
		kind: 'invalid',
		meaning: 'The credential or configuration has no client secret.',
		remedy: 'Enter the client secret that the operator of the Backbone gave you.',
	},
	clientInvalid: {
		code: 'error.transport.general.platformClientInvalid',
		kind: 'forbidden',
		meaning: 'The Backbone rejected the client ID or the client secret.',
		remedy: checkClientPair,
	},
	versionNotSupported: {
		code: 'error.gateway.backbone.versionNotSupported',
		kind: 'invalid',
		meaning: 'The Backbone has a major version that this package does not support.',
		remedy: 'Use a Backbone of major version 6 or 7, or a release of this package that fits it.',
	},
	notABackbone: {
		code: 'error.gateway.backbone.notABackbone',
		// Not `invalid`: a proxy gives such an answer while the Backbone restarts, so a
		// correct address may fail.
		kind: 'unavailable',
		meaning: 'The server at the Backbone address does not answer like a Backbone.',
		remedy:
			'Check the Backbone address: something else answers there. If it has worked before, it may be a proxy while the Backbone is restarted; then try again later.',
	},
	redirected: {
		code: 'error.gateway.backbone.redirected',
		kind: 'invalid',
		meaning:
			'The Backbone address redirects to another address. Redirects are not followed, so that no secret reaches a server that was not named.',
		remedy:
			'If you trust the address to which it redirects, enter that address as the Backbone address.',
	},
	tooLate: {
		code: 'error.gateway.backbone.tooLate',
		kind: 'unavailable',
		meaning: 'The process was suspended for so long that the call could not be made in time.',
		remedy:
			'Repeat the operation. The computer was asleep, or this process was suspended for a long time.',
	},
	aborted: {
		code: 'error.transport.request.aborted',
		kind: 'unavailable',
		meaning:
			'The Backbone did not answer in time. It may be overloaded, or the connection is slow.',
		remedy: tryLater,
	},
	connectionFailed: {
		code: 'error.transport.request.unknown',
		kind: 'unavailable',
		meaning:
			'No connection to the Backbone could be made. A firewall, a proxy or a stopped server may be the reason.',
		remedy: checkAddress,
	},
	addressNotFound: {
		code: 'error.transport.request.addressNotFound',
		kind: 'unavailable',
		meaning: 'The host name of the Backbone address could not be resolved.',
		remedy: 'Check the host name of the Backbone address and the name resolution of this machine.',
	},
	bodyLengthExceeded: {
		code: 'error.transport.request.bodyLengthExceeded',
		kind: 'invalid',
		meaning: 'The content to send is larger than the Backbone accepts.',
		remedy: 'Send less at once: the Backbone takes at most 10 MiB per content.',
	},
	badRequest: {
		code: 'error.transport.request.badRequest',
		kind: 'invalid',
		meaning:
			'The Backbone rejected a call as malformed and gave no code. A proxy in between may have altered it.',
		remedy: checkAddress,
	},
	notFound: {
		code: 'error.transport.request.notFound',
		kind: 'notFound',
		meaning:
			'The Backbone does not know the address of the call and gave no code. The Backbone address may lead to another service.',
		remedy: checkAddress,
	},
	resultUndefined: {
		code: 'error.transport.request.resultUndefined',
		kind: 'unavailable',
		meaning: 'The answer of the Backbone is empty or is not JSON.',
		remedy: 'Check whether a proxy answers instead of the Backbone; otherwise try again later.',
	},
	unexpectedAnswer: general.unexpectedAnswer,
	answerTooLarge: {
		code: 'error.gateway.backbone.answerTooLarge',
		kind: 'unavailable',
		meaning: 'The answer of the Backbone is larger than any valid answer.',
		remedy: 'The Backbone violates the protocol; report this to its operator.',
	},
	pageTooLarge: {
		code: 'error.gateway.backbone.pageTooLarge',
		kind: 'unavailable',
		meaning: 'One page of a list of the Backbone has more entries than were requested.',
		remedy: 'The Backbone violates the protocol; report this to its operator.',
	},
	tooManyPages: {
		code: 'error.gateway.backbone.tooManyPages',
		kind: 'unavailable',
		meaning: 'A list of the Backbone is longer than any valid list.',
		remedy: 'The Backbone violates the protocol; report this to its operator.',
	},
	grantRefused: general.noAccessToken,
	identityDeleted: {
		code: 'error.gateway.identity.deleted',
		kind: 'forbidden',
		meaning: 'The identity of this account was deleted at the Backbone.',
		remedy:
			"The grace period is over, and the identity cannot be restored. The data that is stored here can still be read; remove it when you no longer need it. For a new identity, enter another 'Account Name'.",
	},
	grantFailed: {
		...general.noAccessToken,
		kind: 'unavailable',
		remedy: checkAddress,
	},
	clientRefused: {
		...general.noAccessTokenForClient,
		remedy: checkClientPair,
	},
	authenticationUnavailable: {
		...general.noAccessTokenForClient,
		kind: 'unavailable',
		remedy: tryLater,
	},
	credentialsMissing: {
		code: 'error.transport.secrets.secretNotFound',
		kind: 'internal',
		meaning: 'The call needs the credentials of an identity, and none are in use.',
		remedy: 'Create or open an identity first.',
	},
	unauthorized: {
		code: 'error.platform.unauthorized',
		kind: 'forbidden',
		meaning: 'The Backbone rejected the access token that it had just given.',
		remedy:
			'The Backbone does not accept the access token that it has just given. A token is valid only at the address at which it was requested. Enter the address that the Backbone itself uses, with the same host name everywhere (localhost and 127.0.0.1 are different names), and let a proxy pass on that name. Also compare the clocks of this machine and of the Backbone.',
	},
	forbidden: {
		code: 'error.platform.forbidden',
		kind: 'forbidden',
		meaning: 'The Backbone does not allow the operation for this identity.',
		remedy: 'Only the identity that owns the object may do this.',
	},
	quotaExhausted: {
		code: 'error.platform.quotaExhausted',
		kind: 'unavailable',
		meaning:
			'The Backbone refused the call, because a quota of the identity is used up. Nothing was sent or created.',
		remedy:
			'Repeat the call when the quota is renewed, or ask the operator of the Backbone for more. An identity that is to be deleted has no quotas: cancel its deletion first.',
	},
	unexpected: {
		code: 'error.platform.unexpected',
		kind: 'unavailable',
		meaning: 'The Backbone, or a proxy in front of it, failed.',
		remedy: tryLater,
	},
	recordNotFound: general.recordNotFound,
	deletedOwner: {
		code: 'error.transport.relationships.deletedOwnerOfRelationshipTemplate',
		kind: 'conflict',
		meaning: 'The identity that made the template was deleted.',
		remedy: 'The owner of the template is gone; a relationship is no longer possible.',
	},
	insufficientDatawalletVersion: general.insufficientDatawalletVersion,
	invalidId: {
		...general.invalidPropertyValue,
		remedy: 'Give the id as the Backbone wrote it: three capital letters and up to 17 characters.',
	},
	pushEnded: {
		code: 'error.gateway.backbone.pushEnded',
		kind: 'unavailable',
		meaning: 'The push connection ended. Proxies often close connections that stay open for long.',
		remedy: 'The gateway opens the connection again.',
	},
	pushSilent: {
		code: 'error.gateway.backbone.pushSilent',
		kind: 'unavailable',
		meaning: 'The push connection is open, but nothing arrives on it, not even keep-alive signals.',
		remedy: 'The gateway opens the connection again. Check whether a proxy buffers the stream.',
	},
	pushNotAvailable: {
		code: 'error.gateway.backbone.pushNotAvailable',
		kind: 'unavailable',
		meaning: 'The Backbone offers no push service at the expected address.',
		remedy:
			"Syncing at the interval continues. The push service may have an address of its own: ask the operator of the Backbone for it, and enter it as 'Push Address' in the credential ('modules.sse.baseUrlOverride' for the HTTP gateway).",
	},
	pushNotRegistered: {
		code: 'error.gateway.backbone.pushNotRegistered',
		kind: 'unavailable',
		meaning:
			'The push service did not report an event that a sync found, so its registration was probably lost.',
		remedy:
			'The gateway opens the connection again. If this happens often, ask the operator to check the push service.',
	},
	closed: {
		code: 'error.gateway.backbone.closed',
		kind: 'unavailable',
		meaning:
			'The gateway was closed during a call. n8n may have stopped, or the workflow was unpublished.',
		remedy: 'The gateway was closed while the call was under way; open it again.',
	},
});
