import { sql } from 'kysely';
import type { SyncState } from '../model/record/sync';
import type { SqlExecutor } from './executor';
import type { Sealer } from './sealer';
import type { SqlLeases } from './sql-leases';
import type { StatementBook } from './statement-book';
import type { SyncOverview } from './store';
import { readJson } from './stored-json';

/** A lease, the state of the sync, the earliest try of open work, or an active deletion process. */
interface OverviewRow {
	readonly kind: 'lease' | 'state' | 'open' | 'deletion';
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

interface OverviewParts {
	readonly book: StatementBook;
	readonly sealer: Sealer;
	readonly overview: KnownOverview;
}

/** Everything in one statement, because a sync that finds nothing is little more than this. */
export async function readSyncOverview(
	executor: SqlExecutor,
	{ book, sealer, overview: known }: OverviewParts,
	leases: SqlLeases,
): Promise<SyncOverview> {
	const rows = await readRows(executor, book, known);
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
	};
}

/** Compared by the caller, because rows that were read before are taken for as long as nothing changes. */
function earliest(rows: readonly OverviewRow[], state: SyncState | undefined): string | undefined {
	const times = rows.flatMap(({ kind, text }) => (kind === 'open' && text !== null ? [text] : []));
	if (rows.some(({ kind }) => kind === 'deletion')) times.push(state?.retry?.notBefore ?? '');
	return times.sort()[0];
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
	select 'open', min(coalesce(c_not_before, '')), null, null, null from inbox
		where c_state = 'pending'
	union all
	select 'open', min(coalesce(c_not_before, '')), null, null, null from send_intents
		where c_state = 'prepared'
	union all
	select 'open', min(coalesce(c_not_before, '')), null, null, null from requests
		where c_pending is not null
	union all
	select 'open', min(coalesce(c_not_before, '')), null, null, null from object_intents
	union all
	select 'open', min(coalesce(c_not_before, '')), null, null, null from relationships
		where c_operation is not null
	union all
	select 'deletion', null, null, null, null where
		exists (select 1 from deletion_processes where c_status in ('WaitingForApproval', 'Approved'))`;
