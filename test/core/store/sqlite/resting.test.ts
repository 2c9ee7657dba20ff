import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { FileIdentity } from '../../../../core/store/sqlite/file-identity';
import { IdleNotice } from '../../../../core/store/sqlite/idle-notice';
import { SqliteConnection } from '../../../../core/store/sqlite/sqlite-connection';
import { openReader } from '../../../../core/store/sqlite/sqlite-parts';
import { SqliteSession } from '../../../../core/store/sqlite/sqlite-session';
import { temporaryFolder } from '../../../support/store';

describe('connections that rest', () => {
	let folder: string;
	let file: string;
	let writer: SqliteSession;
	let reader: SqliteSession;

	beforeEach(() => {
		folder = temporaryFolder();
		file = join(folder, 'notes.sqlite');
		const database = new DatabaseSync(file);
		database.exec('pragma journal_mode = wal; create table notes (text)');
		writer = new SqliteSession(new SqliteConnection(database));
		reader = openReader(file, new FileIdentity(file, `${file}-wal`));
	});

	afterEach(async () => {
		await reader.close();
		await writer.close();
		rmSync(folder, { recursive: true, force: true });
	});

	const insert = (text: string): Promise<number> =>
		writer.run('begin immediate', (tx) => tx.change('insert into notes values (?)', [text]));
	const notes = (): Promise<object[]> =>
		reader.run('begin', (tx) => tx.query('select folded(text) as text from notes', []));

	it('read and write afterwards', async () => {
		await insert('Ä');
		for (const session of [reader, writer]) await session.rest();
		await insert('B');
		expect(await notes()).toEqual([{ text: 'ä' }, { text: 'b' }]);
		for (const session of [reader, writer, reader, writer]) await session.rest();
		expect(await notes()).toEqual([{ text: 'ä' }, { text: 'b' }]);
	});

	it('close their file if they only read, and keep it open if they write', async () => {
		await insert('A');
		await notes();
		const closed = jest.spyOn(DatabaseSync.prototype, 'close');
		await writer.rest();
		expect(closed).not.toHaveBeenCalled();
		await reader.rest();
		await reader.rest();
		expect(closed).toHaveBeenCalledTimes(1);
		closed.mockRestore();
	});

	it('give back what they keep of a file to which they write', async () => {
		await insert('A');
		const run = jest.spyOn(writer.connection, 'run');
		await writer.rest();
		expect(run.mock.calls).toEqual([['pragma writable_schema = reset'], ['pragma shrink_memory']]);
		await writer.close();
		await writer.rest();
		expect(run.mock.calls).toHaveLength(2);
	});

	it('keep their settings', async () => {
		const settings = { secure_delete: 1, foreign_keys: 1, cache_size: -8_000, synchronous: 1 };
		const read = (name: string): Promise<object[]> =>
			writer.run('begin immediate', (tx) => tx.query(`pragma ${name}`, []));
		for (const [name, value] of Object.entries(settings)) {
			writer.connection.run(`pragma ${name} = ${value}`);
		}
		await writer.rest();
		await insert('A');
		for (const [name, value] of Object.entries(settings)) {
			expect(await read(name)).toEqual([{ [name]: value }]);
		}
	});

	it('wait for a transaction that has begun', async () => {
		await insert('A');
		let resting: Promise<void> | undefined;
		const found = await reader.run('begin', async (tx) => {
			resting = reader.rest();
			await new Promise((resolve) => setImmediate(resolve));
			return await tx.query('select text from notes', []);
		});
		await resting;
		expect(found).toEqual([{ text: 'A' }]);
	});

	it('notice a file that was moved away, and create no other one', async () => {
		await insert('A');
		await reader.rest();
		renameSync(file, `${file}.old`);
		await expect(notes()).rejects.toMatchObject({
			code: 'error.gateway.store.databaseReplaced',
		});
		expect(existsSync(file)).toBe(false);
		renameSync(`${file}.old`, file);
		expect(await notes()).toEqual([{ text: 'a' }]);
	});

	it('can be closed', async () => {
		await reader.rest();
		await reader.close();
		await reader.rest();
		await expect(notes()).rejects.toThrow();
	});
});

describe('the notice of an idle store', () => {
	const times = { usual: 1_000, crowded: 100, mostWarm: 2 };
	let notices = 0;
	let idle: IdleNotice;
	beforeEach(() => {
		jest.useFakeTimers();
		notices = 0;
		idle = new IdleNotice(times, () => notices++);
	});
	afterEach(() => {
		idle.close();
		jest.useRealTimers();
	});

	it('comes once, after a time without use', () => {
		idle.noteUse();
		jest.advanceTimersByTime(900);
		idle.noteUse();
		jest.advanceTimersByTime(1_000);
		expect(notices).toBe(0);
		jest.advanceTimersByTime(100_000);
		expect([notices, jest.getTimerCount()]).toEqual([1, 0]);
		idle.noteUse();
		jest.advanceTimersByTime(1_000);
		expect(notices).toBe(2);
	});

	it('comes sooner while many others wait', () => {
		const others = [idle, idle].map(() => new IdleNotice(times, () => undefined));
		for (const other of others) other.noteUse();
		idle.noteUse();
		jest.advanceTimersByTime(100);
		expect(notices).toBe(1);
		for (const other of others) other.close();
		idle.noteUse();
		jest.advanceTimersByTime(999);
		expect(notices).toBe(1);
		jest.advanceTimersByTime(1);
		expect(notices).toBe(2);
	});

	it('does not come after closing', () => {
		idle.noteUse();
		idle.close();
		idle.noteUse();
		expect([notices, jest.getTimerCount()]).toEqual([0, 0]);
	});
});
