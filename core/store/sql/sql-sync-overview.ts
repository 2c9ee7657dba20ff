import { sql } from '../kysely';
import type { SyncState } from '../../model/record/sync';
import type { SqlExecutor } from './executor';
import type { Sealer } from './sealer';
import type { SqlLeases } from './sql-leases';
import type { CompiledStatementCache } from './compiled-statement-cache';
import type { SyncOverview } from '../store';
import { readJson } from '../collections/stored-json';

/** Row of the overview: a lease, the state of the sync, or the earliest attempt of open work. */
interface OverviewRow {
	readonly kind: 'lease' | 'state' | 'inbox' | 'work';
	readonly text: string | null;
	readonly holder: string | null;
	readonly expires_at: number | string | null;
	readonly ttl_ms: number | string | null;
}

interface OverviewDependencies {
	readonly compiled: CompiledStatementCache;
	readonly sealer: Sealer;
}

/**
 * Reads the overview in one statement, because a sync without new events consists of little else.
 */
export async function readSyncOverview(
	executor: SqlExecutor,
	{ compiled, sealer }: OverviewDependencies,
	leases: SqlLeases,
): Promise<SyncOverview> {
	const rows = await compiled.query<OverviewRow>(executor, 'sync overview', [], (db) => ({
		compile: () => overview.compile(db),
	}));
	const text = rows.find(({ kind }) => kind === 'state')?.text ?? undefined;
	const place = { table: 'sync_state', id: 'sync' };
	const state =
		text === undefined ? undefined : readJson<SyncState>(sealer.fromStored(text, place), place);
	return {
		leases: await leases.read(
			rows
				.filter(({ kind }) => kind === 'lease')
				.map(({ text, holder, expires_at, ttl_ms }) => ({
					name: text ?? '',
					holder: holder ?? '',
					expires_at: expires_at ?? 0,
					ttl_ms: ttl_ms ?? 0,
				})),
		),
		state,
		inboxDueAt: rows.find(({ kind }) => kind === 'inbox')?.text ?? undefined,
		workDueAt: rows.find(({ kind }) => kind === 'work')?.text ?? undefined,
	};
}

const overview = sql<OverviewRow>`${sql.join(
	[
		sql`select 'lease' as kind, name as text, holder, expires_at, ttl_ms from leases`,
		sql`select 'state', cast(document as text), null, null, null from sync_state_documents`,
		// Ends at the first event that is due immediately, of which there may be a hundred thousand.
		sql`select 'inbox', coalesce((select '' from inbox where c_state = 'pending' and c_not_before is null limit 1), (select min(c_not_before) from inbox where c_state = 'pending')), null, null, null`,
		sql`select 'work', min(c_due_at), null, null, null from work where c_state = 'waiting'`,
	],
	sql` union all `,
)}`;
