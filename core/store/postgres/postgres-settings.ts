import { createHash } from 'node:crypto';
import type { ClientConfig, CustomTypesConfig } from 'pg';
import type { StoreConfig } from '../../config';
import { fromText } from '../collections/stored-text';

export type PostgresConfig = Extract<StoreConfig, { kind: 'postgres' }>;

/** Length above which PostgreSQL truncates names. */
const longestName = 63;

/*
 * Time limits. The server gives up before the client does, so that the client receives the reason.
 * A process that is suspended inside a transaction loses the transaction before other processes
 * stop waiting for it.
 */
export const idleInTransactionMs = 15_000;
export const lockWaitMs = 25_000;
const statementMs = 30_000;
const answerMs = 35_000;
const connectMs = 10_000;
/** for the end of a connection, so that a network that drops packets does not hold up a stop */
export const closeMs = 5_000;

const int8 = 20;
const int4 = 23;
const float8 = 701;

/** Parses numbers as numbers and everything else as the stored text. */
const types: CustomTypesConfig = {
	getTypeParser: (type: number) =>
		type === int8 || type === int4 || type === float8 ? Number : fromText,
};

/**
 * Returns the name of the account's own schema, the counterpart of its own file with SQLite: no
 * statement can reach another account's rows. Neither part can contain a colon, so two accounts
 * never share a schema.
 */
export function schemaOf(config: Pick<PostgresConfig, 'schema'>, account: string): string {
	if (account === 'default') return config.schema;
	const name = `${config.schema}:${account}`;
	if (name.length <= longestName) return name;
	const rest = createHash('sha256').update(name).digest('hex').slice(0, 20);
	return `${name.slice(0, longestName - rest.length - 1)}~${rest}`;
}

export function quoted(name: string): string {
	return `"${name.replaceAll('"', '""')}"`;
}

/** Lock shared by all processes that have the account open; never the token of a store. */
export const openLock = 0;

export interface LockKeys {
	/** 64 bits; writers share it if they have scopes */
	readonly writer: string;
	/** 64 bits; held by a writer with a scope from its first event to the commit */
	readonly events: string;
	/** 32 bits, for live processes */
	readonly living: number;
}

/** Keys of the account's advisory locks. */
export function lockKeys(schema: string): LockKeys {
	const digest = digestOf(schema);
	return {
		writer: digest.readBigInt64BE(0).toString(),
		events: digest.readBigInt64BE(16).toString(),
		living: digest.readInt32BE(8),
	};
}

/** Keys of the locks of a scope, in an order in which transactions never wait for each other. */
export function scopeKeys(schema: string, scope: readonly string[]): string[] {
	const keys = scope.map((name) => digestOf(`${schema}:${name}`).readBigInt64BE(0).toString());
	return [...new Set(keys)].sort();
}

function digestOf(name: string): Buffer {
	return createHash('sha256').update(`n8n-nodes-enmeshed:${name}`).digest();
}

export function clientConfig(config: PostgresConfig): ClientConfig {
	const { host, port, database, user, password } = config;
	return {
		host,
		port,
		database,
		user,
		// A function, because the driver would replace an empty string by the password of the
		// environment.
		password: () => password,
		ssl: tlsOf(config),
		application_name: 'n8n-nodes-enmeshed',
		connectionTimeoutMillis: connectMs,
		query_timeout: answerMs,
		keepAlive: true,
		keepAliveInitialDelayMillis: 10_000,
		pipeline: true,
		types,
	};
}

function tlsOf({ tls, tlsAllowUnauthorized, tlsCa }: PostgresConfig): ClientConfig['ssl'] {
	if (!tls) return false;
	return {
		rejectUnauthorized: !tlsAllowUnauthorized,
		...(tlsCa === undefined ? {} : { ca: tlsCa }),
	};
}

/** Builds the first statement of every connection. */
export function setUpStatement(schema: string): string {
	const settings = {
		search_path: quoted(schema),
		statement_timeout: String(statementMs),
		lock_timeout: String(lockWaitMs),
		idle_in_transaction_session_timeout: String(idleInTransactionMs),
		default_transaction_isolation: 'read committed',
		// The statements touch few rows: JIT compilation would take longer than running them.
		jit: 'off',
		// Keep-alive settings with which the server detects a lost host within a minute.
		tcp_keepalives_idle: '20',
		tcp_keepalives_interval: '10',
		tcp_keepalives_count: '3',
	};
	const calls = Object.entries(settings).map(
		([name, value]) => `set_config('${name}', '${value}', false)`,
	);
	return `select ${calls.join(', ')}`;
}
