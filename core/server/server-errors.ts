import { defineErrors } from '../base/errors';

/** Coded errors of the HTTP face itself (docs/protocol/http-api.md 3.3, 17.1). */
export const serverErrors = defineErrors({
	invalidJson: {
		code: 'error.connector.validation.invalidJsonInPayload',
		kind: 'invalid',
		remedy: 'Send a JSON object as body.',
	},
	unauthorized: {
		code: 'error.connector.unauthorized',
		kind: 'forbidden',
		remedy: 'Send the API key in the header X-API-KEY, or a bearer token.',
	},
	forbidden: {
		code: 'error.connector.forbidden',
		kind: 'forbidden',
		remedy: 'Use a token whose scope has one of the roles of this route.',
	},
	routeDoesNotExist: {
		code: 'error.connector.http.routeDoesNotExist',
		kind: 'notFound',
		remedy: 'Check method and path; the OpenAPI document lists every route.',
	},
	methodNotAllowed: {
		code: 'error.connector.http.methodNotAllowed',
		kind: 'invalid',
		remedy: 'Use one of the methods in the header Allow.',
	},
	notAcceptable: {
		code: 'error.connector.http.notAcceptable',
		kind: 'invalid',
		remedy: 'Accept application/json, or image/png where there is a QR code.',
	},
	decidedByAutomation: {
		code: 'error.connector.incomingRequests.decidedByAutomation',
		kind: 'invalid',
		remedy: 'Leave decidedByAutomation out: only the automation of the gateway may set it.',
	},
	unexpected: {
		code: 'error.connector.unexpected',
		kind: 'internal',
		remedy: 'Look up the id of the error in the log of the gateway.',
	},
	invalidInput: {
		code: 'error.runtime.validation.invalidPropertyValue',
		kind: 'invalid',
		remedy: 'Correct the named field.',
	},
	recordNotFound: {
		code: 'error.runtime.recordNotFound',
		kind: 'notFound',
		remedy: 'Check the ID in the path.',
	},
	bodyTooLarge: {
		code: 'error.gateway.http.bodyTooLarge',
		kind: 'invalid',
		remedy:
			'Send at most 2 MiB of JSON, 100 kB of form fields, or one file of at most 10 MiB as multipart form.',
	},
	unsupportedBody: {
		code: 'error.gateway.http.unsupportedBody',
		kind: 'invalid',
		remedy: 'Send JSON, form fields or, to upload a file, a multipart form; gzip, deflate or br.',
	},
	malformedRequest: {
		code: 'error.gateway.http.malformedRequest',
		kind: 'invalid',
		remedy: 'Correct the encoding of the named part of the request.',
	},
	notSupportedYet: {
		code: 'error.gateway.notSupportedYet',
		kind: 'invalid',
		remedy: 'This version of the gateway cannot do this; a later one will.',
	},
	invalidConfiguration: {
		code: 'error.gateway.configuration.invalid',
		kind: 'invalid',
		remedy:
			"Correct the named settings in the configuration file or the environment; 'serve --help' shows how.",
	},
	moduleCannotStart: {
		code: 'error.gateway.modules.cannotStart',
		kind: 'unavailable',
		remedy: 'Correct the settings of the named module, or switch it off with enabled: false.',
	},
	certificateNotPinned: {
		code: 'error.gateway.tls.certificateNotPinned',
		kind: 'forbidden',
		remedy:
			'Find out why the certificate is another one; only when it is right, add its fingerprint to pinnedTLSCertificateSHA256Fingerprints.',
	},
	tooManyStreams: {
		code: 'error.gateway.http.tooManyStreams',
		kind: 'unavailable',
		remedy: 'Close streams that are not needed; one of them can serve several readers.',
	},
	cannotListen: {
		code: 'error.gateway.http.cannotListen',
		kind: 'unavailable',
		remedy: 'Choose another infrastructure.httpServer.port, or end what uses this one.',
	},
});
