import { general } from '../base/error-definitions';
import { defineErrors } from '../base/errors';

/** Coded errors of the HTTP gateway itself (docs/protocol/http-api.md 3.3, 17.1). */
export const serverErrors = defineErrors({
	invalidJson: {
		code: 'error.connector.validation.invalidJsonInPayload',
		kind: 'invalid',
		meaning: 'The body of the HTTP request is not valid JSON.',
		remedy: 'Send a JSON object as body.',
	},
	unauthorized: {
		code: 'error.connector.unauthorized',
		kind: 'forbidden',
		meaning: 'The HTTP request has no valid API key or token.',
		remedy: 'Send the API key in the header X-API-KEY, or a bearer token.',
	},
	forbidden: {
		code: 'error.connector.forbidden',
		kind: 'forbidden',
		meaning: 'The key or token of the HTTP request lacks the role that the route needs.',
		remedy: 'Use a key or token whose scopes have one of the roles of this route.',
	},
	routeDoesNotExist: {
		code: 'error.connector.http.routeDoesNotExist',
		kind: 'notFound',
		meaning: 'The HTTP gateway has no such route.',
		remedy: 'Check method and path; the OpenAPI document lists every route.',
	},
	methodNotAllowed: {
		code: 'error.connector.http.methodNotAllowed',
		kind: 'invalid',
		meaning: 'The route does not support this HTTP method.',
		remedy: 'Use one of the methods in the header Allow.',
	},
	notAcceptable: {
		code: 'error.connector.http.notAcceptable',
		kind: 'invalid',
		meaning: 'The HTTP request accepts none of the types that the route can answer.',
		remedy: 'Accept application/json, or image/png where there is a QR code.',
	},
	decidedByAutomation: {
		code: 'error.connector.incomingRequests.decidedByAutomation',
		kind: 'invalid',
		meaning: 'The HTTP request sets a member that only the gateway may set.',
		remedy: 'Leave decidedByAutomation out: only the automation of the gateway may set it.',
	},
	unexpected: {
		code: 'error.connector.unexpected',
		kind: 'internal',
		meaning: 'An unexpected error occurred in the HTTP gateway.',
		remedy: 'Look up the id of the error in the log of the gateway.',
	},
	invalidInput: general.invalidPropertyValue,
	invalidTags: general.invalidTags,
	recordNotFound: {
		...general.recordNotFound,
		remedy: 'Check the ID in the path.',
	},
	bodyTooLarge: {
		code: 'error.gateway.http.bodyTooLarge',
		kind: 'invalid',
		meaning: 'The body of the HTTP request is too large.',
		remedy:
			'Send at most 2 MiB of JSON, 100 kB of form fields, or one file of at most 7.5 MiB as multipart form.',
	},
	unsupportedBody: {
		code: 'error.gateway.http.unsupportedBody',
		kind: 'invalid',
		meaning: 'The type or encoding of the body of the HTTP request is not supported.',
		remedy: 'Send JSON, form fields or, to upload a file, a multipart form; gzip, deflate or br.',
	},
	malformedRequest: {
		code: 'error.gateway.http.malformedRequest',
		kind: 'invalid',
		meaning: 'A part of the HTTP request is wrongly encoded.',
		remedy: 'Correct the encoding of the named part of the request.',
	},
	invalidConfiguration: {
		...general.invalidConfiguration,
		remedy:
			"Correct the named settings in the configuration file or the environment; 'serve --help' shows how.",
	},
	moduleCannotStart: {
		code: 'error.gateway.modules.cannotStart',
		kind: 'unavailable',
		meaning: 'A module of the HTTP gateway could not start. The message says why.',
		remedy: 'Correct the settings of the named module, or switch it off with enabled: false.',
	},
	certificateNotPinned: {
		code: 'error.gateway.tls.certificateNotPinned',
		kind: 'forbidden',
		meaning:
			'The server presented a certificate whose fingerprint is not configured. It may have been renewed, or another server answers.',
		remedy:
			'Find out why the certificate has changed; add its fingerprint to pinnedTLSCertificateSHA256Fingerprints only if it is genuine.',
	},
	servedAsVersion7: {
		code: 'error.gateway.http.servedAsVersion7',
		kind: 'invalid',
		meaning:
			'The account is served as version 7, whose attributes have one id; version 6 cannot show them.',
		remedy:
			"Use the routes for attributes below '/api/core/v1', or serve the account of another gateway as version 6.",
	},
	tooManyAttempts: {
		code: 'error.gateway.http.tooManyAttempts',
		kind: 'forbidden',
		meaning: 'Too many different wrong keys came from one address.',
		remedy:
			'Wait for the seconds in the header Retry-After. If many clients share a proxy, name it in infrastructure.httpServer.trustedProxies.',
	},
	signInFailed: {
		code: 'error.gateway.http.signInFailed',
		kind: 'forbidden',
		meaning: 'A person could not be signed in on the page for operators by OpenID Connect.',
		remedy:
			'Try it again. If it fails again, compare infrastructure.httpServer.admin.openId with the settings of the provider; the log of the gateway names the reason.',
	},
	foreignPage: {
		code: 'error.gateway.http.foreignPage',
		kind: 'forbidden',
		meaning: 'A call in the name of a signed-in person does not come from the page for operators.',
		remedy:
			'Reload the page for operators. Programs use the routes below /api with a key of their own.',
	},
	cannotRecord: {
		code: 'error.gateway.audit.cannotRecord',
		kind: 'unavailable',
		meaning: 'The audit could not record the call, so the call was refused.',
		remedy:
			'Repeat the call later. If this stays so, look into the log of the gateway, and check its database and disk.',
	},
	webhookLoop: {
		code: 'error.gateway.webhooks.loop',
		kind: 'invalid',
		meaning: 'A webhook has called a route of a gateway, which may cause further calls.',
		remedy: 'Change the target of the webhook to the program that receives the events.',
	},
	tooManyConnections: {
		code: 'error.gateway.http.tooManyConnections',
		kind: 'unavailable',
		meaning: 'Clients with a key or token have too many connections to the HTTP gateway.',
		remedy: 'Close connections that are not needed; one of them can serve many requests.',
	},
	tooManyStreams: {
		code: 'error.gateway.http.tooManyStreams',
		kind: 'unavailable',
		meaning: 'Too many clients follow the stream of events.',
		remedy: 'Close streams that are not needed; one of them can serve several readers.',
	},
	cannotListen: {
		code: 'error.gateway.http.cannotListen',
		kind: 'unavailable',
		meaning: 'The HTTP gateway cannot use its port. Another program probably uses it.',
		remedy:
			'Choose another infrastructure.httpServer.port, or stop the program that uses this one.',
	},
});

/** Error about one part of a request. */
export function invalidPart(
	name: 'invalidInput' | 'malformedRequest' | 'unsupportedBody' | 'invalidJson',
	field: string,
	message: string,
	cause?: unknown,
): Error {
	return serverErrors.create(name, { message, facts: { field }, cause });
}
