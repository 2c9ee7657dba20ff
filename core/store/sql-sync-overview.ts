import { sql } from 'kysely';
import type { SyncState } from '../model/record/sync';
import type { SqlExecutor } from './executor';
import type { SqlLeases } from './sql-leases';
import type { StatementBook } from './statement-book';
import type { SyncOverview } from './store';
import { readJson } from './stored-json';

/** A lease, the state of the sync, or a mark that there is open work. */
interface OverviewRow {
	readonly kind: 'lease' | 'state' | 'open';
	readonly text: string | null;
	readonly holder: string | null;
	readonly expires_at: number | string | null;
	readonly ttl_ms: number | string | null;
}

/** What was read last; nothing of it has changed as long as the version of the data is the same. */
export interface KnownOverview {
	version?: number;
	rows: readonly OverviewRow[];
}

/** Everything in one statement, because a sync that finds nothing is little more than this. */
export async function readSyncOverview(
	executor: SqlExecutor,
	book: StatementBook,
	leases: SqlLeases,
	known: KnownOverview,
): Promise<SyncOverview> {
	const rows = await readRows(executor, book, known);
	const state = rows.find(({ kind }) => kind === 'state')?.text ?? undefined;
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
		state:
			state === undefined
				? undefined
				: readJson<SyncState>(state, { table: 'sync_state', id: 'sync' }),
		hasOpenWork: rows.some(({ kind }) => kind === 'open'),
	};
}

async function readRows(
	executor: SqlExecutor,
	book: StatementBook,
	known: KnownOverview,
): Promise<readonly OverviewRow[]> {
	const version = executor.dataVersion?.();
	if (version !== undefined && version === known.version) return known.rows;
	const rows = await book.query<OverviewRow>(executor, 'sync overview', [], (db) => ({
		compile: () => overview.compile(db),
	}));
	if (version !== undefined) Object.assign(known, { version, rows });
	return rows;
}

const overview = sql<OverviewRow>`
	select 'lease' as kind, name as text, holder, expires_at, ttl_ms from leases
	union all
	select 'state', cast(document as text), null, null, null from sync_state
	union all
	select 'open', null, null, null, null where
		exists (select 1 from inbox where c_state = 'pending')
		or exists (select 1 from send_intents where c_state = 'prepared')
		or exists (select 1 from requests where c_pending is not null)
		or exists (select 1 from object_intents)
		or exists (select 1 from deletion_processes where c_status in ('WaitingForApproval', 'Approved'))
		or exists (select 1 from relationships where c_operation is not null)`;
