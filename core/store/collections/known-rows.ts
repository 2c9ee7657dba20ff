import type { StoredRow } from './collection-statements';

/** rows of one list above which it is not kept */
const mostListed = 100;

/**
 * Rows of one collection that a writing transaction has read. Writers of an account run one after
 * the other, so they stay as they are until this transaction changes them. Reading them again costs
 * no round trip, and changing them needs no proof that they exist.
 */
export class KnownRows {
	private readonly rows = new Map<string, Promise<StoredRow | undefined>>();

	private readonly lists = new Map<string, Promise<StoredRow[]>>();

	private readonly existing = new Set<string>();

	get(id: string, read: () => Promise<StoredRow | undefined>): Promise<StoredRow | undefined> {
		const known = this.rows.get(id);
		if (known !== undefined) return known;
		const reading = read();
		this.rows.set(id, reading);
		reading.then(
			(row) => {
				if (this.rows.get(id) === reading) this.note(row);
			},
			() => this.rows.delete(id),
		);
		return reading;
	}

	/** Reads several rows; the result has no entries for unknown ids. */
	async getMany(ids: readonly string[], read: () => Promise<StoredRow[]>): Promise<StoredRow[]> {
		if (ids.every((id) => this.rows.has(id))) {
			const rows = await Promise.all(ids.map((id) => this.rows.get(id)));
			return rows.filter((row) => row !== undefined);
		}
		const reading = read();
		const byId = reading.then((rows) => new Map(rows.map((row) => [row.id, row])));
		for (const id of ids) void this.get(id, () => byId.then((rows) => rows.get(id)));
		return await reading;
	}

	list(query: string, read: () => Promise<StoredRow[]>): Promise<StoredRow[]> {
		const known = this.lists.get(query);
		if (known !== undefined) return known;
		const reading = read();
		this.lists.set(query, reading);
		reading.then(
			(rows) => {
				if (this.lists.get(query) !== reading) return;
				if (rows.length > mostListed) this.lists.delete(query);
				else for (const row of rows) this.noteListed(row);
			},
			() => this.lists.delete(query),
		);
		return reading;
	}

	has(id: string): boolean {
		return this.existing.has(id);
	}

	/** Forgets the content of a record that was written, and lists that it may belong to. */
	written(id: string): void {
		this.deleted(id);
		this.existing.add(id);
	}

	/** Forgets a record that may not exist any more. */
	deleted(id: string): void {
		this.rows.delete(id);
		this.existing.delete(id);
		this.lists.clear();
	}

	clear(): void {
		this.rows.clear();
		this.existing.clear();
		this.lists.clear();
	}

	private noteListed(row: StoredRow): void {
		this.rows.set(row.id, Promise.resolve(row));
		this.note(row);
	}

	private note(row: StoredRow | undefined): void {
		if (row !== undefined) this.existing.add(row.id);
	}
}
