import { generateKeyPairSync } from 'node:crypto';
import { type Api, RuleBench, sandboxOf, strongPassword, unknownId } from './support/raw-client';

/* docs/protocol/backbone-api.md 4, 6, 7 */
let bench: RuleBench;

beforeEach(async () => {
	bench = await RuleBench.open();
});

afterEach(() => bench.close());

describe('the token endpoint of the sandbox', () => {
	it('gives a token for the device of an identity, whose name may be written in any case', async () => {
		const { username } = await bench.account();
		const answer = await bench.logIn({
			username: ` ${username.toUpperCase()}`,
			password: strongPassword,
		});
		expect(answer.status).toBe(200);
		expect(answer.body).toEqual({
			access_token: expect.any(String) as string,
			token_type: 'Bearer',
			expires_in: 300,
		});
	});

	it.each([
		['an unknown client', { client_id: 'other' }, 401, 'invalid_client'],
		['a wrong client secret', { client_secret: 'other' }, 401, 'invalid_client'],
		['another grant', { grant_type: 'client_credentials' }, 400, 'unsupported_grant_type'],
		['no password', { password: '' }, 400, 'unsupported_grant_type'],
		['a wrong password', { password: 'wrong' }, 400, 'invalid_grant'],
		['an unknown user', { username: 'USRnobody' }, 400, 'invalid_grant'],
	])('refuses %s', async (_, change, status, error) => {
		const { username } = await bench.account();
		const answer = await bench.logIn({ username, password: strongPassword, ...change });
		expect([answer.status, (answer.body as { error: string }).error]).toEqual([status, error]);
	});

	it('locks a device after three failures, even for the right password, for ten minutes', async () => {
		const account = await bench.account();
		for (let attempt = 0; attempt < 3; attempt++) await account.logIn('wrong');
		expect((await account.logIn()).body).toMatchObject({ error: 'access_denied' });
		sandboxOf(bench).advanceClock(10 * 60_000 + 1);
		expect((await account.logIn()).status).toBe(200);
	});
});

describe('a call to the sandbox', () => {
	const needToken: ReadonlyArray<readonly [string, string]> = [
		['GET', 'Identities/Self'],
		['GET', 'Devices/Self'],
		['GET', 'Challenges/CHL1'],
		['GET', 'Datawallet'],
		['POST', 'SyncRuns'],
		['GET', 'SyncRuns/SYR1/ExternalEvents'],
		['POST', 'RelationshipTemplates'],
		['GET', 'RelationshipTemplates/RLT1'],
		['POST', 'Relationships'],
		['GET', 'Relationships/CanCreate'],
		['PUT', 'Relationships/REL1/Accept'],
		['POST', 'Messages'],
		['GET', 'Messages'],
		['GET', 'Files/FIL1/metadata'],
		['POST', 'Identities/Self/DeletionProcesses'],
		['GET', 'sse'],
	];

	it.each(
		needToken.flatMap(([method, path]) => [
			['v1' as const, method, path] as const,
			['v2' as const, method, path] as const,
		]),
	)('of %s without token is 401 without body: %s %s', async (api, method, path) => {
		const answer = await bench.call(
			method,
			`/api/${api}/${path}`,
			method === 'GET' ? undefined : {},
		);
		expect([answer.status, answer.body]).toEqual([401, undefined]);
		expect(answer.headers.get('www-authenticate')).toBe('Bearer');
	});

	it.each(['v1', 'v2'] as const)('of %s needs none for anonymous calls', async (api) => {
		const paths = ['Version', 'Tags', 'Identities/IsDeleted?username=USR1'];
		for (const path of paths) {
			expect((await bench.call('GET', `/api/${api}/${path}`)).status).toBe(200);
		}
		expect((await bench.call('POST', `/api/${api}/Challenges`, {})).status).toBe(201);
	});

	it('is 401 with a token that has expired or was revoked', async () => {
		const account = await bench.account();
		const read = async (): Promise<number> => (await account.call('GET', 'Identities/Self')).status;
		expect(await read()).toBe(200);
		sandboxOf(bench).advanceClock(300_001);
		expect(await read()).toBe(401);
		await account.logIn();
		expect(await read()).toBe(200);
		sandboxOf(bench).revokeAccessTokens();
		expect(await read()).toBe(401);
	});

	it('finds its path in any case, its ids in theirs only', async () => {
		const account = await bench.account();
		const id = await account.template();
		expect((await account.call('GET', `relationshipTEMPLATES/${id}`)).status).toBe(200);
		const otherCase = id.slice(0, 3) + id.slice(3).toLowerCase();
		const other = await account.call('GET', `RelationshipTemplates/${otherCase}`);
		expect([other.status, other.code]).toEqual([404, 'error.platform.recordNotFound']);
	});

	it('to an unknown path or a version that is not served is 404 without body', async () => {
		expect((await bench.call('GET', '/api/v2/Nothing')).body).toBeUndefined();
		expect((await bench.call('GET', '/api/v3/Version')).status).toBe(404);
		const seven = await RuleBench.open({ majorVersion: 7 });
		expect((await seven.call('GET', '/api/v1/Version')).status).toBe(404);
		expect((await seven.call('GET', '/api/v2/Version')).result).toEqual({ majorVersion: '7' });
		await seven.close();
	});
});

describe.each(['v1', 'v2'] as const)('creating an identity over %s', (api: Api) => {
	const create = async (body: object) => await bench.call('POST', `/api/${api}/Identities`, body);

	it('is refused to a wrong client', async () => {
		const body = await bench.identityBody(api);
		const answer = await create({ ...body, clientSecret: 'wrong' });
		expect([answer.status, answer.code]).toEqual([400, 'error.platform.unauthorized']);
	});

	it('is refused with the signature of another key', async () => {
		const signedBy = generateKeyPairSync('ed25519').privateKey;
		const answer = await create(await bench.identityBody(api, undefined, { signedBy }));
		expect([answer.status, answer.code]).toEqual([
			400,
			'error.platform.validation.device.invalidSignature',
		]);
	});

	it('is refused for a challenge that does not exist', async () => {
		const challengeId = unknownId('CHL');
		const answer = await create(await bench.identityBody(api, undefined, { challengeId }));
		expect([answer.status, answer.code]).toEqual([404, 'error.platform.recordNotFound']);
	});

	it('is refused for a challenge older than ten minutes, which can be read an hour longer', async () => {
		const body = await bench.identityBody(api);
		sandboxOf(bench).advanceClock(10 * 60_000 + 1);
		const answer = await create(body);
		expect([answer.status, answer.code]).toEqual([
			400,
			'error.platform.validation.device.challengeHasExpired',
		]);
		const { id } = JSON.parse(body.signedChallenge.challenge) as { id: string };
		const reader = await bench.account(api);
		expect((await reader.call('GET', `Challenges/${id}`)).status).toBe(200);
		sandboxOf(bench).advanceClock(60 * 60_000);
		await reader.logIn();
		expect((await reader.call('GET', `Challenges/${id}`)).status).toBe(404);
	});

	it('is refused for a key that has an identity, and with a weak password', async () => {
		const keys = generateKeyPairSync('ed25519');
		const first = await create(await bench.identityBody(api, keys));
		expect(first.status).toBe(201);
		const second = await create(await bench.identityBody(api, keys));
		expect([second.status, second.code]).toEqual([
			400,
			'error.platform.validation.device.addressAlreadyExists',
		]);
		const weak = { ...(await bench.identityBody(api)), devicePassword: 'onlyletters' };
		expect((await create(weak)).code).toBe('error.platform.validation.device.registrationFailed');
	});
});
