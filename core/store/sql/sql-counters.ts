import type { Random } from '../../base/random';
import { sql } from '../kysely';
import type { SqlExecutor, TransactionEffects } from './executor';
import { blockCounter, type ReservedNumbers, type StoredNumbers } from './reserved-numbers';
import type { CompiledStatementCache } from './compiled-statement-cache';
import type { Counters } from '../store';

interface CounterDependencies {
	readonly compiled: CompiledStatementCache;
	readonly numbers: ReservedNumbers;
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

	constructor(
		private readonly executor: SqlExecutor,
		{ compiled, numbers }: CounterDependencies,
		private readonly effects: TransactionEffects,
	) {
		this.compiled = compiled;
		this.numbers = numbers;
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
			effects.irreplaceable = true;
			if (blockEnd > stored.blockEnd) await this.raise(blockCounter, blockEnd);
		}
		effects.afterCommit.push(() => numbers.committed(name, reservation));
		return number;
	}

	private async stored(name: string): Promise<StoredNumbers> {
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
		this.effects.afterCommit.push(() => this.numbers.beginAnew());
	}

	/** Raises the counter, so that all numbers below the given one count as handed out. */
	async raise(name: string, to: number): Promise<void> {
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
		this.effects.afterCommit.push(() => this.numbers.forget(name));
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
