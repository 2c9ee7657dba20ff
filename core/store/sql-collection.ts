import type { z } from 'zod';
import type { CollectionDeclaration } from './collections';
import { CollectionStatements, type AnyDatabase, type StoredRow } from './collection-statements';
import type { Sealer } from './sealer';
import type { Collection, Entry, Query } from './store';
import { storeErrors } from './store-errors';

/** What is fixed per collection and shared by all transactions. */
export class CollectionShape {
	readonly statements: CollectionStatements;

	constructor(
		readonly declaration: CollectionDeclaration<{ id: string }, string>,
		readonly sealer: Sealer,
	) {
		this.statements = new CollectionStatements(declaration);
	}
}

/** One collection inside one transaction. */
export class SqlCollection implements Collection<{ id: string }, unknown, string> {
	constructor(
		private readonly shape: CollectionShape,
		private readonly db: AnyDatabase,
	) {}

	async get(id: string): Promise<Entry<{ id: string }, unknown> | undefined> {
		const row = await this.shape.statements.get(this.db, id);
		return row && this.entry(row);
	}

	async getMany(ids: readonly string[]): Promise<Array<Entry<{ id: string }, unknown>>> {
		const rows = await this.shape.statements.getMany(this.db, ids);
		return rows.map((row) => this.entry(row));
	}

	async list(query: Query<string> = {}): Promise<Array<Entry<{ id: string }, unknown>>> {
		const rows = await this.shape.statements.list(this.db, query);
		return rows.map((row) => this.entry(row));
	}

	async first(query: Query<string> = {}): Promise<Entry<{ id: string }, unknown> | undefined> {
		return (await this.list({ ...query, limit: 1 }))[0];
	}

	async count(query: Query<string> = {}): Promise<number> {
		return await this.shape.statements.count(this.db, query);
	}

	async insert(record: { id: string }, secrets: unknown): Promise<boolean> {
		const checked = this.check(record);
		const document = JSON.stringify(checked);
		return await this.shape.statements.insert(
			this.db,
			checked,
			document,
			this.seal(record.id, secrets),
		);
	}

	async update(record: { id: string }, secrets?: unknown): Promise<void> {
		const checked = this.check(record);
		const sealed = secrets === undefined ? undefined : this.seal(record.id, secrets);
		const document = JSON.stringify(checked);
		if (await this.shape.statements.update(this.db, checked, document, sealed)) return;
		throw new TypeError(`There is no '${this.table}' record to update`);
	}

	async delete(id: string): Promise<boolean> {
		return await this.shape.statements.delete(this.db, id);
	}

	private get table(): string {
		return this.shape.declaration.table;
	}

	/** A record that does not fit its schema is our own mistake. */
	private check(record: { id: string }): { id: string } {
		return parseOwn(this.shape.declaration.record, record, this.table) as { id: string };
	}

	private seal(id: string, secrets: unknown): string | null {
		const { declaration, sealer } = this.shape;
		if (declaration.secrets === undefined || secrets === undefined) return null;
		const checked = parseOwn(declaration.secrets, secrets, this.table);
		return sealer.seal(JSON.stringify(checked), { table: this.table, id });
	}

	private entry(row: StoredRow): Entry<{ id: string }, unknown> {
		const { sealer, declaration } = this.shape;
		const record = parseStored(row.document, this.table) as { id: string };
		if (declaration.secrets === undefined) return { record, secrets: undefined };
		let opened: { value: unknown } | undefined;
		return {
			record,
			get secrets(): unknown {
				if (opened === undefined) {
					const place = { table: declaration.table, id: row.id };
					const text = row.secrets === null ? 'null' : sealer.open(row.secrets, place);
					opened = { value: parseStored(text, declaration.table) };
				}
				return opened.value;
			},
		};
	}
}

function parseOwn(schema: z.ZodType, value: unknown, table: string): unknown {
	const result = schema.safeParse(value);
	if (result.success) return result.data;
	const field = result.error.issues[0]?.path.map(String).join('.') ?? '';
	throw new TypeError(`A record of '${table}' does not fit its schema at '${field}'`);
}

function parseStored(text: string, table: string): unknown {
	try {
		return JSON.parse(text);
	} catch (cause) {
		throw storeErrors.create('corruptRow', {
			message: `A row of '${table}' is not readable.`,
			facts: { table },
			cause,
		});
	}
}
