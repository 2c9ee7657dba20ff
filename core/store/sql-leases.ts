import { sql } from 'kysely';
import type { Clock } from '../base/clock';
import type { SqlExecutor } from './executor';
import type { StatementBook } from './statement-book';
import type { Lease, Leases } from './store';

export interface LeaseRules {
	readonly clock: Clock;
	/** Whether the process of that holder is known to be gone, so that nobody has to wait for it. */
	readonly isDeadHolder: (holder: string) => boolean;
}

export interface LeaseRow {
	readonly name: string;
	readonly holder: string;
	readonly expires_at: number | string;
	readonly ttl_ms: number | string;
}

export class SqlLeases implements Leases {
	constructor(
		private readonly executor: SqlExecutor,
		private readonly book: StatementBook,
		private readonly rules: LeaseRules,
	) {}

	async list(): Promise<Lease[]> {
		const rows = await this.book.query<LeaseRow>(this.executor, 'leases list', [], (db) =>
			db.selectFrom('leases').select(['name', 'holder', 'expires_at', 'ttl_ms']),
		);
		return rows.map((row) => this.read(row));
	}

	read(row: LeaseRow): Lease {
		return { name: row.name, holder: row.holder, isOver: this.isOver(row) };
	}

	async take(name: string, holder: string, ttlMs: number): Promise<boolean> {
		if (await this.tryToTake(name, holder, ttlMs)) return true;
		const current = (await this.list()).find((lease) => lease.name === name);
		if (current?.isOver !== true) return false;
		await this.drop(name, current.holder);
		return await this.tryToTake(name, holder, ttlMs);
	}

	async drop(name: string, holder: string): Promise<void> {
		await this.book.change(this.executor, 'leases drop', [name, holder], (db, slot) =>
			db.deleteFrom('leases').where('name', '=', slot()).where('holder', '=', slot()),
		);
	}

	/**
	 * One statement. A lease that would run for more than twice its length was written before the
	 * clock was set back: it would block everybody until the clock has caught up.
	 */
	private async tryToTake(name: string, holder: string, ttlMs: number): Promise<boolean> {
		const now = this.rules.clock.now();
		const taken = await this.book.query(
			this.executor,
			'leases take',
			[name, holder, now + ttlMs, ttlMs, now, now],
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

	/** By the same rule as `tryToTake`. */
	private isOver({ holder, expires_at, ttl_ms }: LeaseRow): boolean {
		const leftMs = Number(expires_at) - this.rules.clock.now();
		return leftMs <= 0 || leftMs > 2 * Number(ttl_ms) || this.rules.isDeadHolder(holder);
	}
}
