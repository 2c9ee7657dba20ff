import { execFileSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { systemClock } from '../../../core/base/clock';
import { systemRandom } from '../../../core/base/random';
import type { AccountHome } from '../../../core/store/account/account-home';
import { accountHome, openStore, peekAccount } from '../../../core/store/open-store';
import { openTestStore, testAccount, type TestStore } from '../../support/store';

/* A process that has as many files open as it may: nothing is wrong with the folder or its rights. */

const tooMany = {
	code: 'error.gateway.store.tooManyOpenFiles',
	kind: 'unavailable',
	remedy: expect.stringMatching(/ulimit/) as string,
};
const deps = { clock: systemClock, random: systemRandom };

const limit = (soft?: string): string =>
	execFileSync('prlimit', [
		'--pid',
		String(process.pid),
		...(soft === undefined ? ['--nofile', '--noheadings', '--output=SOFT'] : [`--nofile=${soft}:`]),
	])
		.toString()
		.trim();

/** Does the work while no file can be opened any more. */
async function withoutFreeFiles<Result>(work: () => Promise<Result>): Promise<Result> {
	const before = limit();
	limit('512');
	const taken: number[] = [];
	try {
		for (;;) {
			try {
				taken.push(openSync('/dev/null', 'r'));
			} catch {
				break;
			}
		}
		return await work();
	} finally {
		for (const handle of taken) closeSync(handle);
		limit(before);
	}
}

const homeOf = (folder: string): AccountHome => accountHome(testAccount(folder), deps);
const proof = { clientSecret: testAccount('').backbone.clientSecret };

const onLinux = process.platform === 'linux' ? describe : describe.skip;

onLinux('a process that may open no more files (prlimit of Linux sets how many)', () => {
	let opened: TestStore;
	beforeEach(async () => {
		opened = await openTestStore();
		await opened.store.close();
		// What is loaded on first use.
		await peekAccount(testAccount(opened.folder), deps);
	});
	afterEach(() => opened.dispose());

	it.each([
		['opening an account', () => openStore(testAccount(opened.folder), deps)],
		['creating an account', () => openStore({ ...testAccount(opened.folder), account: 'b' }, deps)],
		['looking at an account', () => peekAccount(testAccount(opened.folder), deps)],
		['looking at an account to be moved', () => homeOf(opened.folder).look()],
		['opening an account to be moved', () => homeOf(opened.folder).open(proof, { alone: true })],
	])('says so when %s', async (_name, work) => {
		const failure = await withoutFreeFiles(() => work().catch((error: unknown) => error));
		expect(failure).toMatchObject(tooMany);
		const store = await openStore(testAccount(opened.folder), deps);
		await store.close();
	});
});
