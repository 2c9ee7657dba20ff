import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SandboxNetwork } from '../../../support/gateways';
import { until } from '../../../support/until';
import { settingsFor, SeveralAccounts } from '../support/several-accounts';
import type { Settings } from '../../../../core/server';

jest.setTimeout(60_000);

/* docs/adr/0050, docs/http-gateway.md 'Several accounts' */
let network: SandboxNetwork;
let settings: Settings;
let served: SeveralAccounts;

beforeEach(async () => {
	network = await SandboxNetwork.open();
	settings = settingsFor(network, { accounts: { school: {}, branch: {} } });
	served = await SeveralAccounts.open(settings);
});
afterEach(async () => {
	await served.close();
	await network.close();
});

async function restart(changed: Settings = settings): Promise<void> {
	await served.close();
	served = await SeveralAccounts.open(changed);
}

const names = async (): Promise<unknown[]> =>
	(await served.ask('GET /accounts')).json.result.map(({ name }: { name: string }) => name);

describe('accounts of the configuration', () => {
	it('have identities of their own below their paths', async () => {
		await served.reaches('school', 'running');
		await served.reaches('branch', 'running');
		const { json } = await served.ask('GET /accounts');
		expect(json.result).toEqual([
			{ name: 'school', source: 'configuration', state: 'running', address: expect.any(String) },
			{ name: 'branch', source: 'configuration', state: 'running', address: expect.any(String) },
		]);
		const key = await served.keyOf('school');
		const own = await served.ask('GET /accounts/school/api/v2/Account/IdentityInfo', { key });
		const main = await served.ask('GET /api/v2/Account/IdentityInfo');
		expect(own.json.result.address).toBe(json.result[0].address);
		expect(main.json.result.address).not.toBe(own.json.result.address);
	});

	it('match their path however it is written, as all paths do', async () => {
		await served.reaches('school', 'running');
		const key = await served.keyOf('school');
		for (const path of [
			'/Accounts/School/API/v2/account/identityinfo',
			'/accounts/sch%6Fol/api/v2/Account/IdentityInfo',
			'/accounts/school/api/v2/Account/IdentityInfo',
		]) {
			expect([path, (await served.ask(`GET ${path}`, { key })).status]).toEqual([path, 200]);
		}
	});

	it('cannot be called as the settings of keys call the default account', async () => {
		const database = { ...(settings.database as object), dbName: 'main' };
		await restart({ ...settings, database });
		for (const name of ['default', 'Default', 'main']) {
			const refused = await served.ask('POST /accounts', { json: { name } });
			expect(refused.json.error.code).toBe('error.gateway.accounts.exists');
		}
		const named = { ...settings, database, accounts: { default: {} } };
		await expect(restart(named)).rejects.toMatchObject({
			code: 'error.gateway.configuration.invalid',
		});
		served = await SeveralAccounts.open({ ...settings, database });
	});

	it('cannot be deleted over HTTP', async () => {
		const answer = await served.ask('DELETE /accounts/school?confirm=school');
		expect(answer.status).toBe(400);
		expect(answer.json.error.code).toBe('error.gateway.accounts.fromConfiguration');
	});

	it('stay paused over a restart, and answer that they are not open', async () => {
		await served.reaches('school', 'running');
		const key = await served.keyOf('school');
		const paused = await served.ask('PATCH /accounts/school', { json: { isPaused: true } });
		expect(paused.json.result).toEqual({
			name: 'school',
			source: 'configuration',
			state: 'paused',
		});
		await restart();
		const answer = await served.ask('GET /accounts/school/api/v2/Account/IdentityInfo', { key });
		expect(answer.status).toBe(503);
		expect(answer.json.error.code).toBe('error.gateway.accounts.notRunning');
		expect(answer.headers.get('retry-after')).toBe('5');
		await served.ask('PATCH /accounts/school', { json: { isPaused: false } });
		await served.reaches('school', 'running');
		const open = await served.ask('GET /accounts/school/api/v2/Account/IdentityInfo', { key });
		expect(open.status).toBe(200);
	});
});

describe('one account that fails', () => {
	const blocked = (): Settings => {
		const folder = network.newFolder();
		writeFileSync(join(folder, 'school.sqlite'), 'the database of another program');
		return { ...settings, accounts: { school: { database: { folder } }, branch: {} } };
	};

	it('stops no other, and says why', async () => {
		await restart(blocked());
		await served.reaches('branch', 'running');
		await served.reaches('school', 'failed');
		const { json } = await served.ask('GET /accounts/school');
		expect(json.result).toMatchObject({
			name: 'school',
			state: 'failed',
			failure: { code: 'error.gateway.store.foreignFile', remedy: expect.any(String) },
		});
	});

	it('with a wrong passphrase leaves the others alone', async () => {
		await served.reaches('school', 'running');
		await restart({
			...settings,
			accounts: { school: { database: { passphrase: 'another one' } }, branch: {} },
		});
		await served.reaches('school', 'failed');
		await served.reaches('branch', 'running');
		expect((await served.ask('GET /api/v2/Account/IdentityInfo')).status).toBe(200);
	});

	it('can be the default account', async () => {
		await served.reaches('school', 'running');
		const key = await served.keyOf('school');
		const database = settings.database as Settings;
		await restart({
			...settings,
			database: { ...database, passphrase: 'another one' },
			accounts: {
				school: { database: { folder: database.folder, passphrase: undefined } },
			},
		});
		await served.reaches('school', 'running');
		const open = await served.ask('GET /accounts/school/api/v2/Account/IdentityInfo', { key });
		expect(open.status).toBe(200);
		const main = await served.ask('GET /api/v2/Account/IdentityInfo');
		expect([main.status, main.json.error.code]).toEqual([503, 'error.gateway.accounts.notRunning']);
	});
});

describe('an administrator', () => {
	it('creates an account, which is there after a restart', async () => {
		const created = await served.ask('POST /accounts', { json: { name: 'brand' } });
		expect(created.status).toBe(201);
		expect(created.json.result).toEqual({
			name: 'brand',
			source: 'stored',
			state: 'running',
			address: expect.any(String),
		});
		await restart();
		await served.reaches('brand', 'running');
		const { json } = await served.ask('GET /accounts/brand');
		expect(json.result.address).toBe(created.json.result.address);
	});

	it.each([
		['school', 'error.gateway.accounts.exists'],
		['SCHOOL', 'error.gateway.accounts.exists'],
		['Default', 'error.gateway.accounts.exists'],
		['../etc', 'error.runtime.validation.invalidPropertyValue'],
		['', 'error.runtime.validation.invalidPropertyValue'],
		['__proto__', 'error.runtime.validation.invalidPropertyValue'],
	])("cannot create an account '%s'", async (name, code) => {
		const answer = await served.ask('POST /accounts', { json: { name } });
		expect([answer.status, answer.json.error.code]).toEqual([400, code]);
		expect(await names()).toEqual(['school', 'branch']);
	});

	it('creates nothing with a client secret that the Backbone refuses', async () => {
		const json = { name: 'brand', transportLibrary: { platformClientSecret: 'wrong' } };
		const answer = await served.ask('POST /accounts', { json });
		expect(answer.status).toBeGreaterThanOrEqual(400);
		expect(answer.json.error.message).not.toContain('wrong');
		expect(await names()).toEqual(['school', 'branch']);
		expect((await served.ask('POST /accounts', { json: { name: 'brand' } })).status).toBe(201);
	});

	it('changes the settings of an account, with which it opens again', async () => {
		await served.ask('POST /accounts', { json: { name: 'brand' } });
		const modules = { sync: { enabled: true, interval: 1 } };
		const answer = await served.ask('PATCH /accounts/brand', { json: { modules } });
		expect(answer.status).toBe(200);
		await served.reaches('brand', 'running');
		const wrong = await served.ask('PATCH /accounts/brand', {
			json: { modules: { sync: { enabled: true, interval: -1 } } },
		});
		expect([wrong.status, wrong.json.error.code]).toEqual([
			400,
			'error.gateway.configuration.invalid',
		]);
	});

	it('gives an account no other identity when its store is changed', async () => {
		const created = await served.ask('POST /accounts', { json: { name: 'north' } });
		const database = { folder: network.newFolder() };
		const refused = await served.ask('PATCH /accounts/north', { json: { database } });
		expect([refused.status, refused.json.error.code]).toEqual([
			400,
			'error.runtime.validation.invalidPropertyValue',
		]);
		expect(refused.json.error.message).toContain('moves no data');
		const { json } = await served.ask('GET /accounts/north');
		expect(json.result).toEqual(created.json.result);
	});

	it('deletes an account with its files, if the name is confirmed', async () => {
		await served.ask('POST /accounts', { json: { name: 'brand' } });
		const first = await served.ask('DELETE /accounts/brand');
		expect(first.json.error.code).toBe('error.gateway.accounts.wrongConfirmation');
		expect((await served.ask('DELETE /accounts/brand?confirm=brand')).status).toBe(204);
		await until(async () => !(await names()).includes('brand'));
		expect((await served.ask('GET /accounts/brand')).status).toBe(404);
		const again = await served.ask('POST /accounts', { json: { name: 'brand' } });
		expect(again.status).toBe(201);
	});

	it('deletes an account that is just syncing', async () => {
		const modules = { sync: { enabled: true, interval: 0.1 } };
		await served.ask('POST /accounts', { json: { name: 'brand', modules } });
		expect((await served.ask('DELETE /accounts/brand?confirm=brand')).status).toBe(204);
		await until(async () => !(await names()).includes('brand'));
	});

	it('exports an account, deletes it, and imports it under another name', async () => {
		const created = await served.ask('POST /accounts', { json: { name: 'brand' } });
		// Its start writes an event that belongs to no call.
		await restart();
		await served.reaches('brand', 'running');
		const password = 'correct horse battery staple ä';
		const file = await served.download('/accounts/brand/Export', { password });
		await served.ask('DELETE /accounts/brand?confirm=brand');
		await until(async () => !(await names()).includes('brand'));
		const headers = {
			'content-type': 'application/octet-stream',
			'x-export-password': encodeURIComponent(password),
		};
		const wrong = await served.ask('POST /accounts/mark/Import', {
			body: file,
			headers: { ...headers, 'x-export-password': 'wrong password' },
		});
		expect(wrong.json.error.code).toBe('error.gateway.moving.wrongPassword');
		const imported = await served.ask('POST /accounts/mark/Import', { body: file, headers });
		expect(imported.status).toBe(201);
		expect(imported.json.result).toMatchObject({
			name: 'mark',
			state: 'running',
			address: created.json.result.address,
		});
	});

	it('is told that an account is in the store already', async () => {
		await served.ask('POST /accounts', { json: { name: 'brand' } });
		await served.main.facade?.hostedAccounts.remove('brand');
		await until(async () => !(await names()).includes('brand'));
		const answer = await served.ask('POST /accounts', { json: { name: 'brand' } });
		expect(answer.json.error.code).toBe('error.gateway.accounts.noFreePlace');
		const opened = await served.ask('POST /accounts', {
			json: { name: 'brand', openExisting: true },
		});
		expect(opened.json.result.state).toBe('running');
	});

	it('creates one account of a name when two do so at once', async () => {
		const answers = await Promise.all(
			['brand', 'Brand', 'brand'].map((name) => served.ask('POST /accounts', { json: { name } })),
		);
		expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
		expect((await names()).length).toBe(3);
	});
});

describe('clients', () => {
	it('reach no account with the key of another one', async () => {
		await served.reaches('school', 'running');
		await served.reaches('branch', 'running');
		const school = await served.keyOf('school');
		const path = 'api/v2/Account/IdentityInfo';
		const statusOf = async (call: string, key?: string): Promise<number> =>
			(await served.ask(call, key === undefined ? {} : { key })).status;
		expect(await statusOf(`GET /accounts/school/${path}`, school)).toBe(200);
		expect(await statusOf(`GET /accounts/branch/${path}`, school)).toBe(401);
		expect(await statusOf(`GET /${path}`, school)).toBe(401);
		expect(await statusOf('GET /accounts', school)).toBe(401);
		expect(await statusOf('POST /accounts/school/Export', school)).toBe(401);
		// The key of version 6 opens the default account only.
		expect(await statusOf(`GET /accounts/school/${path}`)).toBe(401);
	});

	it('learn of an unknown account only with a key of the default one', async () => {
		const path = '/accounts/other/api/v2/Account/IdentityInfo';
		expect((await served.ask(`GET ${path}`, { key: '' })).status).toBe(401);
		expect((await served.ask(`GET ${path}`)).status).toBe(404);
	});

	it('use the streams and health of their account', async () => {
		await served.reaches('school', 'running');
		const health = await served.ask('GET /accounts/school/health', { key: '' });
		expect(health.json).toMatchObject({ isHealthy: true });
		const key = await served.keyOf('school', ['core:events']);
		const abort = new AbortController();
		const stream = await fetch(`${served.server.address}/accounts/school/Events`, {
			headers: { 'x-api-key': key },
			signal: abort.signal,
		});
		expect(stream.headers.get('content-type')).toContain('text/event-stream');
		abort.abort();
	});
});

describe('the audit', () => {
	it('of each account has the calls of this account', async () => {
		await served.reaches('school', 'running');
		const key = await served.keyOf('school');
		const json = { name: 'erp', scopes: ['core:*'] };
		await served.ask('POST /accounts/school/api/v2/Keys', { key, json });
		await served.ask('PATCH /accounts/branch', { json: { isPaused: true } });
		const exported = { json: { password: 'a long enough password' } };
		await served.ask('POST /accounts/school/Export', exported);
		const own = await served.ask('GET /accounts/school/api/v2/Audit', { key });
		const keyId = expect.stringMatching(/^KEY/);
		expect(own.json.result.entries).toMatchObject([
			{ number: 1, account: 'school', actor: { id: keyId, name: 'tests' }, route: '/Keys' },
			{ number: 2, object: keyId, status: 201, begunAs: 1 },
		]);
		const main = await served.ask('GET /api/v2/Audit');
		expect(main.json.result.entries).toMatchObject([
			{ account: 'default', route: '/accounts/:name', object: 'branch', method: 'PATCH' },
			{ object: 'branch', status: 200 },
			{ route: '/accounts/:name/Export', object: 'school', method: 'POST' },
			{ object: 'school', status: 200 },
		]);
	});
});
