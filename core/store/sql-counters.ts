import { sql } from 'kysely';
import type { SqlExecutor } from './executor';
import type { StatementBook } from './statement-book';
import type { Counters } from './store';

/** Rows are locked from the first reservation to the end of the transaction. */
export class SqlCounters implements Counters {
	constructor(
		private readonly executor: SqlExecutor,
		private readonly book: StatementBook,
	) {}

	async reserve(name: string, count = 1): Promise<number> {
		if (!Number.isSafeInteger(count) || count < 1) {
			throw new TypeError(`Expected to reserve at least one number, found ${count}`);
		}
		const rows = await this.book.query<{ next: number | string }>(
			this.executor,
			'counters reserve',
			[name, count],
			(db, slot) =>
				db
					.insertInto('counters')
					.values({ name: slot(), next: slot() })
					.onConflict((conflict) =>
						conflict.column('name').doUpdateSet({ next: sql`counters.next + excluded.next` }),
					)
					.returning('next'),
		);
		return Number(rows[0]?.next) - count;
	}

	async skip(namePrefix: string, by: number): Promise<void> {
		await this.book.change(
			this.executor,
			'counters skip',
			[by, namePrefix, namePrefix],
			(db, slot) =>
				db
					.updateTable('counters')
					.set({ next: sql`next + ${slot()}` })
					.where(sql<boolean>`substr(name, 1, length(${slot()})) = ${slot()}`),
		);
	}

	/** At least so many numbers count as handed out from now on. */
	async raise(name: string, to: number): Promise<void> {
		await this.book.change(this.executor, 'counters raise', [name, to, to, to], (db, slot) =>
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
		await this.book.change(this.executor, 'counters delete', [name], (db, slot) =>
			db.deleteFrom('counters').where('name', '=', slot()),
		);
	}

	async list(): Promise<Array<{ name: string; next: number }>> {
		const rows = await this.book.query<{ name: string; next: number | string }>(
			this.executor,
			'counters list',
			[],
			(db) => db.selectFrom('counters').select(['name', 'next']).orderBy('name'),
		);
		return rows.map(({ name, next }) => ({ name, next: Number(next) }));
	}
}
