import { chmodSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../../core/base/clock';
import { systemRandom } from '../../../core/base/random';
import { accountHome, accountKey, type AccountConfig } from '../../../core/store/open-store';
import { temporaryFolder, testAccount } from '../../support/store';

describe('the key of an account in the registry', () => {
	let folder: string;

	beforeEach(() => {
		folder = temporaryFolder();
	});

	afterEach(() => rmSync(folder, { recursive: true, force: true }));

	const file = (name: string): string => join(folder, name);

	const keyOf = (config: Partial<AccountConfig>, environment: NodeJS.ProcessEnv = {}): string =>
		accountKey({ ...testAccount(folder), ...config }, environment);

	it('is the same before and after the folder is made, also through a link', async () => {
		mkdirSync(file('real'));
		symlinkSync(file('real'), file('link'));
		const store = { kind: 'sqlite' as const, folder: file('link/accounts') };
		const before = keyOf({ store });
		mkdirSync(file('real/accounts'));
		expect(keyOf({ store })).toBe(before);
		expect(keyOf({ store: { kind: 'sqlite', folder: file('real/accounts') } })).toBe(before);
	});

	it('differs by account, folder and database', () => {
		const keys = [
			keyOf({}),
			keyOf({ account: 'other' }),
			keyOf({ store: { kind: 'sqlite', folder: file('other') } }),
			keyOf({ store: { kind: 'sqlite' } }, { N8N_USER_FOLDER: '/a' }),
			keyOf({ store: { kind: 'sqlite' } }, { HOME: '/b' }),
		];
		expect(new Set(keys).size).toBe(keys.length);
	});

	it('names the server, the database and the schema of an account in PostgreSQL', () => {
		const store = {
			kind: 'postgres' as const,
			host: 'db.example',
			port: 5433,
			database: 'data',
			user: 'u',
			password: 'p',
			schema: 'enmeshed',
			tls: false,
			tlsAllowUnauthorized: false,
		};
		const config = { account: 'a', store };
		expect(accountKey(config)).toBe('postgres:db.example:5433/data/enmeshed/a');
		const home = accountHome(config, { clock: systemClock, random: systemRandom });
		expect(home.name).toBe("postgres://db.example:5433/data (schema 'enmeshed:a')");
	});

	it.each([
		['n8n', undefined, 0o700],
		['a person', 'chosen', 0o755],
	])('an account is moved into a folder of %s with the right mode', async (_name, chosen, mode) => {
		const made = chosen === undefined ? file('.n8n/enmeshed') : file(chosen);
		mkdirSync(made, { recursive: true });
		chmodSync(made, 0o755);
		const store = { kind: 'sqlite' as const, ...(chosen && { folder: made }) };
		const environment = { N8N_USER_FOLDER: folder };
		const home = accountHome(
			{ account: 'a', store },
			{ clock: systemClock, random: systemRandom, environment },
		);
		const accountState = { state: 'arriving', move: 'm', from: 'there', since: 'then' } as const;
		const created = await home.create({ clientSecretHash: 'hash' }, accountState);
		await created.close();
		expect(statSync(made).mode & 0o777).toBe(mode);
		expect(await home.look()).toEqual({ account: 'a', accountState, address: undefined });
		await home.discard();
		expect(readdirSync(made)).toEqual([]);
	});

	it.each([
		[{ N8N_USER_FOLDER: '/user', HOME: '/home' }, '/user/.n8n/enmeshed'],
		[{ HOME: '/home-of-n8n' }, '/home-of-n8n/.n8n/enmeshed'],
		[{}, join(process.cwd(), '.n8n', 'enmeshed')],
	])('follows the rule of n8n for %j', (environment, expected) => {
		expect(keyOf({ store: { kind: 'sqlite' } }, environment)).toBe(`sqlite:${expected}/default`);
	});
});
