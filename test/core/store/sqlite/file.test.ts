import { files } from '../../../support/disk/refused-files';
import {
	chmodSync,
	copyFileSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readlinkSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { keepPrivate, prepareFolder } from '../../../../core/store/sqlite/file-modes';
import {
	openSqliteAlone,
	openSqliteFile,
	openSqliteForLook,
	openSqliteReader,
} from '../../../../core/store/sqlite/sqlite-file';
import { temporaryFolder } from '../../../support/store';

const notWritable = { code: 'error.gateway.store.notWritable' };
const modeOf = (path: string): number => statSync(path).mode & 0o777;

describe('a SQLite file that is opened', () => {
	let folder: string;
	let file: string;
	const opened: DatabaseSync[] = [];

	beforeEach(() => {
		folder = temporaryFolder();
		file = join(folder, 'default.sqlite');
	});

	afterEach(() => {
		files.code = undefined;
		for (const database of opened.splice(0)) if (database.isOpen) database.close();
		rmSync(folder, { recursive: true, force: true });
	});

	const keep = (database: DatabaseSync): DatabaseSync => {
		opened.push(database);
		return database;
	};

	const setting = (database: DatabaseSync, name: string): unknown =>
		Object.values(database.prepare(`pragma ${name}`).get() ?? {})[0];

	/** Marks the file as one of this package, as its creation does. */
	async function create(): Promise<void> {
		const database = await openSqliteFile(file);
		database.exec('pragma application_id = 0x656e6d53; create table notes (text)');
		database.close();
	}

	it.each([
		['for shared use', openSqliteFile],
		['alone', openSqliteAlone],
	])('%s has 8 MB for pages, and temporary ones in memory', async (_name, open) => {
		const database = keep(await open(file));
		expect(setting(database, 'cache_size')).toBe(-8_000);
		expect(setting(database, 'temp_store')).toBe(2);
		expect(modeOf(file)).toBe(0o600);
	});

	it('alone is locked at once, also when it is new', async () => {
		keep(await openSqliteAlone(file));
		const other = keep(new DatabaseSync(file));
		expect(() => other.exec('create table notes (text)')).toThrow(/locked/);
	});

	it('alone is refused with a code of its own while another program has it open', async () => {
		await create();
		const other = keep(new DatabaseSync(file));
		other.exec('begin immediate');
		await expect(openSqliteAlone(file)).rejects.toMatchObject({
			code: 'error.gateway.store.openElsewhere',
			cause: { code: 'error.gateway.store.busy' },
		});
	});

	it('beside a writer is not created again when it has vanished', () => {
		expect(() => openSqliteReader(file)).toThrow();
		expect(existsSync(file)).toBe(false);
	});

	it('for shared use keeps a log, references and nothing of what is erased', async () => {
		const database = keep(await openSqliteFile(file));
		expect(setting(database, 'journal_mode')).toBe('wal');
		expect(setting(database, 'synchronous')).toBe(1);
		expect(setting(database, 'foreign_keys')).toBe(1);
		expect(setting(database, 'secure_delete')).toBe(1);
	});

	it('alone keeps no log, and excludes all others until it is closed', async () => {
		await create();
		const database = keep(await openSqliteAlone(file));
		expect(setting(database, 'journal_mode')).toBe('delete');
		expect(setting(database, 'synchronous')).toBe(2);
		expect(setting(database, 'foreign_keys')).toBe(1);
		expect(setting(database, 'secure_delete')).toBe(1);
		const other = keep(new DatabaseSync(file));
		expect(() => other.prepare('select * from notes').all()).toThrow(/locked/);
		database.close();
		expect(other.prepare('select * from notes').all()).toEqual([]);
	});

	it.each([
		['for reading beside a writer', (path: string) => Promise.resolve(openSqliteReader(path))],
		['for a look', openSqliteForLook],
	])('%s changes nothing', async (_name, open) => {
		await create();
		const database = keep(await open(file));
		expect(database.prepare('select * from notes').all()).toEqual([]);
		expect(() => database.exec("insert into notes values ('x')")).toThrow(/readonly/);
	});

	it('is private with its log, also when a killed process left both readable', async () => {
		await create();
		const former = keep(await openSqliteFile(file));
		former.exec("insert into notes values ('x')");
		const copy = join(folder, 'copy.sqlite');
		for (const part of ['', '-wal', '-shm']) {
			copyFileSync(`${file}${part}`, `${copy}${part}`);
			chmodSync(`${copy}${part}`, 0o644);
		}
		keep(await openSqliteFile(copy));
		const modes = ['', '-wal', '-shm'].map((part) => modeOf(`${copy}${part}`));
		expect(modes).toEqual([0o600, 0o600, 0o600]);
	});

	it('alone is private, too', async () => {
		await create();
		chmodSync(file, 0o644);
		keep(await openSqliteAlone(file));
		expect(modeOf(file)).toBe(0o600);
	});

	it.each([
		['for shared use', openSqliteFile],
		['alone', openSqliteAlone],
		['for a look', openSqliteForLook],
	])('and is of another program is closed again (%s)', async (_name, open) => {
		const foreign = new DatabaseSync(file);
		foreign.exec('create table customers (name)');
		foreign.close();
		await expect(open(file)).rejects.toMatchObject({ code: 'error.gateway.store.foreignFile' });
		const descriptors = existsSync('/proc/self/fd') ? readdirSync('/proc/self/fd') : [];
		const targets = descriptors.map((descriptor) => {
			try {
				return readlinkSync(`/proc/self/fd/${descriptor}`);
			} catch {
				return '';
			}
		});
		expect(targets).not.toContain(file);
	});

	it('in a missing folder is refused with the reason', async () => {
		const missing = join(folder, 'missing', 'default.sqlite');
		await expect(openSqliteFile(missing)).rejects.toMatchObject({
			...notWritable,
			cause: { code: 'ENOENT' },
		});
		expect(() => openSqliteReader(missing)).toThrow(expect.objectContaining(notWritable));
	});

	describe('in a folder', () => {
		it('that cannot be made is refused with the reason', () => {
			writeFileSync(join(folder, 'taken'), '');
			expect(() => prepareFolder(join(folder, 'taken/below'), true)).toThrow(
				expect.objectContaining({
					...notWritable,
					cause: expect.objectContaining({ code: 'ENOTDIR' }) as Error,
				}),
			);
		});

		it('that the system cannot make below an existing one is refused, too', () => {
			if (process.platform !== 'linux') return;
			expect(() => prepareFolder('/proc/missing/below', true)).toThrow(
				expect.objectContaining(notWritable),
			);
		});

		it('of this package is made private, and a chosen one is left as it is', () => {
			for (const name of ['ours', 'chosen']) {
				mkdirSync(join(folder, name));
				chmodSync(join(folder, name), 0o755);
			}
			prepareFolder(join(folder, 'ours'), true);
			prepareFolder(join(folder, 'chosen'), false);
			expect([modeOf(join(folder, 'ours')), modeOf(join(folder, 'chosen'))]).toEqual([
				0o700, 0o755,
			]);
		});
	});

	it('whose mode cannot be changed is refused with the reason', () => {
		writeFileSync(file, '');
		chmodSync(file, 0o644);
		files.code = 'EPERM';
		expect(() => keepPrivate(file)).toThrow(
			expect.objectContaining({ ...notWritable, cause: expect.any(Error) as Error }),
		);
	});

	it('whose mode is private already is not touched', () => {
		writeFileSync(file, '', { mode: 0o400 });
		files.code = 'EPERM';
		keepPrivate(file);
		keepPrivate(join(folder, 'missing'));
		expect(modeOf(file)).toBe(0o400);
	});
});
