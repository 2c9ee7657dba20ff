import { DatabaseSync } from 'node:sqlite';
import { collections, columnName } from '../../../core/store/collections/collections';
import { indexedPrefix, indexesOf, isIndexed } from '../../../core/store/collections/indexes';
import { openMemoryStore } from '../../support/store';

describe('the indexes that lists are put for', () => {
	const database = new DatabaseSync(':memory:');
	beforeAll(() => openMemoryStore(undefined, database));
	afterAll(() => database.close());

	const columnsOf = (index: unknown): string[] =>
		database
			.prepare('select name from pragma_index_info(?) order by seqno')
			.all(String(index))
			.map(({ name }) => (name === null ? expressionOf(index) : String(name)));

	const expressionOf = (index: unknown): string => {
		const [row] = database
			.prepare('select sql from sqlite_schema where name = ?')
			.all(String(index));
		return /\((substr\(.*?\))\)/.exec(String(row?.['sql']))?.[1] ?? '';
	};

	it.each(Object.values(collections))('are those of the table $table', ({ table }) => {
		const made = database
			.prepare("select name, partial from pragma_index_list(?) where origin = 'c'")
			.all(table)
			.map(({ name, partial }) => ({ columns: columnsOf(name), isSparse: partial === 1 }));
		const { full, sparse, prefix } = indexesOf(table);
		const declared = [
			...full.map((fields) => ({ columns: fields.map(columnName), isSparse: false })),
			...sparse.map((field) => ({ columns: [columnName(field)], isSparse: true })),
			...prefix.map((field) => ({
				columns: [`substr("${columnName(field)}", 1, ${indexedPrefix})`],
				isSparse: true,
			})),
		];
		const inOrder = (some: typeof made) => some.map((one) => JSON.stringify(one)).sort();
		expect(inOrder(declared)).toEqual(inOrder(made));
	});
});

it.each([
	['requests', 'isOwn', true],
	['requests', 'status', true],
	['requests', 'peer', true],
	['requests', 'sourceType', false],
	['messages', 'createdAt', true],
	['messages', 'subject', false],
	['drafts', 'type', true],
])('the table %s has an index with the field %s: %s', (table, field, expected) => {
	expect(isIndexed(table, field)).toBe(expected);
});
