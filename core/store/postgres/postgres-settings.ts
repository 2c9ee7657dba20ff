import { createHash } from 'node:crypto';
import type { ClientConfig, CustomTypesConfig } from 'pg';
import type { StoreConfig } from '../../gateway-config';
import { fromText } from '../stored-text';

export type PostgresConfig = Extract<StoreConfig, { kind: 'postgres' }>;

/** PostgreSQL cuts off names that are longer. */
const longestName = 63;

/*
 * How long anything may take. The server gives up before we do, so that we hear its reason; a process
 * that stands still inside a transaction loses it before others give up waiting for it.
 */
export const idleInTransactionMs = 15_000;
export const lockWaitMs = 25_000;
const statementMs = 30_000;
const answerMs = 35_000;
const connectMs = 10_000;

const int8 = 20;
const int4 = 23;
const float8 = 701;

/** Numbers as numbers, everything else as the text that was stored. */
const types: CustomTypesConfig = {
	getTypeParser: (type: number) =>
		type === int8 || type === int4 || type === float8 ? Number : fromText,
};

/**
 * Each account has a schema of its own, as it has a file of its own with SQLite: no statement can
 * reach another account's rows. A colon cannot stand in either part, so two never share one.
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

/** Shared by all who have the account open; no store's token. */
export const openLock = 0;

/** What the account's advisory locks are named by: 64 bits for writers, 32 for who is alive. */
export function lockKeys(schema: string): { readonly writer: string; readonly living: number } {
	const digest = createHash('sha256').update(`n8n-nodes-enmeshed:${schema}`).digest();
	return { writer: digest.readBigInt64BE(0).toString(), living: digest.readInt32BE(8) };
}

export function clientConfig(config: PostgresConfig): ClientConfig {
	const { host, port, database, user, password } = config;
	return {
		host,
		port,
		database,
		user,
		// As a function: an empty one must not make the driver send the password of the environment.
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

/** The first statement of every connection. */
export function setUpStatement(schema: string): string {
	const settings = {
		search_path: quoted(schema),
		statement_timeout: String(statementMs),
		lock_timeout: String(lockWaitMs),
		idle_in_transaction_session_timeout: String(idleInTransactionMs),
		default_transaction_isolation: 'read committed',
		// Our statements touch few rows: compiling them would cost more than running them.
		jit: 'off',
		// The server notices within a minute that a host has gone.
		tcp_keepalives_idle: '20',
		tcp_keepalives_interval: '10',
		tcp_keepalives_count: '3',
	};
	const calls = Object.entries(settings).map(
		([name, value]) => `set_config('${name}', '${value}', false)`,
	);
	return `select ${calls.join(', ')}`;
}
