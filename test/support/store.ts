import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock, type Clock } from '../../core/base/clock';
import { systemRandom } from '../../core/base/random';
import { openStore, type AccountStore } from '../../core/store/open-store';

export interface TestStore {
	readonly store: AccountStore;
	readonly folder: string;
	/** Closes the store and removes its folder. */
	dispose(): Promise<void>;
}

export const testAccount = (folder: string, clientSecret = 'secret') => ({
	account: 'default',
	store: { kind: 'sqlite' as const, folder },
	backbone: { clientSecret },
});

/** A real SQLite store in a temporary folder. */
export async function openTestStore(clock: Clock = systemClock): Promise<TestStore> {
	const folder = mkdtempSync(join(tmpdir(), 'enmeshed-store-'));
	const store = await openStore(testAccount(folder), { clock, random: systemRandom });
	return {
		store,
		folder,
		dispose: async () => {
			await store.close();
			rmSync(folder, { recursive: true, force: true });
		},
	};
}
