import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../../core/base/clock';
import { systemRandom } from '../../../core/base/random';
import { accountHome, accountKey, openStore, peekAccount } from '../../../core/store/open-store';

/* ENMESHED_ALLOWED_FOLDERS: where the person who runs n8n lets accounts be opened. */
let root: string;
beforeEach(() => {
	root = realpathSync(mkdtempSync(join(tmpdir(), 'allowed-folders-')));
	mkdirSync(join(root, 'outside'));
	mkdirSync(join(root, 'allowed'));
	symlinkSync(join(root, 'outside'), join(root, 'allowed', 'link'));
});
afterEach(() => rmSync(root, { recursive: true }));

const refused = { code: 'error.gateway.store.folderNotAllowed', facts: { field: 'store.folder' } };

const configOf = (folder: string | undefined) => ({
	account: 'default',
	store: {
		kind: 'sqlite' as const,
		...(folder === undefined ? {} : { folder: join(root, folder) }),
	},
	backbone: { clientSecret: 'secret' },
});
const depsOf = (allowed: string | undefined) => ({
	clock: systemClock,
	random: systemRandom,
	environment: {
		HOME: join(root, 'home'),
		...(allowed === undefined ? {} : { ENMESHED_ALLOWED_FOLDERS: allowed }),
	},
});
const listed = (...folders: string[]): string =>
	folders.map((folder) => join(root, folder)).join(';');

describe('with a list of allowed folders', () => {
	it.each([
		['beside them', 'outside'],
		['whose name begins alike', 'allowed2'],
		['above them', '.'],
		['behind a link that leads out', 'allowed/link/deep'],
		['that leads out by its dots', 'allowed/../outside'],
		['that is the usual one', undefined],
	])('no account is opened, looked at or named in a folder %s', async (_name, folder) => {
		const config = configOf(folder);
		const deps = depsOf(listed('elsewhere', 'allowed'));
		await expect(openStore(config, deps)).rejects.toMatchObject(refused);
		await expect(peekAccount(config, deps)).rejects.toMatchObject(refused);
		expect(() => accountHome(config, deps)).toThrow(expect.objectContaining(refused));
		expect(() => accountKey(config, deps.environment)).toThrow(expect.objectContaining(refused));
		expect(existsSync(join(root, 'outside', 'default.sqlite'))).toBe(false);
		expect(existsSync(join(root, 'home'))).toBe(false);
	});

	it.each(['allowed', 'allowed/deep/er'])('accounts are opened in %s', async (folder) => {
		const store = await openStore(configOf(folder), depsOf(` ${listed('elsewhere', 'allowed')} ;`));
		await store.close();
		expect(existsSync(join(root, folder, 'default.sqlite'))).toBe(true);
	});

	it('the usual folder can be one of them', async () => {
		const store = await openStore(configOf(undefined), depsOf(listed('home/.n8n/enmeshed')));
		await store.close();
		expect(existsSync(join(root, 'home/.n8n/enmeshed/default.sqlite'))).toBe(true);
	});
});

it.each([undefined, '', ' ; '])('without a list (%j) every folder will do', async (allowed) => {
	const store = await openStore(configOf('outside'), depsOf(allowed));
	await store.close();
	expect(existsSync(join(root, 'outside', 'default.sqlite'))).toBe(true);
});
