import { safeParse } from '../../base/schema-parse';
import type { BackboneErrorCode, ErrorFacts } from '../../base/error-codes';
import { GatewayError, type ErrorKind } from '../../base/errors';
import { ownMember } from '../../model/json';
import { backboneErrors } from '../backbone-errors';
import type { ClockSkew } from './clock-skew';
import { errorEnvelopeSchema, quotaDataSchema, type WireError } from '../dto/envelope';
import { plainText } from '../plain-text';

export interface ProblemContext {
	readonly method: string;
	/** without the query, which may contain passwords */
	readonly path: string;
	readonly isPagedList: boolean;
	readonly skew: ClockSkew;
	/** values that must not appear in a message */
	readonly secrets: Iterable<string>;
}

/**
 * Codes of 400s that concern the state of objects and not the input
 * (`docs/protocol/backbone-api.md` 27).
 */
const conflictCode = new RegExp(
	'\\.(syncRun|datawallet|relationship|message|token)\\.' +
		'|\\.notification\\.(noR|r)elationshipTo\\w+$' +
		'|\\.(maxNumberOfAllocationsExhausted|addressAlreadyExists|challengeHasExpired)$' +
		'|\\.(clientReachedIdentitiesLimit|deletionProcessIsNotInRequiredStatus)$' +
		'|\\.(onlyOneActiveDeletionProcessAllowed|gracePeriodHasAlreadyExpired|file\\.\\w+)$',
);

/** Code whose message lists every valid code (`docs/protocol/backbone-api.md` 18.3). */
const unknownNotificationCode = 'error.platform.validation.notification.codeDoesNotExist';
const maxListLength = 2_000;

const timeSensitiveCode = /invalidPropertyValue$|challengeHasExpired$/;

const remedies: Readonly<Record<string, string>> = {
	'error.platform.validation.message.maxNumberOfUnreceivedMessagesReached':
		'Wait until the recipient has fetched the earlier messages.',
	'error.platform.validation.relationshipTemplate.maxNumberOfAllocationsExhausted':
		'Ask for a new template: this template was used as often as its owner allows.',
	'error.platform.validation.relationship.peerIsToBeDeleted':
		'The identity of the peer is about to be deleted, so a new relationship with it is not possible.',
	'error.platform.validation.device.gracePeriodHasAlreadyExpired':
		'The grace period is over: the identity is deleted and cannot be restored.',
	'error.platform.validation.file.cannotClaimOwnershipOfOwnFile':
		'You already own the file; regenerate its ownership token if you need it.',
	'error.platform.token.tooManyFailedPasswordAttempts':
		'Ask for a new token: too many wrong passwords have locked this token permanently.',
	'error.platform.token.contentUpdateNotPossibleBecauseContentAlreadyExists':
		'Ask for a new empty token: this token has been filled.',
	[unknownNotificationCode]:
		'Use one of the codes that the answer lists. The operator of the Backbone configures them.',
	'error.platform.validation.device.challengeHasExpired': 'Try again with a new challenge.',
	'error.platform.validation.device.clientReachedIdentitiesLimit':
		'Ask the operator of the Backbone for more identities, or use an existing account.',
	'error.platform.validation.syncRun.cannotStartSyncRunWhenAnotherSyncRunIsRunning':
		'Another process syncs this identity, or one was stopped; try again in some seconds.',
	'error.platform.validation.syncRun.cannotStartSyncRunWhileIdentityIsToBeDeleted':
		'The identity is about to be deleted; cancel its deletion first.',
	'error.platform.validation.datawallet.insufficientSupportedDatawalletVersion':
		backboneErrors.insufficientDatawalletVersion.remedy,
	'error.platform.unauthorized': backboneErrors.clientInvalid.remedy,
};

/** Reads the error object of a body with any status; undefined if there is none. */
export function readWireError(body: unknown): WireError | undefined {
	// Skips the schema for bodies without an error, because this function runs for every answer.
	if (ownMember(body, 'error') === undefined) return undefined;
	const parsed = safeParse(errorEnvelopeSchema, body);
	return parsed.success ? parsed.data.error : undefined;
}

function kindOf(status: number, code: string): ErrorKind {
	if (code === 'error.platform.unauthorized' || code === 'error.platform.forbidden') {
		return 'forbidden';
	}
	if (status === 404) return 'notFound';
	if (status >= 500) return 'unavailable';
	return conflictCode.test(code) ? 'conflict' : 'invalid';
}

function quotaFacts(wire: WireError | undefined): ErrorFacts {
	const quota = safeParse(quotaDataSchema, wire?.data);
	if (!quota.success || quota.data.length === 0) return {};
	// The latest time counts: the call works again when all quotas are renewed.
	const until = quota.data.map((entry) => entry.isExhaustedUntil).sort();
	return {
		metricKeys: quota.data.map((entry) => plainText(entry.metricKey, [], 100)),
		isExhaustedUntil: plainText(until[until.length - 1] ?? '', [], 100),
	};
}

/** the time of quotas without renewal begins with it (`docs/protocol/backbone-api.md` 18.4) */
const neverRenewed = '9999';

function quotaExhausted(facts: ErrorFacts): GatewayError {
	const { metricKeys, isExhaustedUntil } = facts;
	const names = Array.isArray(metricKeys) ? ` (${metricKeys.join(', ')})` : '';
	const until = typeof isExhaustedUntil === 'string' ? isExhaustedUntil : '';
	const isRenewed = until !== '' && !until.startsWith(neverRenewed);
	return backboneErrors.create('quotaExhausted', {
		message:
			`The Backbone refused ${facts['method']} ${facts['path']}, because a quota of this identity is used up${names}.` +
			(isRenewed ? ` It is renewed at ${until}.` : ''),
		facts,
		...(isRenewed ? { remedy: `Repeat the call after ${until}. ${askForMore}` } : {}),
	});
}

const askForMore = 'If this is too late, ask the operator of the Backbone for a larger quota.';

/**
 * Maps an unsuccessful answer to its error, exactly as `docs/protocol/backbone-api.md` 25 and
 * `docs/protocol/transport.md` 18.2 define it. The facts keep codes that this mapping hides.
 */
export function problemOf(status: number, body: unknown, context: ProblemContext): GatewayError {
	const wire = readWireError(body);
	const maxLength = wire?.code === unknownNotificationCode ? maxListLength : undefined;
	const said = wire?.message ? `: ${plainText(wire.message, context.secrets, maxLength)}` : '.';
	const call = `${context.method} ${context.path}`;
	const code = wire === undefined ? '' : `, ${wire.code}`;
	const skewNote =
		status === 401 || (wire !== undefined && timeSensitiveCode.test(wire.code))
			? context.skew.describe()
			: undefined;
	const message =
		`The Backbone answered ${call} with an error (${status}${code})${said}` +
		(skewNote === undefined ? '' : ` ${skewNote}`);
	const skewMs = skewNote === undefined ? undefined : context.skew.valueMs;
	const facts: ErrorFacts = {
		status,
		method: context.method,
		path: context.path,
		...(wire === undefined ? {} : { platformCode: wire.code }),
		...(wire?.id ? { platformErrorId: plainText(wire.id) } : {}),
		...(skewMs === undefined ? {} : { clockSkewMs: skewMs }),
		...(status === 429 ? quotaFacts(wire) : {}),
	};
	const plain = (name: Parameters<typeof backboneErrors.create>[0]): GatewayError =>
		backboneErrors.create(name, { message, facts });
	const hasReadableStatus = (status >= 200 && status < 300) || [400, 404, 500].includes(status);
	if (hasReadableStatus && wire !== undefined) return passOn(status, wire, message, facts);
	if (status === 429 && wire?.code === backboneErrors.quotaExhausted.code) {
		return quotaExhausted(facts);
	}
	if (status === 401) return plain('unauthorized');
	if (status === 403) return plain('forbidden');
	if (status === 400) return plain('badRequest');
	if (status === 404) return plain(context.isPagedList ? 'badRequest' : 'notFound');
	if (status === 500 || (status >= 200 && status < 300)) return plain('resultUndefined');
	return plain('unexpected');
}

function passOn(status: number, wire: WireError, message: string, facts: ErrorFacts): GatewayError {
	if (wire.code === 'error.platform.recordNotFound') {
		return backboneErrors.create('recordNotFound', { message, facts });
	}
	if (wire.code.endsWith('.datawallet.insufficientSupportedDatawalletVersion')) {
		return backboneErrors.create('insufficientDatawalletVersion', { message, facts });
	}
	return new GatewayError({
		// eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- a Backbone chooses its codes, so the type of them is open
		code: wire.code as BackboneErrorCode,
		kind: kindOf(status, wire.code),
		message,
		remedy: Object.hasOwn(remedies, wire.code) ? remedies[wire.code] : undefined,
		facts,
	});
}

/**
 * Recognizes answers to a token whose identity was deleted (`docs/protocol/backbone-api.md` 9.2):
 * "not found" for a call that names no object, or all relationships gone.
 */
export function mayBeOfDeletedIdentity(path: string, { code, facts }: GatewayError): boolean {
	// The datawallet counts as a named object: a new identity has none.
	const namesSomething = /\/([A-Z]{3}[A-Za-z0-9]+|did[^/]+|Datawallet)/;
	if (code === backboneErrors.recordNotFound.code) return !namesSomething.test(path);
	return String(facts['platformCode']).endsWith('.message.noRelationshipToRecipientExists');
}
