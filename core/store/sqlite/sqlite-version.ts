import type { Logger } from '../../base/logger';

/**
 * Returns true for versions from 3.51.3 on, and for 3.50.7, which have no known fault by which
 * several processes that use one database lose committed data: see
 * https://sqlite.org/wal.html#walresetbug.
 */
export function isSoundSqlite(version: string): boolean {
	const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
	if (major !== 3) return major > 3;
	if (minor === 50) return patch >= 7;
	return minor > 51 || (minor === 51 && patch >= 3);
}

/**
 * Warns of an old SQLite. Node contains its SQLite, so the version of Node is all that a person can
 * change.
 */
export function warnOfOldSqlite(
	logger: Logger,
	{ node, sqlite }: { readonly node: string; readonly sqlite?: string } = process.versions,
): void {
	if (sqlite === undefined || isSoundSqlite(sqlite)) return;
	logger.warn(
		`Node ${node} contains SQLite ${sqlite}, which in rare cases loses committed data when several ` +
			'processes use one account at once. Update to Node 22.22.3, 24.15.0 or later.',
		{ node, sqlite },
	);
}
