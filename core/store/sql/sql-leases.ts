import { sql } from '../kysely';
import type { Clock } from '../../base/clock';
import type { SqlExecutor } from './executor';
import type { CompiledStatementCache } from './compiled-statement-cache';
import type { HeldLease, Lease, Leases } from '../store';
import { storeErrors } from '../store-errors';

/** Backend-specific rules: the clock of the leases and the detection of closed stores. */
export interface LeaseRules {
	/** clock shared by all processes that have the account open */
	readonly clock: Clock;
	/** token of this open store, which is stored with each holder */
	readonly token: string;
	/** Returns the given tokens that belong to stores that are certainly closed. */
	readonly findGone: (
		executor: SqlExecutor,
		tokens: readonly string[],
	) => ReadonlySet<string> | Promise<ReadonlySet<string>>;
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
		private readonly compiled: CompiledStatementCache,
		private readonly rules: LeaseRules,
	) {}

	async list(): Promise<Lease[]> {
		return await this.read(await this.rows());
	}

	async read(rows: readonly LeaseRow[]): Promise<Lease[]> {
		const running = rows.filter((row) => !this.hasRunOut(row));
		const gone = await this.goneOf(running.map(({ holder }) => holder));
		return rows.map((row) => ({
			name: row.name,
			holder: unmarked(row.holder),
			isExpired: !running.includes(row) || gone.has(row.holder),
		}));
	}

	mark(holder: string): string {
		return `${holder}~${this.rules.token}`;
	}

	async isGone(stored: string): Promise<boolean> {
		return (await this.goneOf([stored])).has(stored);
	}

	async take(name: string, holder: string, ttlMs: number): Promise<boolean> {
		const stored = this.mark(holder);
		if (await this.tryToTake(name, stored, ttlMs)) return true;
		const current = (await this.rows()).find((row) => row.name === name);
		if (current === undefined) return await this.tryToTake(name, stored, ttlMs);
		const [lease] = await this.read([current]);
		if (lease?.isExpired !== true) return false;
		await this.remove(name, current.holder);
		return await this.tryToTake(name, stored, ttlMs);
	}

	async drop(name: string, holder: string): Promise<void> {
		const rows = await this.rows();
		const own = rows.filter((row) => row.name === name && unmarked(row.holder) === holder);
		for (const row of own) await this.remove(name, row.holder);
	}

	/**
	 * Requires that the holder still has the lease. An expired lease still counts until another
	 * process takes it, because until then no other process has begun the protected work.
	 *
	 * @throws `error.gateway.store.leaseLost`
	 */
	async requireHeld({ name, holder }: HeldLease): Promise<void> {
		const current = (await this.rows()).find((row) => row.name === name);
		if (current !== undefined && unmarked(current.holder) === holder) return;
		throw storeErrors.create('leaseLost', {
			message: `Another process took over '${name}' while this one was suspended.`,
		});
	}

	/**
	 * Returns the stored holders whose stores are closed; a holder without a recognisable token
	 * counts as alive.
	 */
	private async goneOf(stored: readonly string[]): Promise<ReadonlySet<string>> {
		const tokens = new Map(stored.map((holder) => [holder, tokenOf(holder)]));
		const others = [...new Set(tokens.values())].flatMap((token) =>
			token === undefined || token === this.rules.token ? [] : [token],
		);
		if (others.length === 0) return new Set();
		const gone = await this.rules.findGone(this.executor, others);
		return new Set(stored.filter((holder) => gone.has(tokens.get(holder) ?? '')));
	}

	private async rows(): Promise<LeaseRow[]> {
		return await this.compiled.query<LeaseRow>(this.executor, 'leases list', [], (db) =>
			db.selectFrom('leases').select(['name', 'holder', 'expires_at', 'ttl_ms']),
		);
	}

	private async remove(name: string, stored: string): Promise<void> {
		await this.compiled.write(this.executor, 'leases drop', [name, stored], (db, slot) =>
			db.deleteFrom('leases').where('name', '=', slot()).where('holder', '=', slot()),
		);
	}

	/**
	 * Takes a free, own or expired lease in one statement. A lease with more than twice its duration
	 * left was written before the clock was set back; it would block all other processes until the
	 * clock has caught up.
	 */
	private async tryToTake(name: string, holder: string, ttlMs: number): Promise<boolean> {
		const now = this.rules.clock.now();
		const taken = await this.compiled.query(
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

	/** Expiry by the same rule as in `tryToTake`. */
	private hasRunOut({ expires_at, ttl_ms }: LeaseRow): boolean {
		const leftMs = Number(expires_at) - this.rules.clock.now();
		return leftMs <= 0 || leftMs > 2 * Number(ttl_ms);
	}
}

/** Returns the name of the holder without the token. */
function unmarked(stored: string): string {
	return stored.replace(/~[^~]*$/, '');
}

function tokenOf(stored: string): string | undefined {
	return /~(-?[A-Za-z0-9]+)$/.exec(stored)?.[1];
}
