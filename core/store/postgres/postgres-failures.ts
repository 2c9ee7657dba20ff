import type { ErrorFacts } from '../../base/error-codes';
import { isGatewayError } from '../../base/errors';
import { storeErrors } from '../store-errors';

type Meaning = readonly [
	name: Parameters<typeof storeErrors.create>[0],
	message: string,
	/** form field in which a person can correct the mistake */
	field?: string,
];

const noTls = (message: string): Meaning => ['postgresTls', message, 'store.tls'];
const unreachable = (message: string): Meaning => ['postgresUnreachable', message, 'store.host'];

/** Meanings of failures by SQLSTATE, by its class, or by the code of Node's error. */
const meanings: Readonly<Record<string, Meaning>> = {
	ECONNREFUSED: unreachable('No PostgreSQL server answers at this host and port.'),
	EHOSTUNREACH: unreachable('The host of the PostgreSQL server cannot be reached.'),
	ENETUNREACH: unreachable('The network of the PostgreSQL server cannot be reached.'),
	ETIMEDOUT: unreachable('The PostgreSQL server did not answer in time.'),
	ENOTFOUND: [
		'postgresHostNotFound',
		'The host of the PostgreSQL server is not known.',
		'store.host',
	],
	EAI_AGAIN: [
		'postgresHostNotFound',
		'The host of the PostgreSQL server is not known.',
		'store.host',
	],
	'28P01': ['postgresRefused', 'PostgreSQL refuses this user or password.', 'store.password'],
	'28000': [
		'postgresRefused',
		'PostgreSQL does not accept this user from this host.',
		'store.user',
	],
	'3D000': ['postgresNoDatabase', 'There is no database of this name.', 'store.database'],
	'42501': ['postgresForbidden', 'The PostgreSQL user may not do this.', 'store.user'],
	'26000': [
		'postgresPooled',
		'A prepared statement is not known: a pooler has changed the connection.',
		'store.host',
	],
	'42P05': [
		'postgresPooled',
		'A statement was prepared on another connection: a pooler has changed the connection.',
		'store.host',
	],
	'53': [
		'postgresOverloaded',
		'The PostgreSQL server is out of connections, memory or disk space.',
	],
	'57': ['postgresLost', 'The PostgreSQL server stopped or ended the connection.'],
	'57014': ['busy', 'The PostgreSQL server took too long.'],
	'55P03': ['busy', 'The account stayed locked by another process.'],
	'40': ['busy', 'The PostgreSQL server rolled the transaction back in favour of another.'],
	'25P03': [
		'postgresLost',
		'The PostgreSQL server received nothing for 15 seconds within a transaction, and rolled it back.',
	],
	'25006': ['postgresOverloaded', 'The PostgreSQL server is read-only, a standby for example.'],
	'08': ['postgresLost', 'The connection to PostgreSQL was lost.'],
	ECONNRESET: ['postgresLost', 'The connection to PostgreSQL was lost.'],
	EPIPE: ['postgresLost', 'The connection to PostgreSQL was lost.'],
	XX001: ['damagedFile', 'The database is damaged.'],
	XX002: ['damagedFile', 'An index of the database is damaged.'],
};

/** Meanings of the driver's own errors, which have no code. */
const byMessage: ReadonlyArray<readonly [RegExp, Meaning]> = [
	[/^timeout expired$/, unreachable('The PostgreSQL server did not answer within 10 seconds.')],
	[/does not support SSL/, noTls('The PostgreSQL server does not accept encrypted connections.')],
	[/altname/i, noTls('The certificate of the PostgreSQL server is for another host.')],
	[/certificate has expired/, noTls('The certificate of the PostgreSQL server has expired.')],
	[
		/certificate|self-signed/i,
		noTls('The certificate of the PostgreSQL server is not signed by a trusted authority.'),
	],
	[
		/\bSSL\b|\bTLS\b/i,
		noTls('No encrypted connection to the PostgreSQL server could be established.'),
	],
	[
		/terminated|not queryable|read timeout|connection error/i,
		['postgresLost', 'The connection to PostgreSQL was lost.'],
	],
];

/**
 * Translates a failure into an error for the person; other errors are programming errors and stay
 * unchanged.
 */
export function asStoreError(error: unknown): unknown {
	if (isGatewayError(error)) return error;
	const meaning = meaningOf(error);
	if (meaning === undefined) return error;
	const [name, message, field] = meaning;
	return storeErrors.create(name, { message, cause: error, facts: factsOf(error, field) });
}

/**
 * Returns true if the connection may have been lost, so that the outcome on the server is unknown.
 */
export function isConnectionLost(error: unknown): boolean {
	return codeIs(error, storeErrors.postgresLost.code, storeErrors.postgresUnreachable.code);
}

function codeIs(error: unknown, ...codes: string[]): boolean {
	const known = asStoreError(error);
	return isGatewayError(known) && codes.includes(known.code);
}

function meaningOf(error: unknown): Meaning | undefined {
	const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
	const text = typeof message === 'string' ? message : '';
	if (typeof code === 'string') {
		const known = meanings[code] ?? (code.length === 5 ? meanings[code.slice(0, 2)] : undefined);
		if (known !== undefined) return noEncryption(code, text) ?? known;
	}
	return byMessage.find(([pattern]) => pattern.test(text))?.[1];
}

/**
 * Detects a server that accepts only encrypted connections, which reports this as a refused login.
 */
function noEncryption(code: string, message: string): Meaning | undefined {
	if (code !== '28000' || !/no encryption/.test(message)) return undefined;
	return noTls('The PostgreSQL server accepts encrypted connections only.');
}

function factsOf(error: unknown, field: string | undefined): ErrorFacts {
	const { code } = (error ?? {}) as { code?: unknown };
	return {
		...(field === undefined ? {} : { field }),
		...(typeof code === 'string' ? { reason: code } : {}),
	};
}
