import { defineErrors } from '../base/errors';

/** Coded errors of webhook settings; they stop the start (docs/protocol/http-api.md 11, 17.1). */
export const webhookErrors = defineErrors({
	invalidTargetReference: {
		code: 'error.runtime.modules.webhooks.invalidTargetReference',
		kind: 'invalid',
		remedy:
			'Name a target that stands under modules.webhooks.targets, or write the target itself there.',
	},
	invalidUrlFormat: {
		code: 'error.runtime.modules.webhooks.invalidUrlFormat',
		kind: 'invalid',
		remedy: 'Give an address that begins with https:// or http://.',
	},
	invalidAuthenticationConfig: {
		code: 'error.runtime.modules.webhooks.invalidAuthenticationConfig',
		kind: 'invalid',
		remedy:
			'Give type ApiKey with apiKey (and headerName), or type OAuth2 with accessTokenUrl, clientId and clientSecret (and scope).',
	},
	forbiddenAddress: {
		code: 'error.gateway.webhooks.forbiddenAddress',
		kind: 'forbidden',
		remedy:
			'Choose another target: addresses of this network link and those of cloud metadata are never called.',
	},
});
