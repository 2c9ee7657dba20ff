import { rmSync } from 'node:fs';
import { systemRandom } from '../../core/base/random';
import { openStore } from '../../core/store/open-store';
import { TestClock } from '../support/clock';
import { temporaryFolder, testAccount } from '../support/store';
import { describeStoreContract } from './store.contract';

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
