import { general } from '../../base/error-definitions';
import { defineErrors } from '../../base/errors';

/**
 * Coded errors of webhooks: of those in the settings, which stop the start
 * (docs/protocol/http-api.md 11, 17.1), and of those that clients register.
 */
export const webhookErrors = defineErrors({
	invalidTargetReference: {
		code: 'error.runtime.modules.webhooks.invalidTargetReference',
		kind: 'invalid',
		meaning: 'A webhook names a target that is not configured.',
		remedy: 'Name a target of modules.webhooks.targets, or define the target in place.',
	},
	invalidUrlFormat: {
		code: 'error.runtime.modules.webhooks.invalidUrlFormat',
		kind: 'invalid',
		meaning: 'The address of a webhook is not a usable address.',
		remedy: 'Give an address that begins with https:// or http://.',
	},
	invalidAuthenticationConfig: {
		code: 'error.runtime.modules.webhooks.invalidAuthenticationConfig',
		kind: 'invalid',
		meaning: 'The authentication of a webhook is not complete or not valid.',
		remedy:
			'Give type ApiKey with apiKey (and headerName), or type OAuth2 with accessTokenUrl, clientId and clientSecret (and scope).',
	},
	forbiddenAddress: {
		code: 'error.gateway.webhooks.forbiddenAddress',
		kind: 'forbidden',
		meaning: 'The address of a webhook leads to a network that must not be called.',
		remedy:
			'Choose another target: link-local addresses and cloud metadata services are never called.',
	},
	privateAddress: {
		code: 'error.gateway.webhooks.privateAddress',
		kind: 'forbidden',
		meaning: 'The target of a registered webhook is in a private network, or not allowed at all.',
		remedy:
			'Give a public address. Targets in private networks need modules.registeredWebhooks.allowPrivateTargets; link-local addresses and cloud metadata services are never called.',
	},
	ownAddress: {
		code: 'error.gateway.webhooks.ownAddress',
		kind: 'invalid',
		meaning: 'The target of a webhook is a route of this gateway, which would call itself.',
		remedy: 'Give the address of the program that receives the events.',
	},
	tooMany: {
		code: 'error.gateway.webhooks.tooMany',
		kind: 'conflict',
		meaning: 'The account has as many webhooks as it may have.',
		remedy: 'Delete webhooks that are not needed, or let one webhook receive several events.',
	},
	invalidInput: general.invalidPropertyValue,
	notFound: { ...general.recordNotFound, remedy: 'Check the ID; the webhook may be deleted.' },
});
