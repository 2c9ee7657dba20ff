import { disk } from '../../../support/disk/disk';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { systemClock } from '../../../../core/base/clock';
import { systemRandom } from '../../../../core/base/random';
import type { AccountHome, HomeStore } from '../../../../core/store/account/account-home';
import { hashOfClientSecret } from '../../../../core/store/account/account-proof';
import { accountHome } from '../../../../core/store/open-store';
import { messageRecord, messageSecrets } from '../../../support/records';
import { temporaryFolder, testAccount } from '../../../support/store';

const deps = { clock: systemClock, random: systemRandom };
const clientSecret = 'secret';
const shared = { alone: false };

describe('the home of an account in SQLite', () => {
	let folder: string;
	let file: string;
	let home: AccountHome;
	const opened: HomeStore[] = [];

	beforeEach(() => {
		folder = temporaryFolder();
		file = join(folder, 'default.sqlite');
		home = homeIn(folder);
	});

	afterEach(async () => {
		jest.restoreAllMocks();
		for (const store of opened.splice(0)) await store.close();
		disk.reset();
		rmSync(folder, { recursive: true, force: true });
	});

	const homeIn = (place: string, account = 'default'): AccountHome =>
		accountHome({ ...testAccount(place), account }, deps);

	async function create(account = 'default', passphrase?: string): Promise<HomeStore> {
		const seal = { clientSecretHash: hashOfClientSecret(clientSecret), passphrase };
		const store = await homeIn(folder, account).create(seal, {
			state: 'arriving',
			move: 'm1',
			from: 'there',
			since: 'then',
		});
		opened.push(store);
		return store;
	}

	async function open(passphrase?: string): Promise<HomeStore> {
		const store = await home.open({ clientSecret, passphrase }, shared);
		opened.push(store);
		return store;
	}

	const coded = (code: string, more: object = {}) => ({
		code: `error.gateway.store.${code}`,
		...more,
	});

	it('knows no other accounts in a folder that does not exist', async () => {
		expect(await homeIn(join(folder, 'none')).otherAccounts()).toEqual([]);
	});

	it('says so where the folder cannot be read', async () => {
		writeFileSync(join(folder, 'notes'), '');
		await expect(homeIn(join(folder, 'notes')).otherAccounts()).rejects.toMatchObject(
			coded('notWritable', { cause: { code: 'ENOTDIR' } }),
		);
	});

	it('leaves databases of other programs and other files out of the accounts', async () => {
		await (await create('other')).close();
		writeFileSync(join(folder, 'foreign.sqlite'), 'not a database');
		writeFileSync(join(folder, 'notes.txt'), '');
		writeFileSync(join(folder, 'empty.sqlite'), '');
		expect((await home.otherAccounts()).map(({ account }) => account)).toEqual(['other']);
	});

	it('says so where another account cannot be read', async () => {
		await (await create('other')).close();
		chmodSync(join(folder, 'other.sqlite'), 0o400);
		await expect(home.otherAccounts()).rejects.toMatchObject(coded('notWritable'));
	});

	it('holds no account in a file without one, and leaves the file', async () => {
		writeFileSync(file, '');
		const closed = jest.spyOn(DatabaseSync.prototype, 'close');
		await expect(open()).rejects.toMatchObject(
			coded('corruptRow', { facts: { table: 'account', id: 'seal' } }),
		);
		expect(closed).toHaveBeenCalledTimes(1);
	});

	it('opens no account with a passphrase that it does not have', async () => {
		await (await create()).close();
		await expect(open('unexpected')).rejects.toMatchObject(coded('passphraseUnexpected'));
		await (await create('sealed', 'correct horse')).close();
		home = homeIn(folder, 'sealed');
		await expect(open()).rejects.toMatchObject(coded('passphraseMissing'));
		await open('correct horse');
	});

	it('creates no second account, and leaves the first as it is', async () => {
		await (await create()).close();
		const before = readFileSync(file);
		const closed = jest.spyOn(DatabaseSync.prototype, 'close');
		await expect(create()).rejects.toThrow(TypeError);
		expect(closed).toHaveBeenCalledTimes(1);
		expect(readFileSync(file).equals(before)).toBe(true);
	});

	it('makes a folder that does not exist', async () => {
		folder = join(folder, 'new');
		home = homeIn(folder);
		await (await create()).close();
		expect(await home.look()).toMatchObject({ account: 'default' });
	});

	it('has a new account and a discarded one on the disk at once', async () => {
		const store = await create();
		// The key, its folder, and the folder of the database.
		expect(disk.awaitedSyncs).toBe(3);
		await store.close();
		disk.reset();
		await home.discard();
		expect(disk.awaitedSyncs).toBe(1);
	});

	it('is discarded with all its files, and nothing else', async () => {
		await (await create()).close();
		await (await create('other')).close();
		const others = readdirSync(folder).filter((name) => !name.startsWith('default'));
		for (const end of ['-wal', '-shm', '-journal', '-open-left']) writeFileSync(file + end, '');
		mkdirSync(join(folder, 'notes'));
		const closed = jest.spyOn(DatabaseSync.prototype, 'close');
		await home.discard();
		// The database and the mark that was left.
		expect(closed).toHaveBeenCalledTimes(2);
		expect(readdirSync(folder).sort()).toEqual([...others, 'notes'].sort());
	});

	it('reads and writes by one connection while it is open alone', async () => {
		const store = await create();
		await store.transact((tx) => tx.messages.insert(messageRecord('MSG1'), messageSecrets));
		expect(await store.read((tx) => tx.messages.count({}))).toBe(1);
		expect(readdirSync(folder).filter((name) => /-(wal|open)/.test(name))).toEqual([]);
	});
});
