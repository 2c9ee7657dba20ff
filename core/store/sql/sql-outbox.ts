import { sql } from '../kysely';
import { correlationId } from '../../base/observation/correlation';
import type { JsonObject } from '../../model/json';
import type { OutboxEvent } from '../../model/record/event';
import type { SqlExecutor, SqlValue, TransactionEffects } from './executor';
import type { Sealer } from './sealer';
import type { SqlConsumers } from './sql-consumers';
import type { SqlCounters } from './sql-counters';
import {
	rowCount,
	type AnyDatabase,
	type NextSlot,
	type CompiledStatementCache,
} from './compiled-statement-cache';
import type { NewOutboxEvent, Outbox, PrunedEvents } from '../store';
import { readJson } from '../collections/stored-json';

interface OutboxRow {
	readonly sequence: number | string;
	readonly name: string;
	readonly created_at: string;
	readonly peer: string | null;
	readonly subject: string | null;
	readonly data: string;
	readonly correlation_id: string | null;
}

type UnnumberedEvent = Omit<OutboxEvent, 'sequence'>;

const contents = ['name', 'created_at', 'peer', 'subject', 'data', 'correlation_id'] as const;
const columns = ['sequence', ...contents] as const;
/** counter of used event numbers that no row shows any more */
const sequenceCounter = 'outbox';
/**
 * Number of the last event. Writers of one account run one after the other, so the newest row
 * belongs to the last commit.
 */
const lastNumber = sql<number | string>`(
	select coalesce(max(number), 0) from (
		select max(sequence) as number from outbox
		union all select next from counters where name = ${sql.lit(sequenceCounter)}
	) as numbers
)`;

const appending = (db: AnyDatabase, slot: NextSlot) =>
	db.insertInto('outbox').values({
		sequence: sql`${lastNumber} + 1`,
		...Object.fromEntries(contents.map((column) => [column, slot()])),
	});

export class SqlOutbox implements Outbox {
	private readonly compiled: CompiledStatementCache;

	private readonly sealer: Sealer;

	/** number of the last event, cached once this transaction has read it */
	private last: number | undefined;

	/**
	 * true once the subjects of all events of the transaction are indexed, so that several erasures
	 * index them only once
	 */
	private areSubjectsNoted = false;

	constructor(
		private readonly executor: SqlExecutor,
		{ compiled, sealer }: { readonly compiled: CompiledStatementCache; readonly sealer: Sealer },
		private readonly tx: { readonly counters: SqlCounters; readonly consumers: SqlConsumers },
		private readonly effects: TransactionEffects,
	) {
		this.compiled = compiled;
		this.sealer = sealer;
	}

	async append(event: NewOutboxEvent): Promise<void> {
		await this.executor.beforeEvent?.();
		const values = await this.rowOf({ ...event, correlationId: correlationId() });
		await this.compiled.write(this.executor, 'outbox append', values, appending);
		if (this.last !== undefined) this.last++;
		this.areSubjectsNoted = false;
		this.effects.appendedEvents = true;
	}

	/**
	 * Column values of an event. Where contents are sealed, the whole event is sealed; its subject is
	 * stored as a hash that can still be compared.
	 */
	private async rowOf(event: UnnumberedEvent): Promise<SqlValue[]> {
		const { name, createdAt, peer = null, subject = null, data, correlationId = null } = event;
		if (this.sealer.sealsContents) {
			const sealed = await this.toStored(JSON.stringify(event));
			return [name, createdAt, null, subject && this.subjectColumn(subject), sealed, null];
		}
		return [
			name,
			createdAt,
			peer,
			subject,
			await this.toStored(JSON.stringify(data)),
			correlationId,
		];
	}

	/**
	 * Seals text for the place of the next event, whose number is read only when sealing needs it.
	 */
	private async toStored(json: string): Promise<string> {
		if (!this.sealer.mustSeal(json)) return json;
		this.last ??= await this.lastSequence();
		return this.sealer.toStored(json, placeOf(this.last + 1));
	}

	private subjectColumn(subject: string): string {
		return this.sealer.toColumn(subject, { table: 'outbox', column: 'subject' });
	}

	/** Discards the cached number after a part of the transaction was rolled back. */
	onUndone(): void {
		this.last = undefined;
	}

	async passTo(sequence: number): Promise<void> {
		this.onUndone();
		await this.tx.counters.raise(sequenceCounter, sequence);
	}

	async readAfter(position: number, limit: number): Promise<OutboxEvent[]> {
		const rows = await this.compiled.query<OutboxRow>(
			this.executor,
			'outbox after',
			[position, limit],
			(db, slot) =>
				db
					.selectFrom('outbox')
					.select(columns)
					.where(sql<boolean>`sequence > ${slot()}`)
					.orderBy('sequence')
					.limit(rowCount(slot)),
		);
		return rows.map((row) => this.toEvent(row));
	}

	async newest(names: readonly string[], lookBack: number): Promise<OutboxEvent[]> {
		if (names.length === 0) return [];
		const rows = await this.compiled.query<OutboxRow>(
			this.executor,
			`outbox newest ${names.length}`,
			[...names, lookBack],
			(db, slot) =>
				db
					.selectFrom('outbox')
					.select(columns)
					.where(sql<boolean>`name in (${sql.join(names.map(slot))})`)
					.orderBy('sequence', 'desc')
					.limit(rowCount(slot)),
		);
		return rows.map((row) => this.toEvent(row));
	}

	async lastSequence(): Promise<number> {
		const rows = await this.compiled.query<{ last: number | string }>(
			this.executor,
			'outbox last',
			[],
			(db) => db.selectNoFrom(lastNumber.as('last')),
		);
		return Number(rows[0]?.last ?? 0);
	}

	async firstSequence(): Promise<number> {
		const rows = await this.compiled.query<{ sequence: number | string }>(
			this.executor,
			'outbox first',
			[],
			(db) => db.selectFrom('outbox').select('sequence').orderBy('sequence').limit(1),
		);
		return Number(rows[0]?.sequence ?? 0);
	}

	async erase(subject: string): Promise<void> {
		await this.noteSubjects();
		const noted = this.sealer.sealsContents ? this.subjectColumn(subject) : subject;
		await (this.sealer.sealsContents ? this.eraseSealed(noted) : this.eraseClear(noted));
		// The row itself stays: the newest row shows up to which event subjects are indexed.
		await this.compiled.write(this.executor, 'outbox erase subject', [noted], (db, slot) =>
			db.updateTable('event_subjects').set({ subject: null }).where('subject', '=', slot()),
		);
	}

	private async eraseClear(subject: string): Promise<void> {
		await this.compiled.write(this.executor, 'outbox erase', ['{}', subject], (db, slot) =>
			db.updateTable('outbox').set({ data: slot(), peer: null }).where(isAbout(slot)),
		);
	}

	/** Erases sealed events one by one, because each is bound to its place. */
	private async eraseSealed(subject: string): Promise<void> {
		const rows = await this.compiled.query<OutboxRow>(
			this.executor,
			'outbox about',
			[subject],
			(db, slot) => db.selectFrom('outbox').select(columns).where(isAbout(slot)),
		);
		for (const row of rows) {
			const { sequence, peer: _peer, ...event } = this.toEvent(row);
			const data = this.sealer.toStored(JSON.stringify({ ...event, data: {} }), placeOf(sequence));
			await this.compiled.write(this.executor, 'outbox replace', [data, sequence], (db, slot) =>
				db.updateTable('outbox').set({ data: slot() }).where('sequence', '=', slot()),
			);
		}
	}

	async prune(
		olderThan: string,
		{ after, limit }: { readonly after: number; readonly limit: number },
	): Promise<PrunedEvents> {
		const consumers = await this.tx.consumers.list();
		const last = await this.lastSequence();
		const passed = Math.min(last, ...consumers.map(({ position }) => position));
		const { position, old, hasMore } = await this.lookAt(after, passed, limit, olderThan);
		// Events are nearly in order of time: after a slice without old events no older ones follow.
		if (old === 0) return { removed: 0, position, hasMore: false };
		// The newest event may be removed, but its number must not be used again.
		await this.passTo(last);
		const parked = consumers.flatMap((consumer) => consumer.parked);
		const kept = padded(parked.map(({ sequence }) => sequence));
		const removed = await this.compiled.change(
			this.executor,
			`outbox prune ${kept.length}`,
			[after, position, olderThan, ...kept],
			(db, slot) =>
				db
					.deleteFrom('outbox')
					.where(sql<boolean>`sequence > ${slot()}`)
					.where(sql<boolean>`sequence <= ${slot()}`)
					.where('created_at', '<', slot())
					.where(sql<boolean>`sequence not in (${sql.join(kept.map(slot))})`),
		);
		await this.compiled.write(
			this.executor,
			'outbox prune subjects',
			[after, position],
			(db, slot) =>
				db
					.deleteFrom('event_subjects')
					.where(sql<boolean>`sequence > ${slot()}`)
					.where(sql<boolean>`sequence <= ${slot()}`)
					.where(
						sql<boolean>`not exists (select 1 from outbox where outbox.sequence = event_subjects.sequence)`,
					),
		);
		return { removed, position, hasMore };
	}

	/** Determines the end of a slice and its number of old events. */
	private async lookAt(
		after: number,
		until: number,
		limit: number,
		olderThan: string,
	): Promise<{ readonly position: number; readonly old: number; readonly hasMore: boolean }> {
		const rows = await this.compiled.query<{
			sequence: number | string;
			created_at: string;
		}>(this.executor, 'outbox ages', [after, until, limit], (db, slot) =>
			db
				.selectFrom('outbox')
				.select(['sequence', 'created_at'])
				.where(sql<boolean>`sequence > ${slot()}`)
				.where(sql<boolean>`sequence <= ${slot()}`)
				.orderBy('sequence')
				.limit(rowCount(slot)),
		);
		return {
			position: Number(rows.at(-1)?.sequence ?? after),
			old: rows.filter((row) => row.created_at < olderThan).length,
			hasMore: rows.length === limit,
		};
	}

	/** Indexes the subjects of all missing events; housekeeping keeps them few. */
	private async noteSubjects(): Promise<void> {
		if (this.areSubjectsNoted) return;
		await this.indexSubjects(Number.MAX_SAFE_INTEGER);
		this.areSubjectsNoted = true;
	}

	/**
	 * Updates the index of events by subject. It is updated only on demand and by housekeeping: one
	 * more written page with every event would make most changes take a tenth longer.
	 */
	async indexSubjects(limit: number): Promise<number> {
		return await this.compiled.change(this.executor, 'outbox note subjects', [limit], (db, slot) =>
			db
				.insertInto('event_subjects')
				.columns(['sequence', 'subject'])
				.expression(
					db
						.selectFrom('outbox')
						.select(['sequence', 'subject'])
						.where('subject', 'is not', null)
						.where(sql<boolean>`sequence > (select coalesce(max(sequence), 0) from event_subjects)`)
						.orderBy('sequence')
						.limit(rowCount(slot)),
				),
		);
	}

	private toEvent(row: OutboxRow): OutboxEvent {
		const sequence = Number(row.sequence);
		const place = placeOf(sequence);
		const text = this.sealer.fromStored(row.data, place);
		// `append` seals the whole event.
		if (this.sealer.sealsContents) return { ...readJson<UnnumberedEvent>(text, place), sequence };
		return {
			sequence,
			name: row.name,
			createdAt: row.created_at,
			...(row.peer === null ? {} : { peer: row.peer }),
			...(row.subject === null ? {} : { subject: row.subject }),
			...(row.correlation_id === null ? {} : { correlationId: row.correlation_id }),
			data: readJson<JsonObject>(text, place),
		};
	}
}

const isAbout = (slot: NextSlot) =>
	sql<boolean>`sequence in (select sequence from event_subjects where subject = ${slot()})`;

/** Pads to a power of two, so that few statements serve all lengths; no event has the number 0. */
function padded(sequences: readonly number[]): number[] {
	const length = 2 ** Math.ceil(Math.log2(sequences.length + 1));
	return Array.from({ length }, (_, index) => sequences[index] ?? 0);
}

const placeOf = (sequence: number) => ({ table: 'outbox', id: String(sequence) });
