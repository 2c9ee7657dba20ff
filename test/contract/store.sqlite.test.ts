import { rmSync } from 'node:fs';
import { systemRandom } from '../../core/base/random';
import { openStore } from '../../core/store/open-store';
import { TestClock } from '../support/clock';
import { openMemoryStore, temporaryFolder, testAccount } from '../support/store';
import { describeStoreContract } from './store.contract';

describe.each([
	['with contents sealed', true],
	['with contents in clear', false],
])('SQLite in memory, %s', (_name, sealsContents) => {
	describeStoreContract('a store', async () => {
		const clock = new TestClock();
		const store = await openMemoryStore(clock, undefined, sealsContents);
		return { store, clock, close: () => store.close() };
	});
});

describeStoreContract('SQLite in a file', async () => {
	const clock = new TestClock();
	const folder = temporaryFolder();
	const store = await openStore(testAccount(folder), { clock, random: systemRandom });
	return {
		store,
		clock,
		close: async () => {
			await store.close();
			rmSync(folder, { recursive: true, force: true });
		},
	};
});
