import {
	copyFileSync,
	existsSync,
	readdirSync,
	renameSync,
	rmSync,
	truncateSync,
	writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../../core/base/clock';
import { systemRandom } from '../../../core/base/random';
import { accountHome, openStore, peekAccount } from '../../../core/store/open-store';
import type { Store } from '../../../core/store/store';
import { appendedTo, newEvent } from '../../support/records';
import { temporaryFolder, testAccount } from '../../support/store';

const deps = { clock: systemClock, random: systemRandom };
const replaced = { code: 'error.gateway.store.databaseReplaced', kind: 'unavailable' };
const missing = { code: 'error.gateway.store.databaseMissing', kind: 'conflict' };

describe('a database file that vanishes', () => {
	let folder: string;
	let file: string;
	let key: string;
	const opened: Store[] = [];

	beforeEach(() => {
		folder = temporaryFolder();
		file = join(folder, 'default.sqlite');
		key = join(folder, 'default.key');
	});

	afterEach(async () => {
		for (const store of opened.splice(0)) await store.close();
		rmSync(folder, { recursive: true, force: true });
	});

	const configOf = (passphrase?: string) => ({
		...testAccount(folder),
		...(passphrase === undefined ? {} : { passphrase }),
	});

	async function open(passphrase?: string): Promise<Store> {
		const store = await openStore(configOf(passphrase), deps);
		opened.push(store);
		return store;
	}

	const append = (store: Store): Promise<number> =>
		store.transact((tx) => appendedTo(tx, newEvent()));

	const lastIn = (store: Store): Promise<number> => store.read((tx) => tx.outbox.lastSequence());

	describe('while it is open', () => {
		it.each<readonly [string, () => void, RegExp]>([
			['deleted', () => rmSync(file), /default\.sqlite' was deleted or moved/],
			[
				'moved away',
				() => renameSync(file, `${file}.old`),
				/default\.sqlite' was deleted or moved/,
			],
			[
				'replaced by a copy',
				() => {
					copyFileSync(file, `${file}.copy`);
					renameSync(`${file}.copy`, file);
				},
				/default\.sqlite' was replaced/,
			],
			['robbed of its log', () => rmSync(`${file}-wal`), /-wal' was deleted or moved/],
		])('refuses commits when it was %s', async (_name, vanish, message) => {
			const store = await open();
			await append(store);
			vanish();
			const refusal = { ...replaced, message: expect.stringMatching(message) as string };
			await expect(append(store)).rejects.toMatchObject(refusal);
			await expect(append(store)).rejects.toMatchObject(refusal);
		});

		it('refuses to be read as well', async () => {
			const store = await open();
			await append(store);
			rmSync(file);
			await expect(append(store)).rejects.toMatchObject(replaced);
			await expect(lastIn(store)).rejects.toMatchObject(replaced);
		});

		it('is soon noticed by a process that only reads', async () => {
			const store = await open();
			await append(store);
			expect(await lastIn(store)).toBe(1);
			rmSync(file);
			const end = performance.now() + 5_000;
			const reading = async (): Promise<void> => {
				while (performance.now() < end) await lastIn(store);
			};
			await expect(reading()).rejects.toMatchObject(replaced);
		});

		it('goes on where it stood when it is put back', async () => {
			const store = await open();
			await append(store);
			renameSync(file, `${file}.old`);
			await expect(append(store)).rejects.toMatchObject(replaced);
			renameSync(`${file}.old`, file);
			expect(await append(store)).toBe(2);
		});

		it('refuses commits of a command that has it alone', async () => {
			await (await open()).close();
			const home = accountHome(configOf(), deps);
			const store = await home.open({ clientSecret: 'secret' }, { alone: true });
			opened.push(store);
			expect(await append(store)).toBe(1);
			renameSync(file, `${file}.old`);
			await expect(append(store)).rejects.toMatchObject(replaced);
		});
	});

	describe('before it is opened', () => {
		it.each<readonly [string, () => void]>([
			['is gone', () => rmSync(file)],
			['is empty', () => truncateSync(file)],
		])('makes no new account beside the key file when it %s', async (_name, vanish) => {
			await (await open()).close();
			vanish();
			const before = readdirSync(folder);
			const refusal = {
				...missing,
				message: expect.stringContaining(key) as string,
				facts: { left: [key] },
			};
			await expect(open()).rejects.toMatchObject(refusal);
			await expect(open('a passphrase')).rejects.toMatchObject(refusal);
			await expect(peekAccount(configOf(), deps)).rejects.toMatchObject(refusal);
			expect(readdirSync(folder)).toEqual(before);
		});

		it('makes no new account beside the log of a killed process', async () => {
			const store = await open('a passphrase');
			await append(store);
			copyFileSync(`${file}-wal`, `${file}-kept`);
			await store.close();
			rmSync(file);
			renameSync(`${file}-kept`, `${file}-wal`);
			await expect(open('a passphrase')).rejects.toMatchObject(missing);
			expect(existsSync(file)).toBe(false);
		});

		it('begins anew when a person has removed what was left', async () => {
			await (await open()).close();
			for (const left of [file, key]) rmSync(left);
			expect(await peekAccount(configOf(), deps)).toEqual({ state: 'none' });
			expect(await append(await open())).toBe(1);
		});

		it('is taken back from a backup, with the key file that stayed', async () => {
			const store = await open();
			await append(store);
			await store.close();
			renameSync(file, `${file}.backup`);
			await expect(open()).rejects.toMatchObject(missing);
			renameSync(`${file}.backup`, file);
			expect(await append(await open())).toBe(2);
		});

		it('is not a creation that was killed before its first table', async () => {
			writeFileSync(file, '');
			expect(await append(await open())).toBe(1);
		});
	});
});
