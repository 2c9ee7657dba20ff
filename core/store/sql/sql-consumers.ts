import { parse } from '../../base/schema-parse';
import { consumerRecordSchema, type ConsumerRecord } from '../../model/record/event';
import type { SqlExecutor } from './executor';
import type { Sealer } from './sealer';
import type { CompiledStatementCache } from './compiled-statement-cache';
import type { Consumers } from '../store';
import { readJson } from '../collections/stored-json';

export class SqlConsumers implements Consumers {
	constructor(
		private readonly executor: SqlExecutor,
		private readonly compiled: CompiledStatementCache,
		private readonly sealer: Sealer,
	) {}

	async get(name: string): Promise<ConsumerRecord | undefined> {
		const rows = await this.compiled.query<{ document: string }>(
			this.executor,
			'consumers get',
			[name],
			(db, slot) => db.selectFrom('consumers').select('document').where('name', '=', slot()),
		);
		const [row] = rows;
		return row && this.read(row.document, name);
	}

	async list(): Promise<ConsumerRecord[]> {
		const rows = await this.compiled.query<{ name: string; document: string }>(
			this.executor,
			'consumers list',
			[],
			(db) => db.selectFrom('consumers').select(['name', 'document']).orderBy('name'),
		);
		return rows.map((row) => this.read(row.document, row.name));
	}

	async put(record: ConsumerRecord): Promise<void> {
		const json = JSON.stringify(parse(consumerRecordSchema, record));
		const document = this.sealer.toStored(json, placeOf(record.name));
		await this.compiled.write(
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
		await this.compiled.write(this.executor, 'consumers delete', [name], (db, slot) =>
			db.deleteFrom('consumers').where('name', '=', slot()),
		);
	}

	private read(document: string, name: string): ConsumerRecord {
		const place = placeOf(name);
		return readJson<ConsumerRecord>(this.sealer.fromStored(document, place), place);
	}
}

/** Place of a consumer, with its name in the form that the database returns. */
const placeOf = (name: string) => ({ table: 'consumers', id: name.toWellFormed() });
