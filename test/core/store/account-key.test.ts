import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { accountKey, type AccountConfig } from '../../../core/store/open-store';
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

	it.each([
		[{ N8N_USER_FOLDER: '/user', HOME: '/home' }, '/user/.n8n/enmeshed'],
		[{ HOME: '/home-of-n8n' }, '/home-of-n8n/.n8n/enmeshed'],
		[{}, join(process.cwd(), '.n8n', 'enmeshed')],
	])('follows the rule of n8n for %j', (environment, expected) => {
		expect(keyOf({ store: { kind: 'sqlite' } }, environment)).toBe(`sqlite:${expected}/default`);
	});
});
