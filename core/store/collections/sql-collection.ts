import { setImmediate } from 'node:timers/promises';
import type { z } from 'zod';
import { safeParse } from '../../base/schema-parse';
import type { AnyCollection } from './collection-declaration';
import { CollectionStatements, type StoredRow } from './collection-statements';
import { ColumnEncoder } from './column-values';
import type { SqlExecutor, TransactionEffects } from '../sql/executor';
import { ListStatements, rowsAsked } from './list-statements';
import { openedSearch, type OpenedSearch } from './opened-search';
import type { Sealer } from '../sql/sealer';
import type { CompiledStatementCache } from '../sql/compiled-statement-cache';
import type { Collection, Entry, Query } from '../store';
import { corruptRow, readJson } from './stored-json';

const keptOpened = 200;
const openedAtOnce = 128;

type Identified = { readonly id: string };

/** State of a collection that all transactions of an open store share. */
export class CollectionShape<Stored extends Identified = Identified> {
	readonly statements: CollectionStatements;

	readonly lists: ListStatements;

	readonly encoder: ColumnEncoder;

	/** decrypted secrets by id; an entry is valid only for the same sealed text */
	private readonly opened = new Map<string, { readonly sealed: string; readonly value: unknown }>();

	constructor(
		readonly declaration: AnyCollection & { readonly record: z.ZodType<Stored> },
		readonly sealer: Sealer,
		compiled: CompiledStatementCache,
	) {
		this.encoder = new ColumnEncoder(declaration, sealer);
		this.statements = new CollectionStatements(this.encoder, compiled);
		this.lists = new ListStatements(this.encoder, compiled);
	}

	/** Removes the decrypted content of a deleted record from memory. */
	forget(id: string): void {
		this.opened.delete(id);
		this.sealer.forget(this.placeOf(id));
	}

	/** Serialises a validated record as it is stored. */
	documentOf(record: Identified): string {
		if (this.declaration.isReadWithoutKey === true) return JSON.stringify(record);
		return this.sealer.toStored(JSON.stringify(record), this.placeOf(record.id));
	}

	/** @throws `error.gateway.store.corruptRow` */
	recordOf({ id, document }: StoredRow): Stored {
		const place = this.placeOf(id);
		const isClear = this.declaration.isReadWithoutKey === true;
		const json = isClear ? document : this.sealer.fromStored(document, place);
		const record = readJson<Stored>(json, place);
		if (record.id !== id) throw corruptRow(place);
		return record;
	}

	/** @throws `error.crypto.sealing.cannotOpen` for a row that was moved or altered */
	open(sealed: string, id: string): unknown {
		const known = this.opened.get(id);
		if (known?.sealed === sealed) return known.value;
		const place = this.placeOf(id);
		const value: unknown = readJson(this.sealer.open(sealed, place), place);
		if (this.declaration.cachesDecryptedSecrets === true) {
			if (this.opened.size >= keptOpened) this.opened.clear();
			this.opened.set(id, { sealed, value });
		}
		return value;
	}

	private placeOf(id: string): { readonly table: string; readonly id: string } {
		return { table: this.declaration.table, id };
	}
}

/** One collection inside one transaction. */
export class SqlCollection implements Collection<Identified, unknown, string> {
	private readonly statements: CollectionStatements;

	/** ids of the records that this transaction has added, in their order */
	readonly added: string[] = [];

	/** ids of records that this transaction has seen or added, where asking for them takes time */
	private readonly present: Set<string> | undefined;

	constructor(
		private readonly shape: CollectionShape,
		private readonly executor: SqlExecutor,
		private readonly effects: TransactionEffects,
	) {
		this.statements = shape.statements;
		this.present = executor.later === undefined ? undefined : new Set();
	}

	async get(id: string): Promise<Entry<Identified, unknown> | undefined> {
		const row = await this.statements.get(this.executor, id);
		return row && this.entryOf(row);
	}

	async getMany(ids: readonly string[]): Promise<Array<Entry<Identified, unknown>>> {
		const rows = await this.statements.getMany(this.executor, ids);
		return rows.map((row) => this.entryOf(row));
	}

	async list(query: Query<string> = {}): Promise<Array<Entry<Identified, unknown>>> {
		const search = openedSearch(this.shape.encoder, query.where);
		if (search !== undefined) return await this.listOpened(search, query);
		const rows = await this.shape.lists.list(this.executor, query);
		return rows.map((row) => this.entryOf(row));
	}

	async scan(
		after: number,
		limit: number,
	): Promise<{ entries: Array<Entry<Identified, unknown>>; position: number }> {
		const rows = await this.statements.scan(this.executor, after, limit);
		return {
			entries: rows.map((row) => this.entryOf(row)),
			position: Number(rows.at(-1)?.ordinal ?? after),
		};
	}

	async first(query: Query<string> = {}): Promise<Entry<Identified, unknown> | undefined> {
		return (await this.list({ ...query, limit: 1 }))[0];
	}

	async count(query: Query<string> = {}): Promise<number> {
		const search = openedSearch(this.shape.encoder, query.where);
		if (search === undefined) return await this.shape.lists.count(this.executor, query);
		let total = 0;
		for await (const _entry of this.opened(search, query)) total++;
		return total;
	}

	async countBy(field: string, values: readonly string[]): Promise<Map<string, number>> {
		return await this.shape.lists.countBy(this.executor, field, values);
	}

	private async listOpened(
		search: OpenedSearch,
		query: Query<string>,
	): Promise<Array<Entry<Identified, unknown>>> {
		const limit = rowsAsked(query.limit, Number.MAX_SAFE_INTEGER);
		let left = rowsAsked(query.offset, 0, 'offset');
		const found: Array<Entry<Identified, unknown>> = [];
		if (limit === 0) return found;
		for await (const entry of this.opened(search, query)) {
			if (left-- > 0) continue;
			if (found.push(entry) >= limit) break;
		}
		return found;
	}

	/** Yields fitting entries in the order of the query. Between batches other work may run. */
	private async *opened(
		{ where, fits }: OpenedSearch,
		{ orderBy, after }: Query<string>,
	): AsyncGenerator<Entry<Identified, unknown>> {
		const order = orderBy === undefined ? {} : { orderBy };
		const start = after === undefined ? {} : { after };
		const ids = await this.shape.lists.ids(this.executor, { where, ...order, ...start });
		for (let start = 0; start < ids.length; start += openedAtOnce) {
			if (start > 0) await setImmediate();
			const entries = await this.getMany(ids.slice(start, start + openedAtOnce));
			yield* entries.filter(({ record }) => fits(record));
		}
	}

	async insert(record: Identified, secrets: unknown): Promise<void> {
		const { checked, row } = this.newRow(record, secrets);
		await this.statements.insert(this.executor, checked, row);
		this.added.push(record.id);
		this.present?.add(record.id);
	}

	async insertIfNew(record: Identified, secrets: unknown): Promise<boolean> {
		const { checked, row } = this.newRow(record, secrets);
		const isNew = await this.statements.insertIfNew(this.executor, checked, row);
		if (isNew) this.added.push(record.id);
		return isNew;
	}

	private newRow(record: Identified, secrets: unknown) {
		const checked = this.check(record);
		const document = this.shape.documentOf(checked);
		const sealed = this.seal(record.id, secrets) ?? null;
		if (this.shape.declaration.irreplaceable === true) this.effects.irreplaceable = true;
		return { checked, row: { document, secrets: sealed } };
	}

	async update(record: Identified, secrets?: unknown): Promise<void> {
		const checked = this.check(record);
		const sealed = secrets === undefined ? undefined : this.seal(record.id, secrets);
		const row = { document: this.shape.documentOf(checked), secrets: sealed };
		const isThere = this.present?.has(record.id) ?? false;
		if (await this.statements.update(this.executor, checked, row, isThere)) return;
		throw new TypeError(`There is no such record of '${this.shape.declaration.table}' to update`);
	}

	async delete(id: string): Promise<void> {
		this.shape.forget(id);
		this.present?.delete(id);
		await this.statements.delete(this.executor, id);
	}

	/**
	 * Forgets what was seen before a part of the transaction was rolled back.
	 *
	 * @param added number of records that were added before that part
	 */
	onUndone(added: number): void {
		this.present?.clear();
		this.added.length = added;
	}

	private entryOf(row: StoredRow): StoredEntry {
		this.present?.add(row.id);
		return new StoredEntry(this.shape, row);
	}

	private check(record: Identified): Identified {
		const { record: schema, table } = this.shape.declaration;
		return parseOwn(schema, record, table);
	}

	private seal(id: string, secrets: unknown): string | undefined {
		const { declaration, sealer } = this.shape;
		if (declaration.secrets === undefined) return undefined;
		const checked = parseOwn(declaration.secrets, secrets, declaration.table);
		return sealer.seal(JSON.stringify(checked), { table: declaration.table, id });
	}
}

/** Entry that decrypts its secrets on first access, so that lists of records need no decryption. */
class StoredEntry implements Entry<Identified, unknown> {
	readonly record: Identified;

	#opened: { readonly value: unknown } | undefined;

	readonly #shape: CollectionShape;

	readonly #sealed: string | null;

	constructor(shape: CollectionShape, row: StoredRow) {
		this.#shape = shape;
		this.#sealed = row.secrets;
		this.record = shape.recordOf(row);
	}

	/** @throws `error.crypto.sealing.cannotOpen` for a row that was moved or altered */
	get secrets(): unknown {
		this.#opened ??= { value: this.open() };
		return this.#opened.value;
	}

	private open(): unknown {
		return this.#sealed === null ? undefined : this.#shape.open(this.#sealed, this.record.id);
	}
}

/** Validates an own record; a record that does not fit its schema is a programming error. */
function parseOwn<Value>(schema: z.ZodType<Value>, value: unknown, table: string): Value {
	const result = safeParse(schema, value);
	if (result.success) return result.data;
	const field = result.error.issues[0]?.path.map(String).join('.') ?? '';
	throw new TypeError(`A record of '${table}' does not fit its schema at '${field}'`);
}
