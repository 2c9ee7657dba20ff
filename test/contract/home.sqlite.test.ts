import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../core/base/clock';
import { systemRandom } from '../../core/base/random';
import { accountHome, openStore } from '../../core/store/open-store';
import { temporaryFolder, testAccount } from '../support/store';
import { describeHomeContract, type HomeHost } from './home.contract';

jest.setTimeout(60_000);

const deps = { clock: systemClock, random: systemRandom, environment: {} };

function sqliteHost(parts: { readonly passphrase?: string } = {}): HomeHost {
	const folder = temporaryFolder();
	// Files of other programs do no harm.
	writeFileSync(join(folder, 'notes.sqlite'), 'x'.repeat(4_096));
	const configOf = (account: string, clientSecret = '') => ({
		...testAccount(folder, clientSecret),
		account,
	});
	return {
		home: (account) => accountHome(configOf(account), deps),
		openStore: (account, clientSecret, passphrase) =>
			openStore(
				{ ...configOf(account, clientSecret), ...(passphrase === undefined ? {} : { passphrase }) },
				deps,
			),
		passphrase: parts.passphrase,
		close: async () => rmSync(folder, { recursive: true, force: true }),
	};
}

describeHomeContract('SQLite with a key file', () => Promise.resolve(sqliteHost()));

describeHomeContract('SQLite with a passphrase', () =>
	Promise.resolve(sqliteHost({ passphrase: 'correct horse' })),
);
