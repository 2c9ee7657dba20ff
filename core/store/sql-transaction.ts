import { CompiledQuery, sql } from 'kysely';
import type { ConsumerRecord, OutboxEvent } from '../model/record/event';
import { consumerRecordSchema } from '../model/record/event';
import type { JsonObject } from '../model/json';
import type { AnyDatabase } from './collection-statements';
import { collections, type CollectionName } from './collections';
import type { Sealer } from './sealer';
import { CollectionShape, SqlCollection } from './sql-collection';
import type { Consumers, Counters, Outbox, WriteTransaction } from './store';

/** Shapes of all collections, made once per open store. */
export type CollectionShapes = Readonly<Record<CollectionName, CollectionShape>>;

export function collectionShapes(sealer: Sealer): CollectionShapes {
	const entries = Object.entries(collections).map(([name, declaration]) => [
		name,
		new CollectionShape(declaration as never, sealer),
	]);
	return Object.fromEntries(entries) as CollectionShapes;
}

/** The object that `transact` and `read` hand to their work. Collections are made when asked for. */
export function sqlTransaction(
	db: AnyDatabase,
	shapes: CollectionShapes,
): WriteTransaction & { readonly appendedEvents: boolean } {
	const outbox = new SqlOutbox(db);
	const made = new Map<string, SqlCollection>();
	const collection = (name: CollectionName): SqlCollection => {
		let known = made.get(name);
		if (known === undefined) made.set(name, (known = new SqlCollection(shapes[name], db)));
		return known;
	};
	const transaction = {
		counters: new SqlCounters(db),
		outbox,
		consumers: new SqlConsumers(db),
		get appendedEvents(): boolean {
			return outbox.appended;
		},
	};
	for (const name of Object.keys(collections) as CollectionName[]) {
		Object.defineProperty(transaction, name, { get: () => collection(name), enumerable: true });
	}
	return transaction as unknown as WriteTransaction & { readonly appendedEvents: boolean };
}

class SqlCounters implements Counters {
	constructor(private readonly db: AnyDatabase) {}

	async reserve(name: string, count = 1): Promise<number> {
		return (await reserveNumbers(this.db, name, count)) - count;
	}

	async skip(namePrefix: string, by: number): Promise<void> {
		await this.db
			.updateTable('counters')
			.set({ next: sql`next + ${by}` })
			.where(sql<boolean>`substr(name, 1, ${namePrefix.length}) = ${namePrefix}`)
			.execute();
	}

	async delete(name: string): Promise<void> {
		await this.db.deleteFrom('counters').where('name', '=', name).execute();
	}
}

/** Locks the counter's row until the transaction ends, so numbers become visible in order. */
async function reserveNumbers(db: AnyDatabase, name: string, count: number): Promise<number> {
	const { rows } = await db.executeQuery(
		CompiledQuery.raw(
			'insert into counters (name, next) values (?, ?) ' +
				'on conflict (name) do update set next = counters.next + excluded.next returning next',
			[name, count],
		),
	);
	return Number((rows[0] as { next: number | string }).next);
}

interface OutboxRow {
	readonly sequence: number | string;
	readonly name: string;
	readonly created_at: string;
	readonly peer: string | null;
	readonly subject: string | null;
	readonly data: string;
}

const outboxColumns = ['sequence', 'name', 'created_at', 'peer', 'subject', 'data'] as const;

class SqlOutbox implements Outbox {
	appended = false;

	constructor(private readonly db: AnyDatabase) {}

	async append(event: Omit<OutboxEvent, 'sequence'>): Promise<number> {
		const sequence = await reserveNumbers(this.db, 'outbox', 1);
		this.appended = true;
		await this.db.executeQuery(
			CompiledQuery.raw(
				'insert into outbox (sequence, name, created_at, peer, subject, data) values (?, ?, ?, ?, ?, ?)',
				[
					sequence,
					event.name,
					event.createdAt,
					event.peer ?? null,
					event.subject ?? null,
					JSON.stringify(event.data),
				],
			),
		);
		return sequence;
	}

	async readAfter(position: number, limit: number): Promise<OutboxEvent[]> {
		const rows = await this.db
			.selectFrom('outbox')
			.select([...outboxColumns])
			.where('sequence', '>', position as never)
			.orderBy('sequence')
			.limit(limit)
			.execute();
		return (rows as unknown as OutboxRow[]).map(toEvent);
	}

	async newest(names: readonly string[], lookBack: number): Promise<OutboxEvent[]> {
		const rows = await this.db
			.selectFrom('outbox')
			.select([...outboxColumns])
			.where('name', 'in', [...names] as never[])
			.orderBy('sequence', 'desc')
			.limit(lookBack)
			.execute();
		return (rows as unknown as OutboxRow[]).map(toEvent);
	}

	async lastSequence(): Promise<number> {
		const row = await this.db
			.selectFrom('counters')
			.select('next')
			.where('name', '=', 'outbox' as never)
			.executeTakeFirst();
		return Number(row?.['next'] ?? 0);
	}

	async firstSequence(): Promise<number> {
		const row = await this.db
			.selectFrom('outbox')
			.select('sequence')
			.orderBy('sequence')
			.limit(1)
			.executeTakeFirst();
		return Number(row?.['sequence'] ?? 0);
	}

	async erase(subject: string): Promise<void> {
		await this.db
			.updateTable('outbox')
			.set({ data: '{}', peer: null })
			.where('subject', '=', subject as never)
			.execute();
	}

	async prune(olderThan: string): Promise<number> {
		const consumers = await new SqlConsumers(this.db).list();
		const passed = Math.min(
			await this.lastSequence(),
			...consumers.map(({ position }) => position),
		);
		const rows = await this.db
			.deleteFrom('outbox')
			.where('sequence', '<=', passed as never)
			.where('created_at', '<', olderThan as never)
			.returning('sequence')
			.execute();
		return rows.length;
	}
}

function toEvent(row: OutboxRow): OutboxEvent {
	return {
		sequence: Number(row.sequence),
		name: row.name,
		createdAt: row.created_at,
		...(row.peer === null ? {} : { peer: row.peer }),
		...(row.subject === null ? {} : { subject: row.subject }),
		data: JSON.parse(row.data) as JsonObject,
	};
}

class SqlConsumers implements Consumers {
	constructor(private readonly db: AnyDatabase) {}

	async get(name: string): Promise<ConsumerRecord | undefined> {
		const { rows } = await this.db.executeQuery(
			CompiledQuery.raw('select document from consumers where name = ?', [name]),
		);
		const row = rows[0] as { document: string } | undefined;
		return row && consumerRecordSchema.parse(JSON.parse(row.document));
	}

	async list(): Promise<ConsumerRecord[]> {
		const rows = await this.db.selectFrom('consumers').select('document').orderBy('name').execute();
		return rows.map((row) => consumerRecordSchema.parse(JSON.parse(String(row['document']))));
	}

	async put(record: ConsumerRecord): Promise<void> {
		await this.db.executeQuery(
			CompiledQuery.raw(
				'insert into consumers (name, document) values (?, ?) ' +
					'on conflict (name) do update set document = excluded.document',
				[record.name, JSON.stringify(consumerRecordSchema.parse(record))],
			),
		);
	}

	async delete(name: string): Promise<void> {
		await this.db
			.deleteFrom('consumers')
			.where('name', '=', name as never)
			.execute();
	}
}
