import { eventStream } from './support/event-stream';
import {
	requireAtOnce,
	type Api,
	bytes,
	message,
	type RawAnswer,
	RuleBench,
	SandboxBench,
	sandboxOf,
	strongPassword,
} from './support/raw-client';

/* docs/protocol/backbone-api.md 4.1, 7 and 8 */
let bench: RuleBench;

beforeEach(async () => {
	bench = await RuleBench.open();
});

afterEach(() => bench.close());

const refusal = ({ status, code }: RawAnswer): string => `${status} ${code}`;
const valid = (code: string): string => `400 error.platform.validation.${code}`;
const invalidValue = valid('invalidPropertyValue');
const unreadable = '400 error.platform.inputCannotBeParsed';

describe('an access token', () => {
	it('is a JWT that names the device', async () => {
		const account = await bench.account();
		const { access_token: token } = (await account.logIn()).body as { access_token: string };
		const [header, claims, signature] = token.split('.');
		const read = (part = ''): object =>
			JSON.parse(Buffer.from(part, 'base64url').toString()) as object;
		expect(read(header)).toMatchObject({ alg: 'HS256' });
		const { device_id: device } = read(claims) as { device_id: string };
		expect(read(claims)).toEqual({
			sub: device,
			name: account.username,
			nmshd_address: account.address,
			device_id: device,
			client_id: 'test',
			iss: `${bench.baseUrl}/`,
			jti: expect.any(String) as string,
			exp: expect.any(Number) as number,
		});
		expect(signature).toMatch(/^[\w-]{43}$/);
	});
});

describe.each(['v1', 'v2'] as const)('over %s, an identity', (api: Api) => {
	const create = (body: object) => bench.call('POST', `/api/${api}/Identities`, body);

	it.each([
		['without a version', { identityVersion: undefined }, unreadable],
		['with a version over 255', { identityVersion: 256 }, unreadable],
		['with a negative version', { identityVersion: -1 }, unreadable],
		[
			'in no language',
			{ deviceCommunicationLanguage: 'xx' },
			valid('invalidDeviceCommunicationLanguage'),
		],
	])('%s is refused', async (_, change, expected) => {
		expect(refusal(await create({ ...(await bench.identityBody(api)), ...change }))).toBe(expected);
	});

	it('is one of so many as the client may have', async () => {
		await bench.close();
		bench = await SandboxBench.open({ maxIdentities: 1 });
		expect((await create(await bench.identityBody(api))).status).toBe(201);
		expect(refusal(await create(await bench.identityBody(api)))).toBe(
			valid('device.clientReachedIdentitiesLimit'),
		);
	});

	it('sees itself, in another tier when it is about to be deleted', async () => {
		const account = await bench.account(api);
		const self = async () => (await account.call('GET', 'Identities/Self')).result;
		const before = await self();
		expect(before).toEqual({
			address: account.address,
			createdAt: expect.any(String) as string,
			identityVersion: 1,
			tierId: expect.stringMatching(/^TIR\w{17}$/) as string,
			status: 'Active',
			deletionGracePeriodEndsAt: null,
		});
		await account.call('POST', 'Identities/Self/DeletionProcesses', {});
		const after = await self();
		expect(after['tierId']).toMatch(/^TIR\w{17}$/);
		expect(after['tierId']).not.toBe(before['tierId']);
	});
});

describe('feature flags', () => {
	const flags = 'Identities/Self/FeatureFlags';

	it('are merged, and shown to the identity itself, peers, and who has a template of it', async () => {
		const { to, from } = await bench.pending();
		const [reader, stranger] = [await bench.account(), await bench.account()];
		await reader.call('GET', `RelationshipTemplates/${await to.template()}`);
		await to.call('PATCH', flags, { First: true, second: true });
		await to.call('PATCH', flags, { second: false, HTTPProxy: true });
		const path = `Identities/${to.address}/FeatureFlags`;
		for (const account of [to, from, reader]) {
			expect((await account.call('GET', path)).result).toEqual({
				first: true,
				second: false,
				httpProxy: true,
			});
		}
		expect(refusal(await stranger.call('GET', path))).toBe('404 error.platform.recordNotFound');
		const types = async (account: typeof to) => (await account.sync()).map(({ type }) => type);
		const changed = 'PeerFeatureFlagsChanged';
		expect(await types(reader)).toEqual([changed, changed]);
		expect(await types(from)).toEqual([changed, changed]);
		expect(await types(to)).not.toContain(changed);
		expect(await types(stranger)).toEqual([]);
	});

	it('are true or false, have short names, and are at most 200, or none is taken', async () => {
		const account = await bench.account();
		const set = (body: unknown) => account.call('PATCH', flags, body);
		expect(refusal(await set('nonsense'))).toBe(unreadable);
		expect(refusal(await set({ good: true, bad: 1 }))).toBe(unreadable);
		expect(refusal(await set({ good: true, ['a'.repeat(201)]: true }))).toBe(invalidValue);
		const many = Object.fromEntries(Array.from({ length: 201 }, (_, nth) => [`f${nth}`, true]));
		expect(refusal(await set(many))).toBe(valid('featureFlag.maxNumberOfFeatureFlagsExceeded'));
		const shown = await account.call('GET', `Identities/${account.address}/FeatureFlags`);
		expect(shown.result).toEqual({});
	});
});

describe('a device', () => {
	it('is added with the key of the identity, listed, and deleted before its first login', async () => {
		const account = await bench.account();
		const added = await bench.addDevice(account, { communicationLanguage: 'de' });
		const { id } = added.result;
		const own = (await account.call('GET', 'Devices/Self')).result;
		expect(added.result).toEqual({
			id: expect.stringMatching(/^DVC/) as string,
			username: expect.stringMatching(/^USR/) as string,
			createdAt: expect.any(String) as string,
			createdByDevice: own['id'],
			isBackupDevice: false,
		});
		const all = (await account.call('GET', 'Devices')).result;
		expect(all).toMatchObject([
			{ id: own['id'] },
			{ id, lastLogin: null, communicationLanguage: 'de' },
		]);
		const stranger = await bench.account();
		expect((await stranger.call('GET', `Devices?ids=${String(id)}`)).result).toEqual([]);
		expect(refusal(await stranger.call('DELETE', `Devices/${String(id)}`))).toBe(
			valid('device.deviceCannotBeDeleted'),
		);
		expect((await account.call('DELETE', `Devices/${String(id)}`)).status).toBe(204);
		expect((await account.call('GET', 'Devices')).result).toHaveLength(1);
		expect(refusal(await account.call('DELETE', `Devices/${String(own['id'])}`))).toBe(
			valid('device.deviceCannotBeDeleted'),
		);
	});

	it('may be a backup, one at a time, until it is used, which the identity is told', async () => {
		const account = await bench.account();
		const stream = await eventStream(account);
		const backup = await bench.addDevice(account, { isBackupDevice: true });
		expect(refusal(await bench.addDevice(account, { isBackupDevice: true }))).toBe(
			valid('device.onlyOneBackupDeviceCanExist'),
		);
		const username = String(backup.result['username']);
		expect((await bench.logIn({ username, password: strongPassword })).status).toBe(200);
		await stream.reaches('BackupDeviceUsed');
		const [, used] = (await account.call('GET', 'Devices')).result as unknown as object[];
		expect(used).toMatchObject({
			isBackupDevice: false,
			lastLogin: { time: expect.any(String) as string },
		});
		expect((await bench.addDevice(account, { isBackupDevice: true })).status).toBe(201);
		await stream.close();
	});

	it('speaks a language', async () => {
		const account = await bench.account();
		const set = (communicationLanguage: unknown) =>
			account.call('PUT', 'Devices/Self', { communicationLanguage });
		for (const language of ['xx', 'DE', 'german']) {
			expect(refusal(await set(language))).toBe(valid('invalidDeviceCommunicationLanguage'));
		}
		expect(refusal(await set(undefined))).toBe(unreadable);
		expect((await set('de')).status).toBe(204);
		expect((await account.call('GET', 'Devices/Self')).result).toMatchObject({
			communicationLanguage: 'de',
		});
		expect(refusal(await bench.addDevice(account, { communicationLanguage: 'xx' }))).toBe(
			valid('invalidDeviceCommunicationLanguage'),
		);
	});

	it('changes its password when it knows the old one', async () => {
		const account = await bench.account();
		const change = (oldPassword: string, newPassword: string) =>
			account.call('PUT', 'Devices/Self/Password', { oldPassword, newPassword });
		const failed = valid('device.changePasswordFailed');
		expect(refusal(await change('wrong', 'Bb2!other-password'))).toBe(failed);
		expect(refusal(await change(strongPassword, 'weak'))).toBe(failed);
		expect((await change(strongPassword, 'Bb2!other-password')).status).toBe(204);
		expect((await account.logIn()).status).toBe(400);
		expect((await account.logIn('Bb2!other-password')).status).toBe(200);
	});

	it('has one registration for push', async () => {
		await bench.close();
		bench = await SandboxBench.open({ pushAppIds: ['app'] });
		const account = await bench.account();
		const path = 'Devices/Self/PushNotifications';
		const register = (change: object = {}) =>
			account.call('PUT', path, {
				platform: 'fcm',
				handle: 'h'.repeat(10),
				appId: 'app',
				...change,
			});
		const first = await register();
		expect(first.result).toEqual({
			devicePushIdentifier: expect.stringMatching(/^DPI\w{17}$/) as string,
		});
		expect((await register({ environment: 'Development' })).result).toEqual(first.result);
		expect((await account.call('DELETE', path)).status).toBe(204);
		expect((await register()).result).not.toEqual(first.result);
		expect(refusal(await register({ platform: 'pigeon' }))).toBe(valid('invalidPnsPlatform'));
		expect(refusal(await register({ handle: 'short' }))).toBe(invalidValue);
		expect(refusal(await register({ handle: 'h'.repeat(501) }))).toBe(invalidValue);
		expect(refusal(await register({ appId: '' }))).toBe(invalidValue);
		expect(refusal(await register({ environment: 'Moon' }))).toBe(invalidValue);
		expect(refusal(await register({ appId: 'other' }))).toBe('400 error.platform.unsupportedAppId');
	});
});

describe('quotas', () => {
	const put = (...quotas: object[]) => bench.call('PUT', '/admin/quotas', { quotas });
	const quota = (metricKey: string, max: number, more: object = {}) => ({
		...{ metricKey, max, period: 'Total' },
		...more,
	});
	const exhausted = ({ status, body }: RawAnswer) => ({
		status,
		data: (body as { error?: { data: unknown } }).error?.data,
	});
	const endless = '9999-12-31T23:59:59.9999999Z';

	it('are none at the start, and are shown with what is used', async () => {
		const account = await bench.account();
		expect((await account.call('GET', 'Quotas')).result).toEqual([]);
		await put(
			quota('NumberOfTokens', 5, { period: 'Day' }),
			quota('NumberOfRelationshipTemplates', 1, { period: 'Week' }),
			quota('NumberOfRelationshipTemplates', 7, { address: account.address }),
		);
		await account.template();
		const [metricKey, period] = ['NumberOfRelationshipTemplates', 'Total'];
		expect((await account.call('GET', 'Quotas')).result).toEqual([
			{
				metricKey,
				// Own ones stand before the ones of the tier.
				quotas: [{ source: 'Individual', metricKey, max: 7, period, usage: 1 }],
			},
			{
				metricKey: 'NumberOfTokens',
				quotas: [{ source: 'Tier', metricKey: 'NumberOfTokens', max: 5, period: 'Day', usage: 0 }],
			},
		]);
	});

	it('refuse what is too much until their period is over', async () => {
		const account = await bench.account();
		const create = () => account.call('POST', 'RelationshipTemplates', { content: bytes(1) });
		const metricKey = 'NumberOfRelationshipTemplates';
		await put(quota(metricKey, 2, { period: 'Hour' }), quota(metricKey, 3, { period: 'Month' }));
		expect((await create()).status).toBe(201);
		expect((await create()).status).toBe(201);
		const now = new Date(sandboxOf(bench).state.now());
		const nextHour = new Date(Math.ceil(now.getTime() / 3_600_000) * 3_600_000).toISOString();
		const refused = await create();
		expect(refused.code).toBe('error.platform.quotaExhausted');
		expect(exhausted(refused)).toEqual({
			status: 429,
			data: [{ metricKey, isExhaustedUntil: nextHour }],
		});
		sandboxOf(bench).advanceClock(3_600_000);
		await account.logIn();
		await put(quota(metricKey, 2, { period: 'Hour' }));
		expect((await create()).status).toBe(201);
	});

	it.each([
		['NumberOfTokens', 'POST', 'Tokens', { content: bytes(1), expiresAt: '2099-01-01T00:00:00Z' }],
		['NumberOfRelationshipTemplates', 'POST', 'RelationshipTemplates', { content: bytes(1) }],
		['NumberOfFiles', 'POST', 'Files', 'nothing'],
		['UsedFileStorageSpace', 'POST', 'Files', 'nothing'],
		['NumberOfRelationships', 'POST', 'Relationships', { relationshipTemplateId: 'RLT1' }],
		['NumberOfSentMessages', 'POST', 'Messages', message()],
	])('of %s stand before %s %s', async (metricKey, method, path, body) => {
		const account = await bench.account();
		await put(quota(metricKey, 0));
		expect(exhausted(await account.call(method, path, body))).toEqual({
			status: 429,
			data: [{ metricKey, isExhaustedUntil: endless }],
		});
		await put(quota(metricKey, 0, { address: (await bench.account()).address }));
		expect((await account.call(method, path, body)).status).not.toBe(429);
	});

	it('count relationships of the requestor, and of the templator after the acceptance', async () => {
		const { to, from, id } = await bench.pending();
		await put(quota('NumberOfRelationships', 1));
		const another = { relationshipTemplateId: await (await bench.account()).template() };
		expect((await from.call('POST', 'Relationships', another)).status).toBe(429);
		expect((await to.call('PUT', `Relationships/${id}/Accept`, {})).status).toBe(200);
		const third = await bench.account();
		const relationshipTemplateId = await to.template();
		await put();
		const next = await third.call('POST', 'Relationships', { relationshipTemplateId });
		await put(quota('NumberOfRelationships', 1));
		const accept = `Relationships/${String(next.result['id'])}/Accept`;
		expect((await to.call('PUT', accept, {})).status).toBe(429);
		// To reject needs none.
		expect((await to.call('PUT', accept.replace('Accept', 'Reject'), {})).status).toBe(200);
	});

	it('are 0 for an identity that is about to be deleted', async () => {
		requireAtOnce(bench);
		const account = await bench.account();
		await account.call('POST', 'Identities/Self/DeletionProcesses', {});
		const metricKey = 'NumberOfTokens';
		const expiresAt = '2099-01-01T00:00:00Z';
		const refused = await account.call('POST', 'Tokens', { content: bytes(1), expiresAt });
		expect(exhausted(refused)).toEqual({
			status: 429,
			data: [{ metricKey, isExhaustedUntil: endless }],
		});
		const shown = (await account.call('GET', 'Quotas')).result as unknown as object[];
		expect(shown).toHaveLength(6);
		expect(shown).toContainEqual({
			metricKey,
			quotas: [{ source: 'Tier', metricKey, max: 0, period: 'Total', usage: 0 }],
		});
	});
});
