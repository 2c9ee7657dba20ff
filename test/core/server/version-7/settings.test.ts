import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings, type Settings } from '../../../../core/server/config/config-sources';
import { redactedSettings } from '../../../../core/server/config/redacted-settings';
import {
	parseAccountConfig,
	parseServerConfig,
	type ServerConfig,
} from '../../../../core/server/config/server-config';
import { describeService } from '../../../../core/server/config/service-description';

/* docs/protocol/connector-7.md 2, 5 and 11: the settings of version 7 */
const folder = mkdtempSync(join(tmpdir(), 'enmeshed-settings-7-'));
afterAll(() => rmSync(folder, { recursive: true }));

const strong = 'Hidden-0123456789-Abcdefghijklm';
const other = `${strong}-Other`;
const past = '2020-01-01T00:00:00Z';
const group = 'infrastructure.httpServer.authentication';

const withServer = (httpServer: Settings, others: Settings = {}): Settings => ({
	transportLibrary: {
		baseUrl: 'https://backbone.example',
		platformClientId: 'client',
		platformClientSecret: 'hidden-secret',
	},
	infrastructure: { httpServer },
	...others,
});
const withKeys = (keys: Settings, more: Settings = {}): Settings =>
	withServer({ authentication: { apiKey: { keys, ...more } } });
const serverOf = (settings: Settings): ServerConfig['infrastructure']['httpServer'] =>
	parseServerConfig(settings).infrastructure.httpServer;

function linesOf(settings: Settings, parse = parseServerConfig): string[] {
	try {
		parse(settings);
		return [];
	} catch (error) {
		expect(error).toMatchObject({ code: 'error.gateway.configuration.invalid' });
		const { message } = error as Error;
		expect(message).not.toMatch(/hidden/i);
		return message.split('\n').slice(1);
	}
}

async function fromEnvironment(environment: Record<string, string>): Promise<Settings> {
	const file = join(folder, 'base.json');
	writeFileSync(file, JSON.stringify(withServer({})));
	return await readSettings({ file, environment });
}

// shows connector-7 1: paragraph 3
describe('the served version', () => {
	const key = { apiKey: 'key' };
	const authentication = { apiKey: { keys: { a: { key: strong } } } };

	it.each<[string, Settings, number, string]>([
		[
			'is 6 by default',
			key,
			6,
			"version 6 below /api/v2 and /api/core/v1, because 'infrastructure.httpServer.authentication' is not set",
		],
		[
			'is 7 with its authentication',
			{ authentication },
			7,
			"version 7 below /api/core/v1 and version 6 below /api/v2, because 'infrastructure.httpServer.authentication' is set",
		],
		[
			'can be chosen',
			{ connectorVersion: 7, authentication },
			7,
			"because 'infrastructure.httpServer.connectorVersion' is 7",
		],
		[
			'can be a text',
			{ connectorVersion: '6', ...key },
			6,
			"because 'infrastructure.httpServer.connectorVersion' is 6",
		],
	])('%s', (_name, server, version, said) => {
		const settings = withServer(server);
		const { connectorVersion } = serverOf(settings);
		expect(connectorVersion).toBe(version);
		expect(describeService(connectorVersion, settings)).toContain(said);
		expect(parseAccountConfig(settings).infrastructure.httpServer).toMatchObject({
			enabled: false,
			connectorVersion: version,
		});
	});

	it.each([5, '8', 'seven', '', null, [7]])('cannot be %j', (connectorVersion) => {
		expect(linesOf(withServer({ connectorVersion, ...key }))).toContain(
			'  infrastructure.httpServer.connectorVersion: expected 6 or 7',
		);
	});

	// shows connector-7 11: port
	it.each([8080, '8080'])('is served at the port %j', (port) => {
		expect(
			serverOf(
				withServer({ authentication: { apiKey: { keys: { all: { key: strong } } } }, port }),
			),
		).toMatchObject({
			port: 8080,
		});
	});

	it('comes from the environment, too', async () => {
		const settings = await fromEnvironment({
			infrastructure__httpServer__connectorVersion: '7',
			infrastructure__httpServer__authentication__apiKey__keys__a__key: strong,
		});
		expect(serverOf(settings).connectorVersion).toBe(7);
	});
});

describe('the keys of version 7', () => {
	// shows connector-7 1: Authentication; connector-7 2: apiKey.enabled, .headerName; apiKey.keys;
	// apiKey.keys.*.key, .description; apiKey.keys.*.expiresAt; apiKey.keys.*.scopes; jwtBearer,
	// oidc
	it('have names, and defaults for all the rest', () => {
		expect(serverOf(withKeys({ a: { key: strong } })).authentication).toEqual({
			apiKey: {
				enabled: true,
				headerName: 'X-API-KEY',
				keys: { a: { key: strong, enabled: true, scopes: ['**'], expiresAtMs: undefined } },
			},
			jwtBearer: { enabled: false },
		});
	});

	// shows connector-7 11: environment
	it('come from the environment as objects or member by member', async () => {
		const keys = 'infrastructure__httpServer__authentication__apiKey__keys';
		const settings = await fromEnvironment({
			[`${keys}__whole`]: JSON.stringify({ key: strong, scopes: ['core:*'] }),
			[`${keys}__part__key`]: other,
			[`${keys.replaceAll('__', ':')}:part:expiresAt`]: '2999-12-31',
		});
		expect(serverOf(settings).authentication.apiKey.keys).toMatchObject({
			whole: { key: strong, scopes: ['core:*'] },
			part: { key: other, scopes: ['**'], expiresAtMs: Date.parse('2999-12-31') },
		});
	});

	const duplicates = 'Duplicate API keys found in configuration. Each API key must be unique.';
	const noneValid = 'No valid API keys found in configuration. At least one is required.';
	const weak = (names: string): string =>
		`The API keys with the following key(s) does not meet the requirements: ${names}.`;
	const nothing =
		'No API key and OAuth config set in configuration. At least one is required in production mode.';

	// shows connector-7 2: two keys with the same text (disabled; API keys enabled, none usable
	// (enabled; a usable key outside the policy: at
	it.each<[string, string, Settings]>([
		[`${group}.apiKey.keys: ${duplicates}`, 'two names', { a: strong, b: strong }],
		[
			`${group}.apiKey.keys: ${duplicates}`,
			'the same as a disabled one',
			{ a: strong, b: { key: strong, enabled: false } },
		],
		[
			`${group}.apiKey.keys: ${noneValid}`,
			'disabled or expired',
			{ a: { key: strong, enabled: false }, b: { key: other, expiresAt: past } },
		],
		[`${group}.apiKey.keys: ${weak('a')}`, 'too short', { a: 'Hidden-0123456789-Abcdefghijk' }],
		[
			`${group}.apiKey.keys: ${weak('a, b')}`,
			'one upper-case letter; one lower-case letter',
			{ a: strong.replace('A', 'a'), b: `${strong.toUpperCase()}a`, c: strong },
		],
		[`${group}.apiKey.keys: ${weak('a')}`, 'one digit', { a: `${strong.replaceAll(/\d/g, 'x')}1` }],
		[
			`${group}.apiKey.keys: ${weak('a, b, c')}`,
			'no special character of ASCII',
			{
				a: strong.replaceAll('-', 'x'),
				b: strong.replaceAll('-', ' '),
				c: strong.replaceAll('-', 'ß'),
			},
		],
	])('stop the start with %s (%s)', (text, _case, given) => {
		const keys = Object.entries(given).map(([name, key]) => [
			name,
			typeof key === 'string' ? { key } : key,
		]);
		const settings = withKeys(Object.fromEntries(keys) as Settings);
		expect(linesOf(settings)).toEqual([expect.stringContaining(`  ${text}`)]);
		// Other commands accept them, and so does the server while it is switched off.
		expect(linesOf(settings, parseAccountConfig)).toEqual([]);
	});

	// shows connector-7 2: a usable key outside the policy: at
	it('may be weak when they are disabled or expired', () => {
		const unused = { b: { key: 'x', enabled: false }, c: { key: 'y', expiresAt: past } };
		expect(linesOf(withKeys({ a: { key: strong }, ...unused }))).toEqual([]);
	});

	// shows connector-7 2: API keys enabled, none usable (enabled; production mode with nothing
	// enabled
	it('must be there when they are switched on, and a key or token in production', () => {
		expect(linesOf(withKeys({}, { enabled: true }))).toEqual([
			`  ${group}.apiKey.keys: ${noneValid}`,
		]);
		for (const apiKey of [{}, { keys: {} }, { enabled: false, keys: { a: { key: strong } } }]) {
			const server = { authentication: { apiKey } };
			expect(linesOf(withServer(server))).toEqual([
				expect.stringContaining(`  ${group}: ${nothing} `),
			]);
			expect(linesOf(withServer(server, { debug: true }))).toEqual([]);
		}
		expect(linesOf(withServer({ connectorVersion: 7 }))).toEqual([
			expect.stringContaining(`  ${group}: ${nothing} `),
		]);
		expect(linesOf(withServer({ connectorVersion: 7, enabled: false }))).toEqual([]);
	});

	// shows connector-7 2: paragraph 1; jwtBearer, oidc
	it.each<[string, Settings]>([
		['apiKey.unknown', { apiKey: { unknown: 1 } }],
		['apiKey.headerName', { apiKey: { headerName: 'two words' } }],
		['apiKey.enabled', { apiKey: { enabled: 'hidden' } }],
		['apiKey.keys', { apiKey: { keys: ['hidden'] } }],
		['apiKey.keys.a', { apiKey: { keys: { a: 'hidden' } } }],
		['apiKey.keys.a.key', { apiKey: { keys: { a: { description: 'hidden' } } } }],
		['apiKey.keys.a.key', { apiKey: { keys: { a: { key: '' } } } }],
		['apiKey.keys.a.name', { apiKey: { keys: { a: { key: strong, name: 'hidden' } } } }],
		['apiKey.keys.a.expiresAt', { apiKey: { keys: { a: { key: strong, expiresAt: 'hidden' } } } }],
		['apiKey.keys.a.expiresAt', { apiKey: { keys: { a: { key: strong, expiresAt: 2030 } } } }],
		['apiKey.keys.a.scopes', { apiKey: { keys: { a: { key: strong, scopes: 'core:*' } } } }],
		['apiKey.keys.a.enabled', { apiKey: { keys: { a: { key: strong, enabled: 1 } } } }],
		['jwtBearer.audience', { jwtBearer: { issuerBaseURL: 'https://id.example' } }],
		['jwtBearer', { jwtBearer: { audience: 'api' } }],
		['jwtBearer.enabled', { jwtBearer: { enabled: 'hidden' } }],
		['jwtBearer.unknown', { jwtBearer: { enabled: false, unknown: 1 } }],
		['jwtBearer.dpop', { jwtBearer: { dpop: {} } }],
		['oidc', { oidc: { issuerBaseURL: 'https://id.example' } }],
		['oidc', { oidc: { enabled: true } }],
		['apiKeys', { apiKeys: {} }],
	])('are refused by name, without secrets: %s', (name, authentication) => {
		const names = linesOf(withServer({ authentication })).map((line) => line.split(': ')[0]);
		expect(names).toContain(`  ${group}.${name}`);
	});

	// shows connector-7 2: oidc enabled
	it('stand beside sign-in pages that are switched off, and the refusal says what to use', () => {
		for (const oidc of [{}, { enabled: false, issuerBaseURL: 'https://id.example' }]) {
			const apiKey = { keys: { a: { key: strong } } };
			expect(linesOf(withServer({ authentication: { apiKey, oidc } }))).toEqual([]);
		}
		const [line] = linesOf(withServer({ authentication: { oidc: { clientID: 'hidden' } } }));
		expect(line).toMatch(/programs send a key from 'apiKey\.keys', or tokens/);
	});
});

describe('the bearer tokens of version 7', () => {
	const options = { issuerBaseURL: 'https://id.example', audience: 'api' };
	const bearerOf = (jwtBearer: Settings): unknown =>
		serverOf(
			withServer({ authentication: { apiKey: { keys: { a: { key: strong } } }, jwtBearer } }),
		).authentication.jwtBearer;

	// shows connector-7 2: jwtBearer, oidc
	it('are switched on by their settings, unless these say otherwise', () => {
		expect(bearerOf(options)).toMatchObject({ enabled: true, ...options, clockTolerance: 5 });
		expect(bearerOf({ ...options, enabled: true })).toMatchObject({ enabled: true });
		expect(bearerOf({})).toEqual({ enabled: false });
		expect(bearerOf({ audience: 5, enabled: false })).toEqual({ enabled: false });
	});

	it('suffice without keys', () => {
		expect(linesOf(withServer({ authentication: { jwtBearer: options } }))).toEqual([]);
	});
});

// shows connector-7 11: gone
describe('a setting of the other version', () => {
	const authentication = { apiKey: { keys: { a: { key: strong } } } };

	it.each<[string, Settings, RegExp]>([
		['infrastructure.httpServer.apiKey', { apiKey: 'hidden' }, /authentication\.apiKey\.keys/],
		['infrastructure.httpServer.jwtBearer', { jwtBearer: {} }, /'.*authentication\.jwtBearer'/],
		['infrastructure.httpServer.oidc', { oidc: {} }, /'.*authentication\.oidc'/],
	])('is refused by version 7 with the new name: %s', (setting, old, hint) => {
		for (const chosen of [{ authentication }, { authentication, connectorVersion: 7 }]) {
			const lines = linesOf(withServer({ ...chosen, ...old }));
			expect(lines.find((line) => line.startsWith(`  ${setting}: `))).toMatch(hint);
		}
	});

	it.each<[string, Settings, RegExp]>([
		['database.dbNamePrefix', { database: { dbNamePrefix: 'acc-' } }, /'database\.dbName'/],
		['modules.attributeListener', { modules: { attributeListener: {} } }, /leave it out/],
	])('is refused by version 7: %s', (setting, others, hint) => {
		const lines = linesOf(withServer({ authentication }, others));
		expect(lines).toEqual([expect.stringMatching(hint)]);
		expect(lines[0]).toContain(`  ${setting}: `);
	});

	it('is refused by version 7 when it comes from API_KEY', async () => {
		const settings = await fromEnvironment({
			API_KEY: 'hidden',
			infrastructure__httpServer__connectorVersion: '7',
		});
		expect(linesOf(settings)).toContainEqual(
			expect.stringContaining('(API_KEY in the environment)'),
		);
	});

	it('is refused by version 6 with the version to choose, except for named keys', () => {
		const jwtBearer = { issuerBaseURL: 'https://id.example.com', audience: 'hidden' };
		const server = { connectorVersion: 6, apiKey: 'hidden', authentication: { jwtBearer } };
		expect(linesOf(withServer(server))).toEqual([
			expect.stringMatching(
				/^ {2}infrastructure\.httpServer\.authentication\.jwtBearer: .*connectorVersion' to 7/,
			),
		]);
		expect(linesOf(withServer({ ...server, authentication }))).toEqual([]);
		expect(linesOf(withServer({ apiKey: 'key' }, { modules: { attributeListener: {} } }))).toEqual(
			[],
		);
	});
});

describe('what an operator sees of version 7', () => {
	// shows connector-7 5: /Monitoring/Support
	it.each<[string, Settings, unknown]>([
		['keys', { apiKey: { keys: { a: { key: strong } } } }, { apiKey: 'redacted (enabled)' }],
		['no keys', { apiKey: { headerName: 'x' } }, { apiKey: 'redacted (disabled)' }],
		[
			'keys that are switched off',
			{ apiKey: { enabled: false, keys: { a: { key: strong } } } },
			{ apiKey: 'redacted (disabled)' },
		],
		['tokens', { jwtBearer: { secret: 'hidden' } }, { jwtBearer: 'redacted (enabled)' }],
		[
			'others that are off',
			{ jwtBearer: {}, oidc: { enabled: false, secret: 'hidden' } },
			{ jwtBearer: 'redacted (disabled)', oidc: 'redacted (disabled)' },
		],
	])('has no secret: %s', (_name, authentication, shown) => {
		const settings = redactedSettings(withServer({ authentication }));
		expect(settings.infrastructure).toEqual({ httpServer: { authentication: shown } });
		expect(JSON.stringify(settings)).not.toMatch(/hidden/i);
	});
});
