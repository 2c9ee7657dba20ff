import type { ErrorFacts } from '../../base/error-codes';
import { GatewayError, isGatewayError } from '../../base/errors';
import { backboneErrors } from '../backbone-errors';
import type { Reach } from './retry-policy';
import { memberOf } from '../../base/members';

export interface NetworkFailure {
	readonly error: GatewayError;
	readonly reach: Reach;
	readonly isTransient: boolean;
}

type FailureName = 'aborted' | 'connectionFailed' | 'addressNotFound';

interface Row {
	readonly name: FailureName;
	readonly words: string;
	readonly reach: 'notSent' | 'unknown';
	readonly isTransient: boolean;
	readonly remedy?: string;
}

const noHost: Row = {
	name: 'addressNotFound',
	words: 'the host name is not known',
	reach: 'notSent',
	isTransient: false,
};
const noRoute: Row = {
	name: 'connectionFailed',
	words: 'the machine cannot be reached',
	reach: 'notSent',
	isTransient: true,
};
const cut: Row = {
	name: 'connectionFailed',
	words: 'the connection was cut',
	reach: 'unknown',
	isTransient: true,
	remedy: 'Try again. If the error persists, check proxies and firewalls on the way.',
};
const proxy: Row = {
	name: 'connectionFailed',
	words: 'the proxy cannot be used for it',
	reach: 'notSent',
	isTransient: false,
	remedy: 'Check the variables HTTP_PROXY, HTTPS_PROXY and NO_PROXY of this process.',
};
const late: Row = {
	name: 'aborted',
	words: 'no answer came in time',
	reach: 'unknown',
	isTransient: true,
};

const rows: Readonly<Record<string, Row>> = {
	ENOTFOUND: noHost,
	EAI_AGAIN: { ...noHost, words: 'the name service does not answer', isTransient: true },
	ECONNREFUSED: { ...noRoute, words: 'nothing listens there' },
	EHOSTUNREACH: noRoute,
	ENETUNREACH: noRoute,
	ETIMEDOUT: { ...late, reach: 'unknown' },
	UND_ERR_CONNECT_TIMEOUT: {
		...late,
		words: 'no connection was established in time',
		reach: 'notSent',
	},
	UND_ERR_HEADERS_TIMEOUT: late,
	UND_ERR_BODY_TIMEOUT: late,
	UND_ERR_PRX_CONN: proxy,
	UND_ERR_PRX_TLS: proxy,
	// Aborts by the caller are handled earlier, so this code means that the proxy refused the tunnel.
	UND_ERR_ABORTED: proxy,
	ECONNRESET: cut,
	EPIPE: cut,
	UND_ERR_SOCKET: cut,
	UND_ERR_RES_CONTENT_LENGTH_MISMATCH: { ...cut, words: 'the answer was cut off' },
};

interface SystemCause {
	readonly code: string;
	/** address of the attempted connection, which may be a proxy */
	readonly place: string | undefined;
}

/** Checks the shape and not the class, because errors of the system may come from another realm. */
function causeOf(error: unknown): SystemCause | undefined {
	let at = error;
	for (let depth = 0; depth < 5; depth++) {
		const [code, address] = [memberOf(at, 'code'), memberOf(at, 'address')];
		const place =
			typeof address === 'string' ? `${address}:${String(memberOf(at, 'port'))}` : undefined;
		if (typeof code === 'string') return { code, place };
		at = memberOf(at, 'cause');
	}
	return undefined;
}

function isTlsCode(code: string): boolean {
	return /CERT|^ERR_SSL_|^ERR_TLS_|SELF_SIGNED|UNABLE_TO_/.test(code);
}

const tls: Row = {
	name: 'connectionFailed',
	words: 'the encrypted connection is not trusted or not possible',
	reach: 'notSent',
	isTransient: false,
	remedy:
		'Check whether the address must begin with https:// or http://. For a private certificate authority set NODE_EXTRA_CA_CERTS.',
};

function rowOf(code: string | undefined): Row {
	if (code === undefined) return cut;
	return rows[code] ?? (isTlsCode(code) ? tls : { ...cut, words: 'the connection failed' });
}

/** Describes a failure below HTTP (`docs/protocol/backbone-api.md` 25). */
export function describeNetworkFailure(
	cause: unknown,
	context: {
		readonly method: string;
		readonly path: string;
		readonly host: string;
		/** on the way to the host, so that it may have failed instead */
		readonly proxy?: string | undefined;
	},
): NetworkFailure {
	const system = causeOf(cause);
	const row = rowOf(system?.code);
	const way = context.proxy === undefined ? '' : ` through the proxy ${context.proxy}`;
	const remedy =
		context.proxy === undefined || row === tls
			? row.remedy
			: `Check the proxy ${context.proxy}, and the variables HTTP_PROXY, HTTPS_PROXY and NO_PROXY of this process.`;
	const error = backboneErrors.create(row.name, {
		message:
			`The Backbone at ${context.host} could not be called${way}: ${row.words}` +
			(system === undefined ? '.' : ` (${[system.code, system.place].join(' ').trim()}).`),
		facts: {
			method: context.method,
			path: context.path,
			...(system === undefined ? {} : { cause: system.code }),
			// For callers that must not repeat an operation: the Backbone cannot have received this call.
			...(row.reach === 'notSent' ? { sent: false } : {}),
		},
		cause,
		...(remedy === undefined ? {} : { remedy }),
	});
	return { error, reach: row.reach, isTransient: row.isTransient };
}

export function timeoutFailure(
	context: { readonly method: string; readonly path: string; readonly host: string },
	timeoutMs: number,
): GatewayError {
	return backboneErrors.create('aborted', {
		message: `The Backbone at ${context.host} did not answer within ${timeoutMs} ms.`,
		facts: { method: context.method, path: context.path, timeoutMs },
	});
}

export function withFacts(
	{ code, kind, message, remedy, facts, cause }: GatewayError,
	more: ErrorFacts,
): GatewayError {
	return new GatewayError({ code, kind, message, remedy, facts: { ...facts, ...more }, cause });
}

/** Marks a failure before the first byte of a call: the Backbone cannot have received the call. */
export function asUnsent(error: unknown): unknown {
	if (!isGatewayError(error)) return error;
	const { code, kind, message, remedy, cause } = error;
	// The facts may be about the earlier attempts of another call, which was needed for this one.
	const { mayHaveArrived: _other, ...facts } = error.facts;
	return new GatewayError({ code, kind, message, remedy, facts: { ...facts, sent: false }, cause });
}

/** Rejects with an error of an earlier step, without which the call itself was not sent. */
export function rejectUnsent(error: unknown): never {
	throw asUnsent(error);
}
