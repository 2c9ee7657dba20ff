import { DatabaseSync } from 'node:sqlite';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { FileIdentity } from '../../../../core/store/sqlite/file-identity';
import { SqliteConnection } from '../../../../core/store/sqlite/sqlite-connection';
import { SqliteSession, whileBusy } from '../../../../core/store/sqlite/sqlite-session';
import type { SqlExecutor } from '../../../../core/store/sql/executor';
import { temporaryFolder } from '../../../support/store';

const ended = /transaction has ended/;

describe('a session on a SQLite file', () => {
	let folder: string;
	let other: DatabaseSync;
	let connection: SqliteConnection;
	let session: SqliteSession;

	beforeEach(() => {
		folder = temporaryFolder();
		const file = join(folder, 'notes.sqlite');
		other = new DatabaseSync(file);
		other.exec('pragma journal_mode = wal; create table notes (text)');
		connection = new SqliteConnection(new DatabaseSync(file, { timeout: 0 }));
		session = new SqliteSession(connection, 30);
	});

	afterEach(async () => {
		await session.close();
		other.close();
		rmSync(folder, { recursive: true, force: true });
	});

	const insert = (text: string) => (tx: SqlExecutor) =>
		tx.change('insert into notes values (?)', [text]);
	const notes = () =>
		other
			.prepare('select text from notes')
			.all()
			.map(({ text }) => text);

	it('commits what resolves and undoes what rejects', async () => {
		expect(await session.run('begin immediate', insert('kept'))).toBe(1);
		const failing = session.run('begin immediate', async (tx) => {
			await insert('undone')(tx);
			throw new TypeError('failed');
		});
		await expect(failing).rejects.toThrow(new TypeError('failed'));
		expect(notes()).toEqual(['kept']);
		expect(connection.isInTransaction).toBe(false);
	});

	it('runs transactions one after the other', async () => {
		const order: string[] = [];
		const slow = session.run('begin immediate', async (tx) => {
			await new Promise((resolve) => setImmediate(resolve));
			order.push('first');
			await insert('first')(tx);
		});
		const fast = session.run('begin immediate', async (tx) => {
			order.push('second');
			await insert('second')(tx);
		});
		await Promise.all([slow, fast]);
		expect(order).toEqual(['first', 'second']);
		expect(notes()).toEqual(['first', 'second']);
	});

	it.each(['begin', 'begin immediate'] as const)(
		'refuses statements after the end of a transaction (%s)',
		async (begin) => {
			let kept: SqlExecutor | undefined;
			await session.run(begin, (tx) => Promise.resolve(void (kept = tx)));
			await expect(kept?.query('select 1', [])).rejects.toThrow(ended);
			await expect(kept?.change('insert into notes values (1)', [])).rejects.toThrow(ended);
			expect(notes()).toEqual([]);
		},
	);

	it('refuses statements after a failed transaction, too', async () => {
		let kept: SqlExecutor | undefined;
		const failing = session.run('begin immediate', (tx) => {
			kept = tx;
			return Promise.reject(new TypeError('failed'));
		});
		await expect(failing).rejects.toThrow('failed');
		await expect(kept?.change('insert into notes values (1)', [])).rejects.toThrow(ended);
	});

	it('gives up with a code while another process writes, and works afterwards', async () => {
		other.exec('begin immediate');
		await expect(session.run('begin immediate', insert('a'))).rejects.toMatchObject({
			code: 'error.gateway.store.busy',
		});
		expect(await session.run('begin', (tx) => tx.query('select * from notes', []))).toEqual([]);
		other.exec('commit');
		await session.run('begin immediate', insert('b'));
		expect(notes()).toEqual(['b']);
	});

	it('names a failure to begin', async () => {
		connection.close();
		await expect(session.run('begin', () => Promise.resolve())).rejects.toThrow();
		await expect(session.run('begin', () => Promise.resolve())).rejects.toThrow();
	});

	it('looks for its file before a read, and after the work of a write', async () => {
		const events: string[] = [];
		const identity = {
			requireSame: () => void events.push('looked after writing'),
			requireSameForRead: () => void events.push('looked before reading'),
		} as unknown as FileIdentity;
		const watched = new SqliteSession(connection, 30, identity);
		const work = () => Promise.resolve(void events.push('worked'));
		await watched.run('begin', work);
		await watched.run('begin immediate', work);
		expect(events).toEqual(['looked before reading', 'worked', 'worked', 'looked after writing']);
	});

	it('closes after the transactions before it', async () => {
		const writing = session.run('begin immediate', async (tx) => {
			await new Promise((resolve) => setImmediate(resolve));
			await insert('late')(tx);
		});
		await session.close();
		await writing;
		expect(notes()).toEqual(['late']);
	});
});

describe('an attempt while another process has the lock', () => {
	const busy = Object.assign(new Error('locked'), { errcode: 5 });

	it('is repeated until it succeeds', async () => {
		let tries = 0;
		const attempt = () => {
			if (++tries < 3) throw busy;
			return 'done';
		};
		expect(await whileBusy(attempt, { busyTimeoutMs: 10_000 })).toBe('done');
		expect(tries).toBe(3);
	});

	it('ends with a code after its time, and names the lock as the cause', async () => {
		const attempt = () => {
			throw busy;
		};
		await expect(whileBusy(attempt, { busyTimeoutMs: 5 })).rejects.toMatchObject({
			code: 'error.gateway.store.busy',
			cause: busy,
		});
	});

	it('ends at once with another failure', async () => {
		let tries = 0;
		const attempt = () => {
			tries++;
			throw Object.assign(new Error('disk'), { errcode: 10 });
		};
		await expect(whileBusy(attempt)).rejects.toMatchObject({
			code: 'error.gateway.store.ioFailed',
		});
		expect(tries).toBe(1);
	});

	it('can be given up', async () => {
		const abort = new AbortController();
		const reason = new Error('given up');
		const attempt = () => {
			abort.abort(reason);
			throw busy;
		};
		await expect(whileBusy(attempt, { signal: abort.signal })).rejects.toBe(reason);
	});
});
