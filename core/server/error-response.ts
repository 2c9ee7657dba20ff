import * as z from 'zod';
import { systemClock, isoInstant } from '../base/clock';
import { isGatewayError, type GatewayError } from '../base/errors';
import { systemRandom } from '../base/random';
import { jsonAnswer } from './route-answer';
import { serverErrors } from './server-errors';
import { inSettings } from './setting-words';

/** Body of every answer that is not a success (docs/protocol/http-api.md 3.2). */
export const errorEnvelopeSchema = z.object({
	error: z.object({
		id: z.string(),
		docs: z.string(),
		time: z.iso.datetime(),
		code: z.string(),
		message: z.string(),
	}),
});

export interface ErrorAnswer {
	readonly status: number;
	readonly envelope: z.infer<typeof errorEnvelopeSchema>;
	readonly headers: Readonly<Record<string, string>>;
}

const idCharacters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
/** beginning of the codes with which the Backbone refuses input */
const refusalPrefix = 'error.platform.validation';
const docsPrefix = 'https://enmeshed.eu/integrate/error-codes#';

/**
 * Statuses that do not follow from the kind of the error (docs/protocol/http-api.md 3.3, 8.4).
 * Clients of the official gateway compare them.
 */
const statusOfCode: Readonly<Record<string, number>> = {
	[serverErrors.unauthorized.code]: 401,
	[serverErrors.forbidden.code]: 403,
	[serverErrors.foreignPage.code]: 403,
	[serverErrors.signInFailed.code]: 403,
	[serverErrors.routeDoesNotExist.code]: 404,
	[serverErrors.methodNotAllowed.code]: 405,
	[serverErrors.notAcceptable.code]: 406,
	[serverErrors.bodyTooLarge.code]: 413,
	[serverErrors.unsupportedBody.code]: 415,
	[serverErrors.tooManyAttempts.code]: 429,
	[serverErrors.webhookLoop.code]: 508,
	'error.gateway.idempotency.inProgress': 409,
	'error.gateway.idempotency.keyReused': 422,
	'error.gateway.identity.toBeDeleted': 400,
	'error.gateway.accounts.unknown': 404,
	'error.runtime.recordNotFound': 404,
	'error.transport.recordNotFound': 404,
	'error.transport.secrets.secretNotFound': 400,
	'error.transport.secrets.wrongSecretType': 400,
	'error.platform.validation.notification.codeDoesNotExist': 500,
};

/**
 * Tells whether a failure is one of the gateway or the Backbone, and not of the caller: some
 * refusals have such a status, too (docs/protocol/http-api.md 3.3).
 */
export function isFailureOfServer(error: unknown, status: number): boolean {
	if (status < 500 || !isGatewayError(error)) return status >= 500;
	const { code, kind } = error;
	return !code.startsWith(refusalPrefix) && (kind === 'unavailable' || kind === 'internal');
}

/** @param record noun of the route's record, for the texts of official answers */
export function errorAnswer(error: unknown, record?: string): ErrorAnswer {
	const known = isGatewayError(error) ? error : unexpected();
	const { code } = known;
	return {
		status: statusOf(known),
		headers: headersOf(known),
		envelope: {
			error: {
				id: `ERR${systemRandom.text(17, idCharacters)}`,
				docs: `${docsPrefix}${code}`,
				time: isoInstant(systemClock.now()),
				code,
				message: messageOf(known, record),
			},
		},
	};
}

export function errorResponse({ status, envelope, headers }: ErrorAnswer): Response {
	const answer = jsonAnswer(envelope, status);
	for (const [name, value] of Object.entries(headers)) answer.headers.set(name, value);
	return answer;
}

/**
 * Error for an unforeseen failure: its details go to the log, and the client learns nothing about
 * internals.
 */
function unexpected(): GatewayError {
	return serverErrors.create('unexpected', {
		message: 'An unexpected error occurred. Look it up in the log of the gateway by its id.',
	});
}

function statusOf({ code, kind, facts }: GatewayError): number {
	if (Object.hasOwn(statusOfCode, code)) return statusOfCode[code] ?? 500;
	// Mistakes that only the Backbone can see: a template that is used up, a message box that is
	// full.
	if (code.startsWith(refusalPrefix)) return 400;
	const { status } = facts;
	if (typeof status === 'number' && status >= 400 && status <= 599) return status;
	if (code.startsWith('error.platform.')) return 500;
	if (kind === 'unavailable') return code.startsWith('error.gateway.') ? 503 : 500;
	return kind === 'internal' ? 500 : 400;
}

function messageOf(error: GatewayError, record: string | undefined): string {
	const { code, message, remedy } = error;
	if (statusOfCode[code] === 404 && code.endsWith('.recordNotFound')) {
		const missing = missingRecord(error) ?? record;
		if (missing === undefined) return message;
		return `${missing} not found. Make sure the ID exists and the record is not expired.`;
	}
	// Official codes keep their texts; only codes of this gateway come with advice.
	const isOwnCode = code.startsWith('error.gateway.') && remedy !== undefined;
	return isOwnCode ? `${message} ${inSettings(remedy)}` : message;
}

/** Nouns of records, by the fact that names a missing one. */
const recordOfFact: Readonly<Record<string, string>> = {
	attributeId: 'LocalAttribute',
	fileId: 'File',
	messageId: 'Message',
	relationshipId: 'Relationship',
	requestId: 'LocalRequest',
	templateId: 'RelationshipTemplate',
	tokenId: 'Token',
};

/** Nouns of records, by the path of the call that the Backbone answered. */
const recordOfPath: Readonly<Record<string, string>> = {
	Files: 'File',
	Messages: 'Message',
	Relationships: 'Relationship',
	RelationshipTemplates: 'RelationshipTemplate',
	Tokens: 'Token',
};

/** Noun of the record that an error is about, which need not be a record of the route. */
function missingRecord({ facts }: GatewayError): string | undefined {
	const named = Object.keys(recordOfFact).find((fact) => facts[fact] !== undefined);
	if (named !== undefined) return recordOfFact[named];
	const [, resource = ''] = typeof facts.path === 'string' ? facts.path.split('/') : [];
	return Object.hasOwn(recordOfPath, resource) ? recordOfPath[resource] : undefined;
}

function headersOf({ code, facts }: GatewayError): Record<string, string> {
	const { allow, retryAfterSeconds } = facts;
	if (code === serverErrors.methodNotAllowed.code && Array.isArray(allow)) {
		return { allow: allow.join(',') };
	}
	const isDelayed = typeof retryAfterSeconds === 'number';
	return isDelayed ? { 'retry-after': String(retryAfterSeconds) } : {};
}
