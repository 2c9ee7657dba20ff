import { consumerRecordSchema, type ConsumerRecord } from '../model/record/event';
import type { SqlExecutor } from './executor';
import type { StatementBook } from './statement-book';
import type { Consumers } from './store';
import { readJson } from './stored-json';

export class SqlConsumers implements Consumers {
	constructor(
		private readonly executor: SqlExecutor,
		private readonly book: StatementBook,
	) {}

	async get(name: string): Promise<ConsumerRecord | undefined> {
		const rows = await this.book.query<{ document: string }>(
			this.executor,
			'consumers get',
			[name],
			(db, slot) => db.selectFrom('consumers').select('document').where('name', '=', slot()),
		);
		const [row] = rows;
		return row && readJson<ConsumerRecord>(row.document, { table: 'consumers', id: name });
	}

	async list(): Promise<ConsumerRecord[]> {
		const rows = await this.book.query<{ name: string; document: string }>(
			this.executor,
			'consumers list',
			[],
			(db) => db.selectFrom('consumers').select(['name', 'document']).orderBy('name'),
		);
		return rows.map((row) => readJson(row.document, { table: 'consumers', id: row.name }));
	}

	async put(record: ConsumerRecord): Promise<void> {
		const document = JSON.stringify(consumerRecordSchema.parse(record));
		await this.book.change(
			this.executor,
			'consumers put',
			[record.name, document, document],
			(db, slot) =>
				db
					.insertInto('consumers')
					.values({ name: slot(), document: slot() })
					.onConflict((conflict) => conflict.column('name').doUpdateSet({ document: slot() })),
		);
	}

	async delete(name: string): Promise<void> {
		await this.book.change(this.executor, 'consumers delete', [name], (db, slot) =>
			db.deleteFrom('consumers').where('name', '=', slot()),
		);
	}
}
