import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { weaknessOf } from '../../../core/server/authentication/api-keys';
import { readSettings } from '../../../core/server/config/config-sources';
import { redactedSettings } from '../../../core/server/config/redacted-settings';
import { parseServerConfig } from '../../../core/server/config/server-config';
import { gatewayConfigOf } from '../../../scripts/cli/gateway-settings';

/* docs/protocol/http-api.md 14 */
const folder = mkdtempSync(join(tmpdir(), 'enmeshed-config-'));
afterAll(() => rmSync(folder, { recursive: true }));

const minimal = {
	transportLibrary: {
		baseUrl: 'https://backbone.example',
		platformClientId: 'client',
		platformClientSecret: 'hidden-secret',
	},
	infrastructure: { httpServer: { apiKey: 'hidden-key' } },
};

function fileWith(content: unknown): string {
	const file = join(folder, `${Math.random()}.json`);
	writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
	return file;
}

describe('the sources of the configuration', () => {
	it('are merged leaf by leaf, and the environment wins', async () => {
		const file = fileWith({ ...minimal, modules: { sync: { enabled: true, interval: 5 } } });
		const settings = await readSettings({
			file,
			environment: {
				modules__sync__interval: '7',
				'infrastructure:httpServer:port': '8080',
				infrastructure__httpServer__cors: '{"origin":["https://a.example","https://b.example"]}',
				API_KEY: 'from-environment',
				UNRELATED__name: 'ignored',
			},
		});
		expect(settings.modules).toEqual({ sync: { enabled: true, interval: 7 } });
		expect(settings.infrastructure).toEqual({
			httpServer: {
				apiKey: 'from-environment',
				port: 8080,
				cors: { origin: ['https://a.example', 'https://b.example'] },
			},
		});
		expect(settings.UNRELATED).toBeUndefined();
	});

	it.each([
		['DATABASE_NAME', 'account', ['database', 'dbName']],
		['DATABASE_CONNECTION_STRING', 'postgres://x', ['database', 'connectionString']],
		['API_KEY', 'key', ['infrastructure', 'httpServer', 'apiKey']],
		['SYNC_ENABLED', 'true', ['modules', 'sync', 'enabled']],
		['PLATFORM_CLIENT_ID', 'id', ['transportLibrary', 'platformClientId']],
		['PLATFORM_CLIENT_SECRET', 'secret', ['transportLibrary', 'platformClientSecret']],
		['DEBUG', 'true', ['debug']],
	])('know %s', async (name, value, path) => {
		const settings = await readSettings({ file: fileWith({}), environment: { [name]: value } });
		const found = path.reduce<unknown>(
			(at, member) => (at as Record<string, unknown>)[member],
			settings,
		);
		expect(String(found)).toBe(value);
	});

	it('name the file in CUSTOM_CONFIG_LOCATION', async () => {
		const file = fileWith({ debug: true });
		const settings = await readSettings({ environment: { CUSTOM_CONFIG_LOCATION: file } });
		expect(settings).toEqual({ debug: true });
	});

	it.each([
		['that is not JSON', '{'],
		['that holds a list', '[]'],
	])('refuse a file %s', async (_name, content) => {
		const reading = readSettings({ file: fileWith(content), environment: {} });
		await expect(reading).rejects.toMatchObject({
			code: 'error.gateway.configuration.invalid',
		});
	});

	it('do not let a prototype through', async () => {
		const file = fileWith('{"modules":{"__proto__":{"polluted":true}}}');
		const settings = await readSettings({
			file,
			environment: { modules__constructor__prototype__polluted: 'true' },
		});
		expect(settings).toEqual({ modules: { constructor: { prototype: { polluted: true } } } });
		expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
	});
});

describe('a configuration', () => {
	it('of the official gateway works with its defaults, and listens on this machine only', () => {
		const config = parseServerConfig(minimal);
		expect(config.infrastructure.httpServer).toMatchObject({ host: '127.0.0.1', port: 80 });
		expect(config.modules.sync).toEqual({ enabled: false, interval: 60 });
		expect(config.modules.coreHttpApi.docs.enabled).toBe(true);
		expect(config.database).toEqual({ driver: 'sqlite', dbName: 'default' });
	});

	it('hands the address of the push service on', () => {
		const pushUrl = 'https://push.example.com';
		const settings = { ...minimal, modules: { sse: { enabled: true, baseUrlOverride: pushUrl } } };
		expect(gatewayConfigOf(parseServerConfig(settings)).backbone.pushUrl).toBe(pushUrl);
		expect(gatewayConfigOf(parseServerConfig(minimal)).backbone).not.toHaveProperty('pushUrl');
	});

	it('tell the core how registered webhooks are called', () => {
		const registeredWebhooks = { allowPrivateTargets: true, timeout: 2_000 };
		const settings = { ...minimal, modules: { registeredWebhooks } };
		expect(gatewayConfigOf(parseServerConfig(settings)).webhooks).toEqual({
			allowPrivateTargets: true,
			timeoutMs: 2_000,
		});
		const { webhooks } = gatewayConfigOf(parseServerConfig(minimal));
		expect(webhooks).toMatchObject({ allowPrivateTargets: false });
	});

	it('takes answers without proof of a password, as the official gateway, unless it is told not to', () => {
		const taken = (settings: Parameters<typeof parseServerConfig>[0]): unknown =>
			gatewayConfigOf(parseServerConfig(settings)).acceptUnprovenAnswers;
		expect(taken(minimal)).toBe(true);
		const request = { acceptUnprovenAnswers: false };
		expect(taken({ ...minimal, modules: { request } })).toBe(false);
	});

	it.each([
		['transportLibrary.baseUrl', { transportLibrary: { baseUrl: 'backbone.example' } }],
		['transportLibrary.platformClientId', { transportLibrary: { platformClientId: undefined } }],
		['transportLibrary.platformClientSecret', { transportLibrary: { platformClientSecret: 5 } }],
		['transportLibrary.unknown', { transportLibrary: { unknown: 1 } }],
		[
			'transportLibrary.platformAdditionalHeaders',
			{ transportLibrary: { platformAdditionalHeaders: { Authorization: 'Basic hidden' } } },
		],
		[
			'transportLibrary.platformAdditionalHeaders.x-tenant',
			{ transportLibrary: { platformAdditionalHeaders: { 'x-tenant': 'hidden\r\nhost: b' } } },
		],
		[
			'modules.sse.baseUrlOverride',
			{ modules: { sse: { enabled: true, baseUrlOverride: 'push.example' } } },
		],
		['transportLibrary.datawalletEnabled', { transportLibrary: { datawalletEnabled: true } }],
		['infrastructure.httpServer', { infrastructure: { httpServer: { apiKey: undefined } } }],
		['infrastructure.httpServer.port', { infrastructure: { httpServer: { port: 70_000 } } }],
		['infrastructure.httpServer.oidc', { infrastructure: { httpServer: { oidc: {} } } }],
		[
			'infrastructure.httpServer.jwtBearer',
			{ infrastructure: { httpServer: { jwtBearer: { audience: 'a' } } } },
		],
		['modules.webhooksV2', { modules: { webhooksV2: {} } }],
		[
			'modules.autoAcceptRelationshipCreationChanges',
			{ modules: { autoAcceptRelationshipCreationChanges: {} } },
		],
		[
			'modules.autoAcceptPendingRelationships.responseContent',
			{ modules: { autoAcceptPendingRelationships: { responseContent: {} } } },
		],
		['modules.webhooks.enabled', { modules: { webhooks: { enabled: 'yes' } } }],
		['modules.webhooks.unknown', { modules: { webhooks: { unknown: 1 } } }],
		[
			'modules.webhooks.signingSecret',
			{ modules: { webhooks: { enabled: true, signingSecret: 'hidden' } } },
		],
		[
			'modules.webhooks.retry.maxAttempts',
			{ modules: { webhooks: { enabled: true, retry: { maxAttempts: 0 } } } },
		],
		['modules.webhooks.timeout', { modules: { webhooks: { enabled: true, timeout: '5' } } }],
		[
			'modules.webhooks.webhooks.0.target',
			{ modules: { webhooks: { enabled: true, webhooks: [{ triggers: ['**'], target: 5 }] } } },
		],
		[
			'modules.webhooks.targets.crm.headers',
			{
				modules: {
					webhooks: {
						enabled: true,
						targets: { crm: { url: 'https://a.example', headers: { Host: 'hidden' } } },
					},
				},
			},
		],
		['modules.sync.interval', { modules: { sync: { enabled: true, interval: 0 } } }],
		['modules.unknown', { modules: { unknown: {} } }],
		['database.driver', { database: { driver: 'mongodb' } }],
		['database.connectionString', { database: { connectionString: 'mongodb://user:hidden@db' } }],
		['enforceCertificatePinning', { enforceCertificatePinning: 'yes' }],
		['pinnedTLSCertificateSHA256Fingerprints', { enforceCertificatePinning: true }],
	])('with a wrong %s is refused by that name, without its secrets', (setting, change) => {
		const settings = merged(minimal, change);
		expect(() => parseServerConfig(settings)).toThrow(
			expect.objectContaining({
				code: 'error.gateway.configuration.invalid',
				message: expect.stringContaining(`\n  ${setting}: `) as string,
			}),
		);
		expect(() => parseServerConfig(settings)).not.toThrow(/hidden/);
	});

	it('that is empty names every setting that it needs', () => {
		expect(() => parseServerConfig({})).toThrow(
			expect.objectContaining({
				message: [
					'The configuration is not valid:',
					'  transportLibrary.baseUrl: is missing',
					'  transportLibrary.platformClientId: is missing',
					'  transportLibrary.platformClientSecret: is missing',
					'  infrastructure.httpServer: needs apiKey or jwtBearer: without them the API would be open to everyone',
				].join('\n'),
			}),
		);
	});

	it('with digits for a text says how they become one', () => {
		const settings = merged(minimal, { transportLibrary: { platformClientSecret: 123 } });
		expect(() => parseServerConfig(settings)).toThrow(/digits alone are a number, in quotes/);
	});

	it('tells everything that is wrong at once', () => {
		const settings = merged(minimal, {
			database: { driver: 'mongodb' },
			modules: { webhooksV2: {}, sync: { enabled: 'yes' } },
		});
		expect(() => parseServerConfig(settings)).toThrow(
			/modules\.webhooksV2: .*'modules\.webhooks'[^]*database\.driver: [^]*modules\.sync\.enabled: /,
		);
	});

	it('is shown to an operator without secrets', () => {
		const shown = redactedSettings(
			merged(minimal, {
				database: { connectionString: 'postgres://user:hidden@db', passphrase: 'hidden' },
				transportLibrary: { platformAdditionalHeaders: { 'x-tenant': 'hidden' } },
				modules: {
					webhooks: {
						targets: {
							a: { url: 'https://user:hidden@host/', headers: { 'x-any': 'hidden' } },
							b: {
								url: 'https://hooks.example/services/hidden?token=hidden',
								signingSecret: 'hidden',
								authentication: { type: 'OAuth2', clientSecret: 'hidden' },
							},
							c: { url: 'https://a.example', authentication: { type: 'ApiKey', apiKey: 'hidden' } },
						},
					},
				},
			}),
		);
		expect(JSON.stringify(shown)).not.toContain('hidden');
		expect(shown).toMatchObject({
			transportLibrary: { baseUrl: 'https://backbone.example', platformClientSecret: '***' },
			infrastructure: { httpServer: { apiKey: 'redacted, but enabled' } },
			database: { connectionString: '***' },
		});
	});
});

describe('an API key', () => {
	it.each([
		['Aa1!Aa1!Aa1!Aa1!Aa1!Aa1!Aa1!Aa1!', undefined],
		['short1!Aa', /weak/],
		['A'.repeat(40), /weak/],
		['Aa1Aa1Aa1Aa1Aa1Aa1Aa1Aa1Aa1Aa1Aa1Aa1', /weak/],
	])('%s', (key, said) => {
		if (said === undefined) expect(weaknessOf(key)).toBeUndefined();
		else expect(weaknessOf(key)).toMatch(said);
	});
});

type Tree = { [name: string]: unknown };

function merged(low: Tree, high: Tree): Tree {
	const all = { ...low };
	for (const [name, value] of Object.entries(high)) {
		const isTree = (one: unknown): one is Tree => typeof one === 'object' && one !== null;
		const below = all[name];
		all[name] = isTree(below) && isTree(value) ? merged(below, value) : value;
	}
	return all;
}
