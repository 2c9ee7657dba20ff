import { sql } from '../kysely';
import type { SyncState } from '../../model/record/sync';
import type { SqlExecutor } from './executor';
import type { Sealer } from './sealer';
import type { SqlLeases } from './sql-leases';
import type { CompiledStatementCache } from './compiled-statement-cache';
import type { SyncOverview } from '../store';
import { openWorkSelects } from '../collections/open-work';
import { readJson } from '../collections/stored-json';

/**
 * Row of the overview: a lease, the state of the sync, the earliest attempt of open work, or open
 * work whose time of the next attempt is in the state.
 */
interface OverviewRow {
	readonly kind: 'lease' | 'state' | 'open' | 'retry';
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
		openWorkDueAt: earliest(rows, state),
		openCollections: rows.flatMap(({ kind, text, holder }) =>
			holder !== null && (kind === 'retry' || (kind === 'open' && text !== null)) ? [holder] : [],
		),
	};
}

/** Earliest time of open work, which the caller compares with the clock. */
function earliest(rows: readonly OverviewRow[], state: SyncState | undefined): string | undefined {
	const times = rows.flatMap(({ kind, text }) => (kind === 'open' && text !== null ? [text] : []));
	if (rows.some(({ kind }) => kind === 'retry')) times.push(state?.retry?.notBefore ?? '');
	return times.sort()[0];
}

const overview = sql<OverviewRow>`${sql.join(
	[
		sql`select 'lease' as kind, name as text, holder, expires_at, ttl_ms from leases`,
		sql`select 'state', cast(document as text), null, null, null from sync_state`,
		...openWorkSelects(),
	],
	sql` union all `,
)}`;
