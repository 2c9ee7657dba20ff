import { isPostgresInstalled, PostgresServer } from './postgres-server';

export const addressVariable = 'ENMESHED_TEST_POSTGRES';

/**
 * Sees to a PostgreSQL server on which tests create their databases: the server that the variable names, else
 * one of their own on a free port, which the variable names from then on and which ends with this process.
 * A server that merely listens somewhere belongs to its owner and is left alone.
 *
 * Jest calls it before the first worker of a suite starts.
 */
export default async function ensureSharedPostgres(): Promise<void> {
	if (process.env[addressVariable] !== undefined || !isPostgresInstalled()) return;
	// Its databases last as long as the run: nothing has to survive a power cut.
	const server = await PostgresServer.start(() => ['fsync=off', 'max_connections=300']);
	server.endWith(process.pid);
	process.env[addressVariable] = server.url;
}
