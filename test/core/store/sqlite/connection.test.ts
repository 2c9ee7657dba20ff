import { existsSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { CompiledQuery } from '../../../../core/store/kysely';
import { SqliteConnection } from '../../../../core/store/sqlite/sqlite-connection';
import { temporaryFolder } from '../../../support/store';

const keptStatements = 200;

describe('a connection to SQLite', () => {
	let folder: string;
	let file: string;
	let writer: SqliteConnection;
	let openings: number;
	let reader: SqliteConnection;

	beforeEach(() => {
		folder = temporaryFolder();
		file = join(folder, 'notes.sqlite');
		const database = new DatabaseSync(file);
		database.exec('pragma journal_mode = wal; create table notes (text)');
		writer = new SqliteConnection(database);
		openings = 0;
		reader = new SqliteConnection(new DatabaseSync(file), () => {
			openings++;
			return new DatabaseSync(file);
		});
	});

	afterEach(() => {
		jest.restoreAllMocks();
		reader.close();
		writer.close();
		rmSync(folder, { recursive: true, force: true });
	});

	const insert = (text: string): Promise<number> =>
		writer.change('insert into notes values (?)', [text]);
	const logBytes = (): number => statSync(`${file}-wal`).size;

	/** Counts the statements that are prepared while work runs. */
	async function prepared(work: () => Promise<unknown>): Promise<number> {
		const prepare = jest.spyOn(DatabaseSync.prototype, 'prepare');
		await work();
		const count = prepare.mock.calls.length;
		prepare.mockRestore();
		return count;
	}

	it('is opened again only after a rest, and once', async () => {
		await reader.query('select 1', []);
		expect(openings).toBe(0);
		reader.rest();
		expect(reader.isInTransaction).toBe(false);
		for (let times = 0; times < 2; times++) await reader.query(`select ${times}`, []);
		expect(openings).toBe(1);
	});

	it('keeps the file of the log while the writer rests and the reader is closed', async () => {
		await insert('a');
		reader.rest();
		writer.rest();
		expect(logBytes()).toBeGreaterThan(0);
		await insert('b');
		expect(await writer.query('select text from notes', [])).toHaveLength(2);
	});

	it('does not hold the file while it only reads and rests', async () => {
		await insert('a');
		reader.rest();
		writer.close();
		expect(existsSync(`${file}-wal`)).toBe(false);
	});

	it('gives back the statements that it has prepared when it rests', async () => {
		const ask = (): Promise<unknown> => writer.query('select text from notes', []);
		await ask();
		expect(await prepared(ask)).toBe(0);
		writer.rest();
		expect(await prepared(ask)).toBe(1);
	});

	it('keeps a limited number of statements', async () => {
		const ask = (number: number): Promise<unknown> => writer.query(`select ${number}`, []);
		for (let number = 0; number < keptStatements; number++) await ask(number);
		expect(await prepared(() => ask(0))).toBe(0);
		await ask(keptStatements);
		expect(await prepared(() => ask(0))).toBe(1);
		expect(await prepared(() => ask(0))).toBe(0);
	});

	it('runs a statement that changes the tables, with or without rows', async () => {
		const run = (sql: string, ...parameters: string[]): Promise<unknown> =>
			writer.executeQuery({ sql, parameters } as unknown as CompiledQuery);
		expect(await run("insert into notes values (?), ('b')", 'a')).toEqual({
			rows: [],
			numAffectedRows: 2n,
		});
		expect(await run('select text from notes where text > ?', 'a')).toEqual({
			rows: [{ text: 'b' }],
		});
		await expect(writer.streamQuery().next()).rejects.toThrow(TypeError);
	});

	it('folds the letters of all languages, keeps other values, and can build an index on that', async () => {
		const ask = 'select folded(?) as a, folded(?) as b, folded(?) as c';
		expect(await writer.query(ask, ['ÄRGER', null, 7])).toEqual([{ a: 'ärger', b: null, c: 7 }]);
		await writer.change('create index folded_notes on notes (folded(text))', []);
		await insert('Ä');
		expect(await writer.query("select text from notes where folded(text) = 'ä'", [])).toEqual([
			{ text: 'Ä' },
		]);
	});
});
