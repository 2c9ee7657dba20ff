import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { systemClock } from '../../../core/base/clock';
import { systemRandom, type Random } from '../../../core/base/random';
import { accountHome, openStore, type AccountStore } from '../../../core/store/open-store';
import { OpenMark } from '../../../core/store/sqlite/open-mark';
import { temporaryFolder, testAccount } from '../../support/store';
import { WorkerProgram } from './worker-program';

jest.setTimeout(60_000);

const deps = { clock: systemClock, random: systemRandom };
const start = 'default.sqlite-open-';

describe('the mark of an open SQLite store', () => {
	let folder: string;
	const opened: AccountStore[] = [];

	beforeEach(() => {
		folder = temporaryFolder();
	});

	afterEach(async () => {
		for (const store of opened.splice(0)) await store.close();
		rmSync(folder, { recursive: true, force: true });
	});

	async function open(random: Random = systemRandom): Promise<AccountStore> {
		const store = await openStore(testAccount(folder), { ...deps, random });
		opened.push(store);
		return store;
	}

	const marks = (): string[] => readdirSync(folder).filter((name) => name.startsWith(start));

	const markedBy = (store: AccountStore, holder = 'holder'): Promise<string> =>
		store.read((tx) => Promise.resolve(tx.leases.mark(holder)));

	const isGone = (store: AccountStore, marked: string): Promise<boolean> =>
		store.read((tx) => tx.leases.isGone(marked));

	it('is an empty file for the owner only, and goes when the store is closed', async () => {
		const store = await open();
		const [name = ''] = marks();
		expect(await markedBy(store)).toBe(`holder~${name.slice(start.length)}`);
		const { size, mode } = statSync(join(folder, name));
		expect([size, mode & 0o777]).toEqual([0, 0o600]);
		await store.close();
		expect(marks()).toEqual([]);
	});

	it('tells the living from those who have closed the account', async () => {
		const [here, there] = [await open(), await open()];
		const [ours, theirs] = [await markedBy(here), await markedBy(there)];
		expect([await isGone(here, ours), await isGone(here, theirs)]).toEqual([false, false]);
		expect(await isGone(there, ours)).toBe(false);
		await there.close();
		expect([await isGone(here, ours), await isGone(here, theirs)]).toEqual([false, true]);
	});

	it('says nothing of names that tell of no mark', async () => {
		const store = await open();
		for (const name of ['', 'holder', 'holder~', '1@host#x', '~../default', 'a~../b']) {
			expect(await isGone(store, name)).toBe(false);
		}
		expect(await isGone(store, 'holder~unknown')).toBe(true);
	});

	it('is removed by the next opening when its process was killed', async () => {
		const program = new WorkerProgram();
		try {
			const task = { folder, operation: 'holdLease', name: 'killed' } as const;
			expect((await program.run(task)).killed).toBe(true);
			const left = marks();
			expect(left).toHaveLength(1);
			const store = await open();
			expect(marks()).toHaveLength(1);
			expect(marks()).not.toEqual(left);
			expect(await isGone(store, `killed~${left[0]?.slice(start.length) ?? ''}`)).toBe(true);
		} finally {
			program.remove();
		}
	});

	it('stays when others open and close the account, in this process and elsewhere', async () => {
		const program = new WorkerProgram();
		try {
			const store = await open();
			const before = marks();
			await (await open()).close();
			const outcome = await program.run({ folder, operation: 'write', name: 'a' });
			expect(outcome.failure).toBe('');
			expect(marks()).toEqual(before);
			expect(await isGone(await open(), await markedBy(store))).toBe(false);
		} finally {
			program.remove();
		}
	});

	it('leaves files with content alone that are named like it', async () => {
		const path = join(folder, `${start}notes`);
		writeFileSync(path, 'do not open on Sundays');
		await (await open()).close();
		expect(readFileSync(path, 'utf8')).toBe('do not open on Sundays');
	});

	it('gets another name when its file is taken away before it is locked', () => {
		const file = join(folder, 'default.sqlite');
		const texts = ['first', 'second', 'third'];
		const taken = new DatabaseSync(join(folder, `${start}first`));
		taken.exec('pragma journal_mode = memory; begin exclusive');
		const random: Random = { ...systemRandom, text: () => texts.shift() ?? 'more' };
		const exec = DatabaseSync.prototype.exec;
		const removing = jest.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function (
			this: DatabaseSync,
			sql,
		) {
			rmSync(join(folder, `${start}second`), { force: true });
			exec.call(this, sql);
		});
		const mark = OpenMark.make(file, random);
		removing.mockRestore();
		expect(mark.token).toBe('third');
		expect(marks()).toEqual([`${start}first`, `${start}third`]);
		expect([mark.isGone('first'), mark.isGone('second')]).toEqual([false, true]);
		mark.close();
		taken.close();
	});

	it('goes with an account that is discarded', async () => {
		const store = await open();
		await store.close();
		writeFileSync(join(folder, `${start}left`), '');
		await accountHome(testAccount(folder), deps).discard();
		expect(readdirSync(folder)).toEqual([]);
	});
});
