import { defineErrors } from '../../base/errors';

/** Coded errors of webhook settings; they stop the start (docs/protocol/http-api.md 11, 17.1). */
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
});
