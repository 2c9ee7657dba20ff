import { DatabaseSync } from 'node:sqlite';
import { SqliteConnection } from '../../../core/store/sqlite/sqlite-connection';
import { SqliteSession } from '../../../core/store/sqlite/sqlite-session';

describe('a transaction on a disk that is full', () => {
	const ioFailed = 'error.gateway.store.ioFailed';
	const small = "insert into notes values ('small')";
	const huge = 'insert into notes values (zeroblob(1000000))';
	let database: DatabaseSync;
	let session: SqliteSession;

	beforeEach(() => {
		database = new DatabaseSync(':memory:');
		database.exec('create table notes (note); pragma max_page_count = 10');
		session = new SqliteSession(new SqliteConnection(database));
	});

	afterEach(() => session.close());

	const notes = () => session.run('begin', (tx) => tx.query('select note from notes', []));

	it('fails with a code, is undone, and the next one works', async () => {
		const writing = session.run('begin immediate', async (tx) => {
			await tx.change(small, []);
			await tx.change(huge, []);
		});
		await expect(writing).rejects.toMatchObject({ code: ioFailed, message: 'The disk is full.' });
		expect(await notes()).toEqual([]);
		await session.run('begin immediate', (tx) => tx.change(small, []));
		expect(await notes()).toEqual([{ note: 'small' }]);
	});

	it('writes nothing outside of itself when its caller goes on', async () => {
		const writing = session.run('begin immediate', async (tx) => {
			await tx.change(huge, []).catch(() => 0);
			await tx.change(small, []);
		});
		await expect(writing).rejects.toMatchObject({
			code: ioFailed,
			message: expect.stringContaining('in the middle of a transaction'),
		});
		expect(await notes()).toEqual([]);
	});
});
