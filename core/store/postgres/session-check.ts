import { storeErrors } from '../store-errors';
import type { PostgresConnection } from './postgres-connection';

/**
 * Identifies a backend process of the server, also after a failover to a server that uses the same
 * process id.
 */
const thisBackend = "select pg_backend_pid() || ' ' || pg_postmaster_start_time() as backend";

/**
 * Refuses a pooler in transaction mode: schema, locks and prepared statements of a session would
 * pass to the next client of the connection. Two connections that are open at the same time never
 * share a backend, and a connection keeps its backend while another one is in a transaction.
 *
 * @throws `error.gateway.store.postgresPooled`
 */
export async function requireOwnSession(
	connection: PostgresConnection,
	open: () => Promise<PostgresConnection>,
): Promise<void> {
	const first = await backendOf(connection);
	const other = await open();
	try {
		if ((await backendOf(other, 'begin; ')) === first) throw pooled();
		if ((await backendOf(connection)) !== first) throw pooled();
	} finally {
		await end(other);
	}
}

/** Ends the transaction before the connection: a pooler would pass it on to the next client. */
async function end(connection: PostgresConnection): Promise<void> {
	try {
		await connection.run('rollback');
		await connection.close();
	} catch {
		connection.abandon();
	}
}

async function backendOf(connection: PostgresConnection, before = ''): Promise<string> {
	const { rows } = await connection.run<{ backend: string }>(before + thisBackend);
	return rows[0]?.backend ?? '';
}

function pooled(): Error {
	return storeErrors.create('postgresPooled', {
		message: 'A pooler before the PostgreSQL server gives each transaction another connection.',
		facts: { field: 'store.host' },
	});
}
