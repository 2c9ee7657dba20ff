import { readdirSync, readFileSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../../core/base/clock';
import { systemRandom } from '../../../core/base/random';
import {
	accountHome,
	openStore,
	peekAccount,
	type AccountStore,
} from '../../../core/store/open-store';
import { newEvent } from '../../support/records';
import { temporaryFolder, testAccount } from '../../support/store';

const deps = { clock: systemClock, random: systemRandom };

/** Newer versions of SQLite notice lost locks in most cases, so the system itself is asked for them. */
const onLinux = process.platform === 'linux' ? describe : describe.skip;

onLinux('the locks of an open database file (Linux names them)', () => {
	let folder: string;
	let store: AccountStore;

	beforeEach(async () => {
		folder = temporaryFolder();
		store = await openStore(testAccount(folder), deps);
		await store.transact((tx) => tx.outbox.append(newEvent()));
	});

	afterEach(async () => {
		await store.close();
		rmSync(folder, { recursive: true, force: true });
	});

	const home = () => accountHome(testAccount(folder), deps);

	/** Locks of this process on the database file, as the system knows them. */
	function locksHeld(): string[] {
		const { ino } = statSync(join(folder, 'default.sqlite'));
		return readFileSync('/proc/locks', 'utf8')
			.split('\n')
			.filter((line) => line.includes(` ${process.pid} `) && line.includes(`:${ino} `))
			.map((line) => line.replace(/^\d+: /, ''));
	}

	it('are of no file that a look has left open', async () => {
		const openFiles = () =>
			readdirSync('/proc/self/fd').filter((descriptor) => {
				try {
					return readlinkSync(`/proc/self/fd/${descriptor}`).startsWith(folder);
				} catch {
					return false;
				}
			}).length;
		// SQLite closes files of which it holds locks only together with the last connection to them.
		await store.close();
		await peekAccount(testAccount(folder), deps);
		await peekAccount(testAccount(folder, 'wrong'), deps).catch(() => undefined);
		await (await openStore(testAccount(folder), deps)).close();
		expect(openFiles()).toBe(0);
	});

	it.each<readonly [string, () => Promise<unknown>]>([
		[
			'another opening in the same process',
			async () => (await openStore(testAccount(folder), deps)).close(),
		],
		['the credential test', () => peekAccount(testAccount(folder), deps)],
		[
			'a credential test with a wrong secret',
			() => peekAccount(testAccount(folder, 'wrong'), deps),
		],
		['a look before it is moved', () => home().look()],
		[
			'a look at the other accounts of the folder',
			() => accountHome({ ...testAccount(folder), account: 'other' }, deps).otherAccounts(),
		],
		[
			'an opening alone, which is refused',
			() => home().open({ clientSecret: 'secret' }, { alone: true }),
		],
	])('outlive %s', async (_name, touch) => {
		const before = locksHeld();
		expect(before).toHaveLength(1);
		await touch().catch(() => undefined);
		expect(locksHeld()).toEqual(before);
	});
});
