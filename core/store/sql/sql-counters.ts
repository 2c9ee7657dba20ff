import type { Random } from '../../base/random';
import { sql, type RawBuilder } from '../kysely';
import type { SqlExecutor } from './executor';
import { blockCounter, type ReservedNumbers, type StoredNumbers } from './reserved-numbers';
import {
	rawStatement,
	type CompiledStatementCache,
	type NextSlot,
} from './compiled-statement-cache';
import type { Condition, Counters } from '../store';
import type { ColumnEncoder } from '../collections/column-values';
import { searchIn, whereOf } from '../collections/conditions';

/** Effects of a reservation on the transaction that contains it. */
export interface CounterEffects {
	/** requires that the commit reaches the disk before it is reported */
	readonly mustReachDisk: () => void;
	readonly afterCommit: (work: () => void) => void;
}

interface CounterDependencies {
	readonly compiled: CompiledStatementCache;
	readonly numbers: ReservedNumbers;
	readonly collections: { of(name: 'relationships'): { readonly encoder: ColumnEncoder } };
}

interface CounterRow {
	readonly name: string;
	readonly next: number | string;
}

/**
 * Counters of one transaction. Writers of an account run one after the other, so values stay
 * current from reading to commit.
 */
export class SqlCounters implements Counters {
	private readonly compiled: CompiledStatementCache;

	private readonly numbers: ReservedNumbers;

	private readonly relationships: ColumnEncoder;

	/** values that this transaction has read ahead or written since */
	private readonly known = new Map<string, number>();

	private readonly looks = new Set<string>();

	private looking: Promise<unknown> = Promise.resolve();

	constructor(
		private readonly executor: SqlExecutor,
		{ compiled, numbers, collections }: CounterDependencies,
		private readonly effects: CounterEffects,
	) {
		this.compiled = compiled;
		this.numbers = numbers;
		this.relationships = collections.of('relationships').encoder;
	}

	async reserve(name: string, atLeast = 0, spread?: Random): Promise<number> {
		if (!Number.isSafeInteger(atLeast) || atLeast < 0) {
			throw new TypeError(`Expected a number to begin with, found ${atLeast}`);
		}
		const { numbers, effects } = this;
		const stored = await this.stored(name);
		const reservation = numbers.reserve(name, stored, atLeast, spread);
		const { number, blockEnd } = reservation;
		await this.raise(name, number + 1);
		if (blockEnd !== undefined) {
			effects.mustReachDisk();
			if (blockEnd > stored.blockEnd) await this.raise(blockCounter, blockEnd);
		}
		effects.afterCommit(() => numbers.committed(name, reservation));
		return number;
	}

	async look(namePrefix: string, relationships: ReadonlyArray<Condition<string>>): Promise<void> {
		const where = whereOf(this.relationships, relationships, searchIn(this.compiled));
		const key = JSON.stringify([namePrefix, where.shape, where.values]);
		if (this.looks.has(key)) return;
		this.looks.add(key);
		const looking = this.compiled.query<CounterRow>(
			this.executor,
			`counters look ${where.shape}`,
			[namePrefix, namePrefix, ...where.values, blockCounter],
			(db, slot) =>
				rawStatement(
					db,
					sql`
					select ${prefixed(slot)} || relationships.id as name, coalesce(counters.next, 0) as next
						from relationships
						left join counters on counters.name = ${prefixed(slot)} || relationships.id
						where ${sql.join(where.build(slot), sql` and `)}
					union all select name, next from counters where name = ${slot()}`,
				),
		);
		this.looking = looking;
		const rows = await looking;
		// Counters that were written meanwhile are known already.
		for (const { name, next } of [...rows, { name: blockCounter, next: 0 }]) {
			if (!this.known.has(name)) this.known.set(name, Number(next));
		}
	}

	/** Discards what was read before a part of the transaction was rolled back. */
	onUndone(): void {
		this.known.clear();
		this.looks.clear();
	}

	private async stored(name: string): Promise<StoredNumbers> {
		await this.looking.catch(() => undefined);
		const known = { next: this.known.get(name), blockEnd: this.known.get(blockCounter) };
		if (known.next !== undefined && known.blockEnd !== undefined) {
			return { next: known.next, blockEnd: known.blockEnd };
		}
		const rows = await this.compiled.query<CounterRow>(
			this.executor,
			'counters two',
			[name, blockCounter],
			(db, slot) =>
				db
					.selectFrom('counters')
					.select(['name', 'next'])
					.where(sql<boolean>`name in (${slot()}, ${slot()})`),
		);
		const valueOf = (wanted: string) => Number(rows.find((row) => row.name === wanted)?.next ?? 0);
		return { next: valueOf(name), blockEnd: valueOf(blockCounter) };
	}

	async raiseAll(namePrefix: string, to: number): Promise<void> {
		this.known.clear();
		await this.compiled.write(
			this.executor,
			'counters raise all',
			[to, namePrefix, namePrefix, to],
			(db, slot) =>
				db
					.updateTable('counters')
					.set({ next: slot() })
					.where(sql<boolean>`substr(name, 1, length(${slot()})) = ${slot()}`)
					.where(sql<boolean>`next < ${slot()}`),
		);
	}

	async beginBlock(atLeast: number): Promise<void> {
		await this.raise(blockCounter, atLeast);
		this.effects.afterCommit(() => this.numbers.beginAnew());
	}

	/** Raises the counter, so that all numbers below the given one count as handed out. */
	async raise(name: string, to: number): Promise<void> {
		const known = this.known.get(name);
		if (known !== undefined) this.known.set(name, Math.max(known, to));
		await this.compiled.write(this.executor, 'counters raise', [name, to, to, to], (db, slot) =>
			db
				.insertInto('counters')
				.values({ name: slot(), next: slot() })
				.onConflict((conflict) =>
					conflict.column('name').doUpdateSet({
						next: sql`case when counters.next < ${slot()} then ${slot()} else counters.next end`,
					}),
				),
		);
	}

	async delete(name: string): Promise<void> {
		this.effects.afterCommit(() => this.numbers.forget(name));
		this.known.delete(name);
		await this.compiled.write(this.executor, 'counters delete', [name], (db, slot) =>
			db.deleteFrom('counters').where('name', '=', slot()),
		);
	}

	async list(): Promise<Array<{ name: string; next: number }>> {
		const rows = await this.compiled.query<CounterRow>(this.executor, 'counters list', [], (db) =>
			db.selectFrom('counters').select(['name', 'next']).orderBy('name'),
		);
		return rows.map(({ name, next }) => ({ name, next: Number(next) }));
	}
}

function prefixed(slot: NextSlot): RawBuilder<string> {
	return sql`cast(${slot()} as text)`;
}
