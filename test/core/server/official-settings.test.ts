import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings, type Settings } from '../../../core/server/config/config-sources';
import { parseServerConfig, type ServerConfig } from '../../../core/server/config/server-config';
import { ignoredSettings } from '../../../core/server/config/ignored-settings';
import { gatewayConfigOf } from '../../../scripts/cli/gateway-settings';

/* docs/protocol/http-api.md 14: what the official configuration schema accepts works here, or is refused
 * with a hint that names it. */

const folder = mkdtempSync(join(tmpdir(), 'enmeshed-official-settings-'));
afterAll(() => rmSync(folder, { recursive: true }));

const pin = 'ab'.repeat(32);
const minimal = {
	transportLibrary: {
		baseUrl: 'https://backbone.example',
		platformClientId: 'client',
		platformClientSecret: 'secret',
	},
	infrastructure: { httpServer: { apiKey: 'key' } },
};

/** Reads the environment alone, without a configuration file. */
async function settingsFrom(environment: Record<string, string>): Promise<Settings> {
	const file = join(folder, 'empty.json');
	writeFileSync(file, '{}');
	return await readSettings({ file, environment });
}

describe('a setting of the root in the environment', () => {
	it.each<[string, string, unknown]>([
		['enforceCertificatePinning', 'true', true],
		[
			'pinnedTLSCertificateSHA256Fingerprints',
			`{"backbone.example":"${pin}"}`,
			{ 'backbone.example': pin },
		],
		['debug', 'true', true],
		['database', '{"driver":"sqlite","folder":"/data"}', { driver: 'sqlite', folder: '/data' }],
		['infrastructure', '{"httpServer":{"port":8080}}', { httpServer: { port: 8080 } }],
		['modules', '{"sync":{"enabled":true}}', { sync: { enabled: true } }],
		['transportLibrary', '{"baseUrl":"https://b.example"}', { baseUrl: 'https://b.example' }],
		['logging', '{"appenders":{}}', { appenders: {} }],
	])('%s is read', async (name, text, value) => {
		await expect(settingsFrom({ [name]: text })).resolves.toEqual({ [name]: value });
	});

	it.each(['first', 'last'])('gives way to a longer name that is set %s', async (place) => {
		const long: [string, string] = ['database__folder', '/long'];
		const short: [string, string] = ['database', '{"folder":"/short","dbName":"a"}'];
		const entries = place === 'first' ? [long, short] : [short, long];
		await expect(settingsFrom(Object.fromEntries(entries))).resolves.toEqual({
			database: { folder: '/long', dbName: 'a' },
		});
	});

	it.each<[string, string, string]>([
		['enforceCertificatePinning', 'yes', 'enforceCertificatePinning'],
		['pinnedTLSCertificateSHA256Fingerprints', 'ab:cd', 'pinnedTLSCertificateSHA256Fingerprints'],
		['debug', 'release', 'debug'],
		['database', '{"folder":', 'database'],
		['infrastructure', '8080', 'infrastructure'],
		['modules', 'sync', 'modules'],
		['transportLibrary', '[]', 'transportLibrary'],
	])('%s with a value of the wrong kind is refused by name', async (name, text, setting) => {
		const required = {
			transportLibrary: JSON.stringify(minimal.transportLibrary),
			API_KEY: 'key',
		};
		const starting = settingsFrom({ ...required, [name]: text }).then(parseServerConfig);
		await expect(starting).rejects.toMatchObject({
			code: 'error.gateway.configuration.invalid',
			message: expect.stringContaining(`\n  ${setting}: `) as string,
		});
	});

	it.each([
		['modules____sync__enabled', 'is not the path of a setting'],
		['database__', 'is not the path of a setting'],
	])('with the name %s is refused by that name', async (name, hint) => {
		await expect(settingsFrom({ [name]: 'true' })).rejects.toMatchObject({
			code: 'error.gateway.configuration.invalid',
			message: expect.stringContaining(`${name}: ${hint}`) as string,
		});
	});

	it('that is text is not replaced in silence by a longer name', async () => {
		const reading = settingsFrom({ database: '{"folder":', database__dbName: 'a' });
		await expect(reading).rejects.toThrow(
			'database: is not an object, but database__dbName names a setting below it',
		);
	});
});

type Change = { readonly [name: string]: unknown };

const http = (httpServer: Change): Change => ({ infrastructure: { httpServer } });
const bearer = (jwtBearer: Change): Change =>
	http({ jwtBearer: { issuerBaseURL: 'https://id.example', audience: 'api', ...jwtBearer } });
const webhook = (target: Change): Change => ({
	modules: { webhooks: { enabled: true, targets: { crm: target } } },
});
const mqtt = (url: string): Change => ({
	modules: {
		messageBrokerPublisher: { enabled: true, brokers: [{ type: 'MQTT', configuration: { url } }] },
	},
});

type Look = (config: ServerConfig) => unknown;
const server: Look = ({ infrastructure }) => infrastructure.httpServer;
const jwt: Look = ({ infrastructure }) => infrastructure.httpServer.jwtBearer;
const brokerUrl: Look = ({ modules }) =>
	modules.messageBrokerPublisher.brokers.map(({ configuration }) => configuration);

describe('a setting of the official schema', () => {
	it.each<[string, Change, Look, unknown]>([
		[
			'$schema',
			{ $schema: 'https://example.com/schema' },
			({ debug }) => ({ debug }),
			{ debug: false },
		],
		['a port as text', http({ port: '8080' }), server, { port: 8080 }],
		[
			'a disabled HTTP server',
			http({ enabled: false, apiKey: undefined }),
			server,
			{ enabled: false },
		],
		[
			'cors.optionsSuccessStatus',
			http({ cors: { origin: '*', optionsSuccessStatus: 200 } }),
			server,
			{ cors: { optionsSuccessStatus: 200 } },
		],
		[
			'cors.preflightContinue',
			http({ cors: { origin: '*', preflightContinue: false } }),
			server,
			{ cors: { preflightContinue: false } },
		],
		['helmetOptions without content', http({ helmetOptions: {} }), server, { helmetOptions: {} }],
		['jwtBearer.strict', bearer({ strict: true }), jwt, { strict: true }],
		['jwtBearer.cooldownDuration', bearer({ cooldownDuration: 1 }), jwt, { cooldownDuration: 1 }],
		['jwtBearer.timeoutDuration', bearer({ timeoutDuration: 1 }), jwt, { timeoutDuration: 1 }],
		['jwtBearer.cacheMaxAge', bearer({ cacheMaxAge: 1 }), jwt, { cacheMaxAge: 1 }],
		['jwtBearer.clockTolerance', bearer({ clockTolerance: 1 }), jwt, { clockTolerance: 1 }],
		['jwtBearer.maxTokenAge', bearer({ maxTokenAge: 60 }), jwt, { maxTokenAge: 60 }],
		['jwtBearer.tokenSigningAlg', bearer({ tokenSigningAlg: 'RS256' }), jwt, { audience: 'api' }],
		['jwtBearer.authRequired', bearer({ authRequired: true }), jwt, { authRequired: true }],
		[
			'a disabled module coreHttpApi',
			{ modules: { coreHttpApi: { enabled: false } } },
			({ modules }) => modules.coreHttpApi,
			{ enabled: false },
		],
		[
			'a disabled decider, whose rules decide nothing',
			{
				modules: {
					decider: {
						enabled: false,
						automationConfig: [{ requestConfig: {}, responseConfig: { accept: true } }],
					},
				},
			},
			(config) => ({ automation: gatewayConfigOf(config).automation }),
			{ automation: [] },
		],
		[
			'sync.interval below 1',
			{ modules: { sync: { enabled: true, interval: 0.5 } } },
			({ modules }) => modules.sync,
			{ interval: 0.5 },
		],
		[
			'sync.interval as text',
			{ modules: { sync: { enabled: true, interval: '7.5' } } },
			({ modules }) => modules.sync,
			{ interval: 7.5 },
		],
		[
			'platformTimeout with a fraction',
			{ transportLibrary: { platformTimeout: 1_500.5 } },
			({ transportLibrary }) => transportLibrary,
			{ platformTimeout: 1_500.5 },
		],
		[
			'rapidoc.persistAuth',
			{ modules: { coreHttpApi: { docs: { rapidoc: { persistAuth: true } } } } },
			({ modules }) => modules.coreHttpApi.docs.rapidoc,
			{ persistAuth: true },
		],
		...(['mqtt', 'mqtts', 'tcp', 'tls', 'ws', 'wss'] as const).map(
			(scheme): [string, Change, Look, unknown] => [
				`an MQTT broker behind ${scheme}://`,
				mqtt(`${scheme}://broker.example`),
				brokerUrl,
				[{ url: `${scheme}://broker.example` }],
			],
		),
		...(
			[
				['webhooks', { webhooks: [{}], targets: { crm: {} } }],
				['messageBrokerPublisher', { brokers: [{ type: 'AMQP', configuration: {} }] }],
				['sse', { baseUrlOverride: '' }],
				['sync', { interval: 0 }],
			] as const
		).map(([name, incomplete]): [string, Change, Look, unknown] => [
			`a disabled module ${name} with incomplete settings`,
			{ modules: { [name]: { enabled: false, ...incomplete } } },
			({ modules }) => modules[name],
			{ enabled: false },
		]),
		[
			'authentication of a webhook target by key',
			webhook({ url: 'https://a.example', authentication: { type: 'ApiKey', apiKey: 'k' } }),
			({ modules }) => modules.webhooks.targets.crm,
			{ authentication: { type: 'ApiKey' } },
		],
		[
			'authentication of a webhook target by OAuth2',
			webhook({
				url: 'https://a.example',
				authentication: {
					type: 'OAuth2',
					accessTokenUrl: 'https://id.example/token',
					clientId: 'i',
					clientSecret: 's',
				},
			}),
			({ modules }) => modules.webhooks.targets.crm,
			{ authentication: { type: 'OAuth2' } },
		],
	])('works: %s', (_name, change, look, expected) => {
		expect(look(parseServerConfig(merged(minimal, change)))).toMatchObject(expected as object);
	});

	it.each<[string, Change, RegExp]>([
		[
			'infrastructure.httpServer.helmetOptions',
			http({ helmetOptions: { hidePoweredBy: false } }),
			/security headers are always the same; a proxy/,
		],
		['infrastructure.httpServer.port', http({ port: 'hidden' }), /a number from 0 to 65535/],
		[
			'infrastructure.httpServer.cors.preflightContinue',
			http({ cors: { origin: '*', preflightContinue: true } }),
			/preflight requests are always answered here/,
		],
		[
			'infrastructure.httpServer.cors.optionsSuccessStatus',
			http({ cors: { origin: '*', optionsSuccessStatus: 404 } }),
			/a status from 200 to 299/,
		],
		[
			'infrastructure.httpServer.jwtBearer.authRequired',
			bearer({ authRequired: false }),
			/no route of the API can be used without authentication/,
		],
		['infrastructure.httpServer.jwtBearer.agent', bearer({ agent: {} }), /called directly/],
		[
			'infrastructure.httpServer.jwtBearer.validators',
			bearer({ validators: {} }),
			/'audience', 'issuer'/,
		],
		['infrastructure.httpServer.jwtBearer.dpop', bearer({ dpop: { enabled: true } }), /DPoP/],
		[
			'infrastructure.httpServer.authentication.jwtBearer',
			http({ connectorVersion: 6, authentication: { jwtBearer: { audience: 'hidden' } } }),
			/'infrastructure\.httpServer\.connectorVersion' to 7/,
		],
		['infrastructure.httpServer.oidc', http({ oidc: {} }), /'jwtBearer'/],
		...['request', 'attributeListener', 'notification'].map((name): [string, Change, RegExp] => [
			`modules.${name}.enabled`,
			{ modules: { [name]: { enabled: false } } },
			/is a part of the gateway and cannot be switched off/,
		]),
		[
			'modules.sse.baseUrlOverride',
			{ modules: { sse: { enabled: true, baseUrlOverride: 'push.example' } } },
			/must begin with 'http:\/\/' or 'https:\/\/'/,
		],
		[
			'modules.sync.interval',
			{ modules: { sync: { enabled: true, interval: 0 } } },
			/0\.1 to 86400 seconds; to synchronise only by hand/,
		],
		...['wx', 'wxs', 'ali', 'alis'].map((scheme): [string, Change, RegExp] => [
			'modules.messageBrokerPublisher.brokers.0.configuration.url',
			mqtt(`${scheme}://broker.example`),
			new RegExp(`${scheme}:// .*mini-programs.* wss://`),
		]),
		[
			'transportLibrary.datawalletEnabled',
			{ transportLibrary: { datawalletEnabled: true } },
			/datawallet/,
		],
		[
			'modules.custom',
			{ modules: { custom: { enabled: true, location: './x' } } },
			/custom modules/,
		],
		['database.dbNamePrefix', { database: { dbNamePrefix: 'acc-' } }, /'database\.dbName'/],
	])('is refused with a hint: %s', (setting, change, hint) => {
		let refusal: unknown;
		try {
			parseServerConfig(merged(minimal, change));
		} catch (error) {
			refusal = error;
		}
		expect(refusal).toMatchObject({ code: 'error.gateway.configuration.invalid' });
		const { message } = refusal as Error;
		expect(message).toContain(`\n  ${setting}: `);
		expect(message.split('\n').find((line) => line.startsWith(`  ${setting}: `))).toMatch(hint);
		expect(message).not.toContain('hidden');
	});

	it('that a target of webhooks authenticates with in an unknown way is refused by its code', () => {
		const authentication = { type: 'Basic', username: 'hidden', password: 'hidden' };
		const settings = merged(minimal, webhook({ url: 'https://a.example', authentication }));
		expect(() => parseServerConfig(settings)).toThrow(
			expect.objectContaining({
				code: 'error.runtime.modules.webhooks.invalidAuthenticationConfig',
				message: expect.not.stringContaining('hidden') as string,
			}),
		);
	});

	it('without effect is named at the start', () => {
		const names = ignoredSettings(
			merged(minimal, {
				logging: { appenders: {} },
				transportLibrary: {
					platformMaxRedirects: 3,
					platformMaxContentLength: 5,
					debug: true,
				},
				modules: {
					sync: { location: './my-sync', enabled: false },
					webhooks: { requiredInfrastructure: ['httpServer'], displayName: 'Hooks' },
				},
			}),
		).map(({ setting }) => setting);
		expect(names).toEqual([
			'logging',
			'transportLibrary.platformMaxRedirects',
			'transportLibrary.platformMaxContentLength',
			'transportLibrary.debug',
			'modules.sync.location',
		]);
		expect(ignoredSettings(minimal)).toEqual([]);
	});

	it('of the log is its format, and every other one is named', () => {
		const withLogging = (logging: unknown) => merged(minimal, { logging } as Change);
		expect(parseServerConfig(minimal).logging.format).toBe('text');
		expect(parseServerConfig(withLogging({ format: 'json' })).logging.format).toBe('json');
		expect(ignoredSettings(withLogging({ format: 'json' }))).toEqual([]);
		const both = withLogging({ format: 'json', appenders: {} });
		expect(parseServerConfig(both).logging.format).toBe('json');
		expect(ignoredSettings(both).map(({ setting }) => setting)).toEqual(['logging']);
		expect(() => parseServerConfig(withLogging({ format: 'xml' }))).toThrow(/logging\.format: /);
	});
});

function merged(low: Change, high: Change): Settings {
	const isTree = (one: unknown): one is Change =>
		typeof one === 'object' && one !== null && !Array.isArray(one);
	const all: Settings = { ...low };
	for (const [name, value] of Object.entries(high)) {
		const below = all[name];
		all[name] = isTree(below) && isTree(value) ? merged(below, value) : value;
	}
	return all;
}
