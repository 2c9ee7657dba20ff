import { SandboxNetwork } from '../../../support/gateways';
import { apiKey } from '../support/http-gateway';
import { settingsFor, SeveralAccounts } from '../support/several-accounts';
import { pageFolder } from '../support/page-folder';
import { PageVisitor } from '../support/page-visitor';

const reader = 'Reads-On-The-Page-0123456789-abc!';
const ofSchool = 'Opens-The-School-Only-0123456789!';
let network: SandboxNetwork;
let gateway: SeveralAccounts;

beforeAll(async () => {
	network = await SandboxNetwork.open();
	const keys = {
		reader: { key: reader, scopes: ['page:read'], accounts: ['*'] },
		ofSchool: { key: ofSchool, accounts: ['school'] },
	};
	const httpServer = { port: 0, apiKey, connectorVersion: 6, authentication: { apiKey: { keys } } };
	const settings = settingsFor(network, {
		infrastructure: { httpServer },
		accounts: { school: {}, branch: {} },
	});
	gateway = await SeveralAccounts.open(settings, { adminPage: pageFolder(network) });
	await gateway.reaches('school', 'running');
	await gateway.reaches('branch', 'running');
});

afterAll(async () => {
	await gateway.close();
	await network.close();
});

const visitor = (): PageVisitor => new PageVisitor(gateway.server.address);

test('serves its files without a key, and loads nothing from elsewhere', async () => {
	const { status, headers } = await visitor().call('GET /admin/');
	expect(status).toBe(200);
	expect(headers.get('content-security-policy')).toContain("default-src 'none'");
	expect(headers.get('content-security-policy')).not.toMatch(/unsafe|https:/);
	const moved = await visitor().call('GET /admin');
	expect([moved.status, moved.headers.get('location')]).toStrictEqual([302, 'admin/']);
	expect((await visitor().call('GET /ADMIN/Page.js')).status).toBe(200);
});

test('is not signed out by a gateway on another port, whose cookies a browser sends as well', async () => {
	const person = visitor();
	const { headers } = await person.signIn(apiKey);
	const [own = ''] = (headers.get('set-cookie') ?? '').split(';');
	const ask = async (port: string): Promise<number> => {
		const cookie = `enmeshed-admin${port}=${'x'.repeat(43)}; ${own}`;
		return (await fetch(`${gateway.server.address}/admin/session`, { headers: { cookie } })).status;
	};
	expect([await ask(''), await ask('-1')]).toStrictEqual([200, 200]);
});

test('signs a person in by a key, and out', async () => {
	const person = visitor();
	expect((await person.call('GET /admin/session')).status).toBe(401);
	const { status, json, headers } = await person.signIn(apiKey);
	expect(status).toBe(200);
	expect(json.result).toMatchObject({ signIn: 'key', may: { accounts: true, change: true } });
	const cookie = headers.get('set-cookie') ?? '';
	expect(cookie).toMatch(/^enmeshed-admin-\d+=[\w-]{43}; HttpOnly; SameSite=Strict$/);
	const accounts = await person.call('GET /admin/api/accounts');
	expect(accounts.json.result.map(({ name }: { name: string }) => name)).toStrictEqual([
		'school',
		'branch',
	]);
	expect((await person.call('GET /admin/api/default/Account/Problems')).status).toBe(200);
	expect((await person.call('DELETE /admin/session')).status).toBe(204);
	expect((await person.call('GET /admin/api/accounts')).status).toBe(401);
});

test('changes nothing without the text of the session, or for a page of another site', async () => {
	const person = visitor();
	await person.signIn(apiKey);
	const json = { name: 'forged', scopes: ['**'] };
	const create = 'POST /admin/api/default/Keys';
	const without = await person.call(create, { json, headers: { 'x-csrf-token': '' } });
	expect([without.status, without.json.error.code]).toStrictEqual([
		403,
		'error.gateway.http.foreignPage',
	]);
	for (const site of ['cross-site', 'same-site']) {
		const foreign = await person.call(create, { json, headers: { 'sec-fetch-site': site } });
		expect(foreign.status).toBe(403);
	}
	const asForm = { 'content-type': 'application/x-www-form-urlencoded' };
	const formBody = await visitor().call('POST /admin/session', {
		body: `key=${encodeURIComponent(apiKey)}`,
		headers: asForm,
	});
	expect(formBody.status).toBe(415);
	const keys = await person.call('GET /admin/api/default/Keys');
	expect(keys.json.result).toStrictEqual([]);
	const created = await person.call(create, { json: { name: 'real', scopes: ['core:*'] } });
	expect(created.status).toBe(201);
});

test('opens the account of its key only', async () => {
	const person = visitor();
	const { json } = await person.signIn(ofSchool);
	expect(json.result.home).toBe('school');
	expect((await person.call('GET /admin/api/accounts/school/Account/Problems')).status).toBe(200);
	const closed = [
		'GET /admin/api/default/Account/Problems',
		'GET /admin/api/accounts/branch/Account/Problems',
		'GET /admin/api/accounts/none/Account/Problems',
		'GET /admin/api/accounts',
		'GET /admin/api/accounts/branch',
		'POST /admin/api/accounts/school/Export',
		'DELETE /admin/api/accounts/school?confirm=school',
	];
	for (const call of closed) expect([call, (await person.call(call)).status]).toEqual([call, 403]);
	const around = [
		'GET /admin/api/accounts/school/../branch/Account/Problems',
		'GET /admin/api/accounts/school%2F..%2Fbranch/Account/Problems',
		'GET /admin/api/default/../../../accounts/branch/api/v2/Account/Problems',
	];
	for (const call of around) {
		expect([call, (await person.call(call)).status]).not.toEqual([call, 200]);
	}
});

test('shows everything to a reader, who changes nothing', async () => {
	const person = visitor();
	const { json } = await person.signIn(reader);
	const { change, ...parts } = json.result.may;
	expect(change).toBe(false);
	expect(new Set(Object.values(parts))).toStrictEqual(new Set([true]));
	for (const path of [
		'accounts',
		'default/Keys',
		'accounts/branch/Account/Problems',
		'default/Contacts',
	]) {
		expect([path, (await person.call(`GET /admin/api/${path}`)).status]).toEqual([path, 200]);
	}
	expect((await person.call('GET /admin/api/default/Messages')).status).toBe(403);
	const json2 = { name: 'own', scopes: ['**'] };
	expect((await person.call('POST /admin/api/default/Keys', { json: json2 })).status).toBe(403);
	const asProgram = await gateway.ask('GET /api/v2/Account/Problems', { key: reader });
	expect(asProgram.status).toBe(403);
});

test('ends the session with its key', async () => {
	const person = visitor();
	const admin = visitor();
	await admin.signIn(apiKey);
	const { json } = await admin.call('POST /admin/api/default/Keys', {
		json: { name: 'short', scopes: ['core:**'] },
	});
	await person.signIn(json.result.key);
	expect((await person.call('GET /admin/api/default/Account/Problems')).status).toBe(200);
	await admin.call(`DELETE /admin/api/default/Keys/${json.result.id}`);
	expect((await person.call('GET /admin/api/default/Account/Problems')).status).toBe(401);
});

test('keeps people signed in while their account is closed', async () => {
	const person = visitor();
	await person.signIn(ofSchool);
	const pause = async (isPaused: boolean): Promise<void> => {
		await gateway.ask('PATCH /accounts/school', { json: { isPaused } });
	};
	await pause(true);
	const { status, json } = await person.call('GET /admin/api/accounts/school/Account/Problems');
	expect([status, json.error.code]).toStrictEqual([503, 'error.gateway.accounts.notRunning']);
	await pause(false);
	await gateway.reaches('school', 'running');
	const again = await person.call('GET /admin/api/accounts/school/Account/Problems');
	expect(again.status).toBe(200);
});

test('limits wrong keys', async () => {
	const person = visitor();
	const statuses = new Set<number>();
	for (let number = 0; number < 25; number++) {
		statuses.add((await person.signIn(`Wrong-${number}`)).status);
	}
	expect(statuses).toStrictEqual(new Set([401, 429]));
});

describe('a page', () => {
	const opened = async (
		others: Parameters<typeof settingsFor>[1],
		options: Parameters<typeof SeveralAccounts.open>[1] = {},
	): Promise<AsyncDisposable & { readonly person: PageVisitor }> => {
		const adminPage = pageFolder(network);
		const served = await SeveralAccounts.open(settingsFor(network, others), {
			adminPage,
			...options,
		});
		const person = new PageVisitor(served.server.address);
		return { person, [Symbol.asyncDispose]: () => served.close() };
	};

	test('is not there without the routes that it calls', async () => {
		await using served = await opened({}, { hasApi: false });
		expect((await served.person.call('GET /admin/')).status).not.toBe(200);
	});

	test('says that the default account is not open to people whose key it may know', async () => {
		const closed = { baseUrl: 'http://localhost:1', platformClientId: 'test' };
		const transportLibrary = { ...closed, platformClientSecret: 'test' };
		await using served = await opened({ transportLibrary, accounts: { school: {} } });
		const { status, json } = await served.person.signIn(apiKey);
		expect([status, json.error.code]).toStrictEqual([503, 'error.gateway.accounts.notRunning']);
	});
});
