import { CompiledQuery, sql, type Kysely, type RawBuilder } from 'kysely';
import {
	columnName,
	isValues,
	valuesTable,
	type CollectionDeclaration,
	type ColumnDeclaration,
} from './collections';
import type { ColumnValue, Condition, Query } from './store';

export type AnyDatabase = Kysely<Record<string, Record<string, unknown>>>;

export interface StoredRow {
	readonly id: string;
	readonly document: string;
	readonly secrets: string | null;
}

type AnyDeclaration = CollectionDeclaration<{ id: string }, string>;

/**
 * The SQL of one collection. What runs for every record is compiled once and executed with fresh
 * parameters; queries with conditions are built as they come.
 */
export class CollectionStatements {
	readonly columns: ReadonlyArray<[string, ColumnDeclaration<{ id: string }>]>;

	readonly valueFields: ReadonlyArray<[string, (record: { id: string }) => readonly string[]]>;

	private readonly compiled = new Map<string, string>();

	constructor(private readonly declaration: AnyDeclaration) {
		const entries = Object.entries(declaration.columns);
		this.columns = entries.flatMap(([field, column]) =>
			isValues(column) ? [] : [[field, column]],
		);
		this.valueFields = entries.flatMap(([field, column]) =>
			isValues(column) ? [[field, column.values]] : [],
		);
	}

	async get(db: AnyDatabase, id: string): Promise<StoredRow | undefined> {
		const rows = await this.execute<StoredRow>(db, 'get', [id], () =>
			db.selectFrom(this.table).select(['id', 'document', 'secrets']).where('id', '=', id),
		);
		return rows[0];
	}

	async getMany(db: AnyDatabase, ids: readonly string[]): Promise<StoredRow[]> {
		const found: StoredRow[] = [];
		// Below every backend's limit of parameters.
		for (let start = 0; start < ids.length; start += 500) {
			const rows = await db
				.selectFrom(this.table)
				.select(['id', 'document', 'secrets'])
				.where('id', 'in', ids.slice(start, start + 500))
				.execute();
			found.push(...(rows as unknown as StoredRow[]));
		}
		const byId = new Map(found.map((row) => [row.id, row]));
		return ids.map((id) => byId.get(id)).filter((row) => row !== undefined);
	}

	/** False when the id or a unique column is taken. */
	async insert(
		db: AnyDatabase,
		record: { id: string },
		document: string,
		secrets: string | null,
	): Promise<boolean> {
		const row = { id: record.id, document, secrets, ...this.columnValues(record) };
		const rows = await this.execute(db, 'insert', Object.values(row), () =>
			db
				.insertInto(this.table)
				.values(row)
				.onConflict((conflict) => conflict.doNothing())
				.returning('id'),
		);
		if (rows.length === 0) return false;
		await this.insertValues(db, record);
		return true;
	}

	/** False when there is no such record. */
	async update(
		db: AnyDatabase,
		record: { id: string },
		document: string,
		secrets: string | null | undefined,
	): Promise<boolean> {
		const row = {
			document,
			...this.columnValues(record),
			...(secrets === undefined ? {} : { secrets }),
		};
		const name = secrets === undefined ? 'update' : 'updateWithSecrets';
		const rows = await this.execute(db, name, [...Object.values(row), record.id], () =>
			db.updateTable(this.table).set(row).where('id', '=', record.id).returning('id'),
		);
		if (rows.length === 0) return false;
		for (const [field] of this.valueFields) {
			await db.deleteFrom(valuesTable(this.table, field)).where('id', '=', record.id).execute();
		}
		await this.insertValues(db, record);
		return true;
	}

	async delete(db: AnyDatabase, id: string): Promise<boolean> {
		const rows = await this.execute(db, 'delete', [id], () =>
			db.deleteFrom(this.table).where('id', '=', id).returning('id'),
		);
		return rows.length > 0;
	}

	async list(db: AnyDatabase, query: Query<string>): Promise<StoredRow[]> {
		const { field, direction } = query.orderBy ?? { field: 'inserted', direction: 'asc' as const };
		const ordering = field === 'inserted' ? 'ordinal' : columnName(this.known(field));
		let builder = db
			.selectFrom(this.table)
			.select(['id', 'document', 'secrets'])
			.orderBy(ordering, direction)
			.orderBy('ordinal', direction);
		for (const condition of query.where ?? []) builder = builder.where(this.condition(condition));
		if (query.limit !== undefined) builder = builder.limit(query.limit);
		else if (query.offset !== undefined) builder = builder.limit(Number.MAX_SAFE_INTEGER);
		if (query.offset !== undefined) builder = builder.offset(query.offset);
		return (await builder.execute()) as unknown as StoredRow[];
	}

	async count(db: AnyDatabase, query: Query<string>): Promise<number> {
		let builder = db.selectFrom(this.table).select(({ fn }) => fn.countAll().as('total'));
		for (const condition of query.where ?? []) builder = builder.where(this.condition(condition));
		const row = await builder.executeTakeFirstOrThrow();
		return Number(row.total);
	}

	private get table(): string {
		return this.declaration.table;
	}

	/** Runs a statement of which only the parameters change; the order of parameters is the builder's. */
	private async execute<Row = { id: string }>(
		db: AnyDatabase,
		name: string,
		parameters: readonly unknown[],
		build: () => { compile(): CompiledQuery },
	): Promise<Row[]> {
		let text = this.compiled.get(name);
		if (text === undefined) {
			text = build().compile().sql;
			this.compiled.set(name, text);
		}
		const { rows } = await db.executeQuery(CompiledQuery.raw(text, [...parameters]));
		return rows as Row[];
	}

	private columnValues(record: { id: string }): Record<string, string | number | null> {
		const values: Record<string, string | number | null> = {};
		for (const [field, column] of this.columns) {
			values[columnName(field)] = toColumn(column.from(record));
		}
		return values;
	}

	private async insertValues(db: AnyDatabase, record: { id: string }): Promise<void> {
		for (const [field, valuesOf] of this.valueFields) {
			const table = valuesTable(this.table, field);
			for (const value of new Set(valuesOf(record))) {
				await this.execute(db, `values:${field}`, [record.id, value], () =>
					db.insertInto(table).values({ id: record.id, value }),
				);
			}
		}
	}

	private known(field: string): string {
		if (Object.hasOwn(this.declaration.columns, field)) return field;
		throw new TypeError(`The collection '${this.table}' has no field '${field}'`);
	}

	private condition(condition: Condition<string>): RawBuilder<boolean> {
		const field = this.known(condition.field);
		const declared = this.declaration.columns[field];
		if (declared !== undefined && isValues(declared)) return this.valuesCondition(condition);
		return compare(sql.ref(`${this.table}.${columnName(field)}`), condition);
	}

	/** `ne` and `notIn` say that none of the values fits; the others that one does. */
	private valuesCondition(condition: Condition<string>): RawBuilder<boolean> {
		const table = sql.table(valuesTable(this.table, condition.field));
		const own = sql.ref(`${this.table}.id`);
		const any = (inner: RawBuilder<boolean>): RawBuilder<boolean> =>
			sql<boolean>`exists (select 1 from ${table} as v where v.id = ${own} and ${inner})`;
		const value = sql.ref('v.value');
		switch (condition.op) {
			case 'exists':
				return any(sql<boolean>`1 = 1`);
			case 'missing':
				return sql<boolean>`not ${any(sql<boolean>`1 = 1`)}`;
			case 'ne':
				return sql<boolean>`not ${any(compare(value, { ...condition, op: 'eq' }))}`;
			case 'notIn':
				return sql<boolean>`not ${any(compare(value, { ...condition, op: 'in' }))}`;
			default:
				return any(compare(value, condition));
		}
	}
}

const operators = { lt: '<', lte: '<=', gt: '>', gte: '>=' } as const;

function compare(column: RawBuilder<unknown>, condition: Condition<string>): RawBuilder<boolean> {
	switch (condition.op) {
		case 'eq':
			return sql<boolean>`${column} = ${toColumn(condition.value)}`;
		case 'ne':
			return sql<boolean>`(${column} is null or ${column} <> ${toColumn(condition.value)})`;
		case 'in':
			if (condition.value.length === 0) return sql<boolean>`1 = 0`;
			return sql<boolean>`${column} in (${sql.join(condition.value.map(toColumn))})`;
		case 'notIn':
			if (condition.value.length === 0) return sql<boolean>`1 = 1`;
			return sql<boolean>`(${column} is null or ${column} not in (${sql.join(condition.value.map(toColumn))}))`;
		case 'contains':
			return like(column, `%${literal(condition.value)}%`);
		case 'startsWith':
			return like(column, `${literal(condition.value)}%`);
		case 'endsWith':
			return like(column, `%${literal(condition.value)}`);
		case 'exists':
			return sql<boolean>`${column} is not null`;
		case 'missing':
			return sql<boolean>`${column} is null`;
		default:
			return sql<boolean>`${column} ${sql.raw(operators[condition.op])} ${toColumn(condition.value)}`;
	}
}

function like(column: RawBuilder<unknown>, pattern: string): RawBuilder<boolean> {
	return sql<boolean>`lower(${column}) like lower(${pattern}) escape '\\'`;
}

/** The value is text to be found, not a pattern. */
function literal(value: string): string {
	return value.replace(/[\\%_]/g, '\\$&');
}

function toColumn(value: ColumnValue | undefined): string | number | null {
	if (value === undefined) return null;
	return typeof value === 'boolean' ? Number(value) : value;
}
