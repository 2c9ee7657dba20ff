import { sql } from 'kysely';
import type { SqlExecutor } from './executor';
import type { StatementBook } from './statement-book';

/**
 * Takes or prolongs a lease in one statement. A lease that would run for more than twice its length
 * was written before the clock was set back: it would block everybody until the clock has caught up.
 */
export async function takeLease(
	executor: SqlExecutor,
	book: StatementBook,
	lease: { readonly name: string; readonly holder: string; readonly ttlMs: number },
	now: number,
): Promise<boolean> {
	const taken = await book.query(
		executor,
		'leases take',
		[lease.name, lease.holder, now + lease.ttlMs, lease.ttlMs, now, now],
		(db, slot) =>
			db
				.insertInto('leases')
				.values({ name: slot(), holder: slot(), expires_at: slot(), ttl_ms: slot() })
				.onConflict((conflict) =>
					conflict
						.column('name')
						.doUpdateSet({
							holder: sql`excluded.holder`,
							expires_at: sql`excluded.expires_at`,
							ttl_ms: sql`excluded.ttl_ms`,
						})
						.where(
							sql<boolean>`(leases.holder = excluded.holder or leases.expires_at <= ${slot()} or leases.expires_at > ${slot()} + 2 * leases.ttl_ms)`,
						),
				)
				.returning('name'),
	);
	return taken.length > 0;
}

export async function leaseHolder(
	executor: SqlExecutor,
	book: StatementBook,
	name: string,
): Promise<string | undefined> {
	const rows = await book.query<{ holder: string }>(executor, 'leases holder', [name], (db, slot) =>
		db.selectFrom('leases').select('holder').where('name', '=', slot()),
	);
	return rows[0]?.holder;
}

export async function dropLease(
	executor: SqlExecutor,
	book: StatementBook,
	name: string,
	holder: string,
): Promise<void> {
	await book.change(executor, 'leases drop', [name, holder], (db, slot) =>
		db.deleteFrom('leases').where('name', '=', slot()).where('holder', '=', slot()),
	);
}
