import { SignJWT } from 'jose';
import { authenticationSchema } from '../../../../core/server/config/authentication-config';
import { TestNetwork } from '../../../support/gateways';
import { openLog } from '../../../support/log-lines';
import { until } from '../../../support/until';
import { HttpGateway } from '../support/http-gateway';
import { StreamClient } from '../support/stream-client';

/* docs/protocol/connector-7.md 2: who may do what when version 7 is served */
const secret = 'x'.repeat(32);
const keyOf = (name: string): string => `Of-${name}-With-0123456789-Enough-Letters`;
const past = '2020-01-01T00:00:00Z';
const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
const authentication = authenticationSchema.parse({
	apiKey: {
		headerName: 'X-Own-Key',
		keys: {
			all: { key: keyOf('all'), description: 'of the operator', expiresAt: inAnHour },
			attributes: { key: keyOf('attributes'), scopes: ['core:attributes'] },
			unknown: { key: keyOf('unknown'), scopes: ['core:unknown', 'admin', 'core'] },
			none: { key: keyOf('none'), scopes: [] },
			disabled: { key: keyOf('disabled'), enabled: false },
			expired: { key: keyOf('expired'), expiresAt: past },
		},
	},
	jwtBearer: { audience: 'gateway', issuer: 'https://issuer.example', secret },
});
const log = openLog();
let network: TestNetwork;
let http: HttpGateway;

beforeAll(async () => {
	network = await TestNetwork.open();
	const { logger } = log;
	http = await HttpGateway.open(network, {
		connectorVersion: 7,
		authentication,
		debug: true,
		logger,
	});
});
afterAll(async () => {
	await http.close();
	await network.close();
});

type Headers = Readonly<Record<string, string>>;

async function tokenWith(scope?: string): Promise<string> {
	const token = new SignJWT(scope === undefined ? {} : { scope })
		.setProtectedHeader({ alg: 'HS256' })
		.setIssuer('https://issuer.example')
		.setAudience('gateway')
		.setExpirationTime('1h');
	return `Bearer ${await token.sign(new TextEncoder().encode(secret))}`;
}

async function ask(call: string, headers: Headers, at = http): Promise<unknown[]> {
	const { status, error } = await at.ask(call, { headers });
	return error === undefined ? [status] : [status, error.code, error.message];
}

const refused = [401, 'error.connector.unauthorized', 'Unauthorized.'];
const forbidden = [
	403,
	'error.connector.forbidden',
	'You are not allowed to access this endpoint.',
];
const attributes = 'GET /api/core/v1/Attributes';

describe('a client of version 7', () => {
	// shows connector-7 1: Prefix; paragraph 3; connector-7 2: key header present, not empty, API
	// keys; Authorization present, bearer enabled; none of these; role missing;
	// apiKey.keys.*.expiresAt; apiKey.keys.*.scopes
	it.each<[string, Headers, string | undefined, unknown[]]>([
		['with a key', { 'X-Own-Key': keyOf('all') }, undefined, [200]],
		['with the header in other letters', { 'x-oWN-kEY': keyOf('all') }, undefined, [200]],
		['with a key for this route', { 'X-Own-Key': keyOf('attributes') }, undefined, [200]],
		['with a key for others', { 'X-Own-Key': keyOf('unknown') }, undefined, forbidden],
		['with a key for nothing', { 'X-Own-Key': keyOf('none') }, undefined, forbidden],
		['with a disabled key', { 'X-Own-Key': keyOf('disabled') }, undefined, refused],
		['with an expired key', { 'X-Own-Key': keyOf('expired') }, undefined, refused],
		['with an unknown key', { 'X-Own-Key': `${keyOf('all')}x` }, undefined, refused],
		['with a key in the usual header', { 'X-API-KEY': keyOf('all') }, undefined, refused],
		['with a wrong key and a token', { 'X-Own-Key': 'wrong' }, '**', refused],
		['with an empty key and a token', { 'X-Own-Key': '' }, '**', [200]],
		['with a token for this route', {}, 'other core:attributes', [200]],
		['with a token for others', {}, 'core:files admin', forbidden],
		['with an empty key alone', { 'X-Own-Key': '' }, undefined, refused],
		['with neither', {}, undefined, refused],
	])('%s is answered by the table', async (_name, headers, scope, expected) => {
		const token = scope === undefined ? {} : { authorization: await tokenWith(scope) };
		const sent = { 'x-api-key': '', ...token, ...headers };
		expect(await ask(attributes, sent)).toEqual(expected);
		// The same key opens both prefixes; version 6 cannot show the attributes of this account.
		const [status, code] = await ask('GET /api/v2/Attributes', sent);
		const [, refusal] = expected;
		expect([status, code]).toEqual(
			expected[0] === 200 ? [400, 'error.gateway.http.servedAsVersion7'] : [expected[0], refusal],
		);
	});

	// shows connector-7 2: Authorization present, bearer enabled
	it('may do nothing with a token without scope, and is refused by a token of another kind', async () => {
		expect(await ask(attributes, { authorization: await tokenWith() })).toEqual(forbidden);
		const basic = (await tokenWith('**')).replace('Bearer', 'Basic');
		expect(await ask(attributes, { authorization: basic })).toEqual(refused);
	});

	// shows connector-7 2: role missing; paragraph 2
	it('waits for a refusal of its key, and not for a missing role', async () => {
		const slow = await HttpGateway.open(network, {
			connectorVersion: 7,
			authentication,
			refusalDelayMs: () => 300,
		});
		const duration = async (key: string): Promise<number> => {
			const startedAtMs = performance.now();
			await ask(attributes, { 'X-Own-Key': key }, slow);
			return performance.now() - startedAtMs;
		};
		expect(await duration('wrong')).toBeGreaterThanOrEqual(295);
		expect(await duration(keyOf('none'))).toBeLessThan(290);
		await slow.close();
	});

	// shows connector-7 2: debug mode, nothing enabled; none of these
	it('needs no key in debug mode without authentication, and has no way in otherwise', async () => {
		const nothing = authenticationSchema.parse({});
		for (const [debug, expected] of [
			[true, [200]],
			[false, refused],
		] as const) {
			const open = await HttpGateway.open(network, {
				connectorVersion: 7,
				authentication: nothing,
				debug,
			});
			expect(await ask(attributes, {}, open)).toEqual(expected);
			expect(await ask('GET /Monitoring/Support', {}, open)).toEqual(expected);
			await open.close();
		}
	});

	it('is known by its token where keys are switched off, whatever its key', async () => {
		const { apiKey, jwtBearer } = authentication;
		const tokens = { apiKey: { ...apiKey, enabled: false }, jwtBearer };
		const server = await HttpGateway.open(network, {
			connectorVersion: 7,
			authentication: tokens,
		});
		const key = { 'X-Own-Key': keyOf('all') };
		const authorization = await tokenWith('core:*');
		expect(await ask(attributes, { ...key, authorization }, server)).toEqual([200]);
		expect(await ask(attributes, key, server)).toEqual(refused);
		await server.close();
	});

	it('leaves no key in the log', () => {
		expect(log.lines.join('\n')).not.toMatch(/Enough-Letters/);
		expect(log.lines.length).toBeGreaterThan(20);
	});
});

describe('the role of a route of version 7', () => {
	const groups: ReadonlyArray<readonly [string, string]> = [
		['core:account', 'GET /Account/IdentityInfo'],
		['core:account', 'GET /Account/Problems'],
		['core:announcements', 'GET /Announcements'],
		['core:attributes', 'GET /Attributes'],
		['core:backboneNotifications', 'POST /BackboneNotifications'],
		['core:challenges', 'POST /Challenges/Validate'],
		['core:files', 'GET /Files'],
		['core:identityMetadata', 'GET /IdentityMetadata'],
		['core:messages', 'GET /Messages'],
		['core:relationships', 'GET /Relationships'],
		['core:relationshipTemplates', 'GET /RelationshipTemplates'],
		['core:requests', 'GET /Requests/Incoming'],
		['core:requests', 'GET /Requests/Outgoing'],
		['core:requests:incoming', 'GET /Requests/Incoming'],
		['core:requests:outgoing', 'GET /Requests/Outgoing'],
		['core:tokens', 'GET /Tokens/x'],
		['debug:identityDeletionProcess', 'GET /IdentityDeletionProcess'],
	];

	async function isAllowed(scope: string, call: string): Promise<boolean> {
		const [status, code] = await ask(call, { authorization: await tokenWith(scope) });
		expect(status).not.toBe(401);
		return code !== 'error.connector.forbidden';
	}

	// shows connector-7 2: Account, Announcements, Attributes; Requests/Incoming,
	// Requests/Outgoing; IdentityDeletionProcess (debug mode); paragraph 4
	it.each(groups)('%s opens %s below both prefixes, and nothing else does', async (role, call) => {
		for (const prefix of ['/api/core/v1', '/api/v2']) {
			const path = call.replace(' ', ` ${prefix}`);
			const others = groups.filter(([, other]) => other !== call).map(([other]) => other);
			const unfitting = others.filter(
				(other) => !groups.some(([a, b]) => a === other && b === call),
			);
			expect(await isAllowed(role, path)).toBe(true);
			expect(await isAllowed('**', path)).toBe(true);
			const scope = [...unfitting, 'admin', 'developer', 'monitoring', 'core:events'].join(' ');
			expect(await isAllowed(scope, path)).toBe(false);
		}
	});

	// shows connector-7 2: /Monitoring/Version, /Requests, /Support
	it.each([
		['Version', 'monitoring:version'],
		['Requests', 'monitoring:requests'],
		['Support', 'monitoring:support'],
	])('/Monitoring/%s is %s', async (name, role) => {
		const call = `GET /Monitoring/${name}`;
		expect(await isAllowed(role, call)).toBe(true);
		expect(await isAllowed('monitoring:*', call)).toBe(true);
		const others = ['version', 'requests', 'support'].map((one) => `monitoring:${one}`);
		const scope = [...others.filter((one) => one !== role), 'monitoring', 'admin', 'core:**'];
		expect(await isAllowed(scope.join(' '), call)).toBe(false);
	});
});

describe('the stream of events of version 7', () => {
	const open = (key: string, at: HttpGateway): Promise<StreamClient> =>
		StreamClient.open(at, { headers: { 'x-api-key': key } });

	// shows connector-7 2: apiKey.keys.*.expiresAt; paragraph 4
	it('needs core:events, and ends when its key expires, without the streams of other keys', async () => {
		// Long enough for a busy machine to open all streams.
		const expiresAt = new Date(Date.now() + 5_000).toISOString();
		const keys = {
			brief: { key: keyOf('brief'), scopes: ['core:events'], expiresAt },
			long: { key: keyOf('long'), scopes: ['core:e*'] },
			other: { key: keyOf('other'), scopes: ['core:account'] },
		};
		const server = await HttpGateway.open(network, {
			connectorVersion: 7,
			authentication: authenticationSchema.parse({ apiKey: { keys } }),
		});
		expect((await open(keys.other.key, server)).answer.status).toBe(403);
		const long = await open(keys.long.key, server);
		const brief = await open(keys.brief.key, server);
		await until(() => brief.lastId !== undefined && long.lastId !== undefined);
		await expect(brief.ended).resolves.toBeUndefined();
		expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(expiresAt) - 10);
		expect((await open(keys.brief.key, server)).answer.status).toBe(401);
		expect(long.isEnded).toBe(false);
		await long.close();
		await server.close();
	});
});

describe('a client of version 7 where version 6 is served', () => {
	it('makes the log say once what to set, and other clients never', async () => {
		const { lines, logger } = openLog();
		const old = await HttpGateway.open(network, { logger });
		const said = (): string[] => lines.filter((line) => line.includes('connectorVersion'));
		const did = 'did:e:localhost:dids:1234567890abcdef123456';
		for (const path of ['/Attributes', '/Attributes/ATTx', '/Attributes/Peer/Shared/Identity']) {
			await old.ask(`GET /api/core/v1${path}?peer=${did}`);
		}
		await old.ask('GET /api/v2/Attributes/Own/Identity');
		expect(said()).toEqual([]);
		for (const path of [
			'/Attributes/Own/Identity',
			`/Attributes/Own/Shared/${did}`,
			`/Attributes/Peer/${encodeURIComponent(did)}`,
			'/Attributes/ATTx/ForwardingDetails',
		]) {
			await old.ask(`GET /api/core/v1${path}`);
			expect(said()).toHaveLength(1);
		}
		expect(said()[0]).toMatch(/^warn .*'infrastructure\.httpServer\.connectorVersion' to 7/);
		await old.close();
	});

	it.each(['/Own/Identity', '/Peer/did:e:x', '/Own/Shared/did:e:x', '/ATTx/ForwardingDetails'])(
		'is noticed by %s',
		async (path) => {
			const { lines, logger } = openLog();
			const old = await HttpGateway.open(network, { logger });
			await old.ask(`GET /api/core/v1/Attributes${path}`);
			expect(lines.join()).toContain('connectorVersion');
			await old.close();
		},
	);
});

describe('the document of version 7', () => {
	// shows connector-7 11: documentation routes
	it('names the header and the methods that are switched on', async () => {
		const schemes = async (settings: object): Promise<unknown> => {
			const server = await HttpGateway.open(network, {
				connectorVersion: 7,
				authentication: authenticationSchema.parse(settings),
			});
			const { json } = await server.ask('GET /docs/json');
			await server.close();
			return [json.components.securitySchemes, json.security];
		};
		const key = { keys: { a: { key: keyOf('a') } } };
		expect(await schemes({ apiKey: { ...key, headerName: 'X-Own-Key' } })).toEqual([
			{ ApiKey: { type: 'apiKey', in: 'header', name: 'X-Own-Key' } },
			[{ ApiKey: [] }],
		]);
		const jwtBearer = { audience: 'a', issuer: 'https://issuer.example', secret };
		expect(await schemes({ apiKey: { ...key, enabled: false }, jwtBearer })).toEqual([
			{ Bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
			[{ Bearer: [] }],
		]);
	});
});
