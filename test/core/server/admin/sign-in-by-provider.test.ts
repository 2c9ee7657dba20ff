import { SandboxNetwork } from '../../../support/gateways';
import { apiKey } from '../support/http-gateway';
import { OpenIdProvider, type Answering } from '../support/openid-provider';
import { PageVisitor } from '../support/page-visitor';
import { settingsFor, SeveralAccounts } from '../support/several-accounts';
import { pageFolder } from '../support/page-folder';

/** Address of the page as browsers see it; the tests call the gateway behind it directly. */
const page = 'https://gateway.example/gw/admin/';

let network: SandboxNetwork;
let provider: OpenIdProvider;
let gateway: SeveralAccounts;

beforeAll(async () => {
	network = await SandboxNetwork.open();
	provider = await OpenIdProvider.open();
	gateway = await open({ roles: { heads: ['**'], guests: ['page:read'] }, accounts: ['school'] });
});
afterAll(async () => {
	await gateway.close();
	await provider.close();
	await network.close();
});

async function open(openId: object): Promise<SeveralAccounts> {
	const admin = { openId: provider.settings(page, openId) };
	const opened = await SeveralAccounts.open(
		settingsFor(network, {
			infrastructure: { httpServer: { port: 0, apiKey, connectorVersion: 6, admin } },
			accounts: { school: {}, branch: {} },
		}),
		{ adminPage: pageFolder(network), audit: { reads: false } },
	);
	await opened.reaches('school', 'running');
	return opened;
}

/** Sends a browser to the provider and gives the address to which it comes back. */
async function begin(person: PageVisitor): Promise<string> {
	const { status, headers } = await person.call('GET /admin/openid');
	expect(status).toBe(302);
	const back = provider.consent(headers.get('location') ?? '');
	expect(back).toMatch(/^https:\/\/gateway\.example\/gw\/admin\/openid-callback\?/);
	return back.replace('https://gateway.example/gw', '');
}

async function signIn(answering: Answering): Promise<PageVisitor> {
	provider.answering = answering;
	const person = new PageVisitor(gateway.server.address);
	const { status, headers } = await person.call(`GET ${await begin(person)}`);
	expect([status, headers.get('location')]).toStrictEqual([302, './']);
	await person.look();
	return person;
}

test('says that there is a provider', async () => {
	const { json } = await new PageVisitor(gateway.server.address).call('GET /admin/sign-in');
	expect(json.result).toStrictEqual({
		key: true,
		openId: { label: 'Sign in with your organisation' },
	});
});

test('signs a person in with the roles of the provider, in the named accounts only', async () => {
	const person = await signIn({ claims: { preferred_username: 'ada', roles: ['heads', 'x'] } });
	const { json } = await person.look();
	expect(json.result).toMatchObject({ name: 'ada', signIn: 'openId', home: 'school' });
	const created = await person.call('POST /admin/api/accounts/school/Keys', {
		json: { name: 'crm', scopes: ['core:messages'] },
	});
	expect(created.status).toBe(201);
	for (const path of ['default/Keys', 'accounts/branch/Keys', 'accounts', 'accounts/school']) {
		expect([path, (await person.call(`GET /admin/api/${path}`)).status]).toEqual([path, 403]);
	}
	const rows = await gateway.accounts.find('school')?.facade?.audit.page();
	expect(rows?.entries.map(({ actor, route, status }) => [actor, route, status])).toEqual([
		[{ kind: 'person', name: 'ada' }, '/admin/session', 200],
		[{ kind: 'person', name: 'ada' }, '/Keys', undefined],
		[{ kind: 'person', name: 'ada' }, '/Keys', 201],
	]);
	// The cookie opens the page only.
	expect((await person.call('GET /accounts/school/api/core/v1/Keys')).status).toBe(401);
});

test('reads the roles from the user information if the token has none', async () => {
	const person = await signIn({ userInfo: { roles: ['guests'] } });
	const { json } = await person.look();
	expect(json.result).toMatchObject({ name: 'person-1', may: { keys: true, change: false } });
});

test.each<[string, Answering]>([
	['no role', { claims: { roles: [] } }],
	['an unknown role', { claims: { roles: ['constructor', 'visitor'] } }],
	['the nonce of another sign-in', { claims: { roles: ['heads'] }, nonce: 'other' }],
	['a token for another program', { claims: { roles: ['heads'] }, audience: 'other' }],
])('refuses %s', async (_name, answering) => {
	provider.answering = answering;
	const person = new PageVisitor(gateway.server.address);
	const { status } = await person.call(`GET ${await begin(person)}`);
	expect(status).toBe(403);
	expect((await person.look()).status).toBe(401);
});

test('takes each answer once, from the browser that began', async () => {
	provider.answering = { claims: { roles: ['heads'] } };
	const person = new PageVisitor(gateway.server.address);
	const back = await begin(person);
	const other = new PageVisitor(gateway.server.address);
	const stolen = await other.call(`GET ${back}`);
	expect(stolen.status).toBe(403);
	expect(stolen.headers.get('content-type')).toContain('text/html');
	expect(stolen.json).toMatch(/was not begun in this browser.*error\.gateway\.http\.signInFailed/s);
	const forged = await person.call(`GET ${back.replace(/state=[^&]+/, 'state=other')}`);
	expect(forged.status).toBe(403);
	// A failed try ends the sign-in, too.
	expect((await person.call(`GET ${back}`)).status).toBe(403);
	const again = await begin(person);
	expect((await person.call(`GET ${again}`)).status).toBe(302);
	expect((await person.call(`GET ${again}`)).status).toBe(403);
});

test('refuses an answer that is larger than a provider needs', async () => {
	provider.answering = { claims: { roles: ['heads'] } };
	const person = new PageVisitor(gateway.server.address);
	const back = await begin(person);
	provider.isEndless = true;
	expect((await person.call(`GET ${back}`)).status).toBe(403);
	provider.isEndless = false;
	expect((await person.call(`GET ${await begin(person)}`)).status).toBe(302);
});

test('works again once the provider answers again', async () => {
	provider.isAway = true;
	const restarted = await open({ rolesPath: 'realm_access.roles' });
	const person = new PageVisitor(restarted.server.address);
	const failed = await person.call('GET /admin/openid');
	expect([failed.status, failed.json]).toEqual([
		403,
		expect.stringContaining('The provider of sign-ins does not answer.'),
	]);
	provider.isAway = false;
	provider.answering = { claims: { realm_access: { roles: ['core:*'] } } };
	await person.call(`GET ${await begin(person)}`);
	const { json } = await person.look();
	expect(json.result).toMatchObject({
		...{ name: 'person-1', may: { people: true, accounts: false, change: true } },
	});
	expect(json.result.home).toBeUndefined();
	await restarted.close();
});
