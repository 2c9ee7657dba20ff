import { sandboxOf } from '../../support/gateways';
import { heldRoles, requireRole } from '../../../core/server/authentication/roles';
import { apiKey, HttpGateway } from '../../core/server/support/http-gateway';
import { World, type Answered } from '../support/world';

jest.setTimeout(60_000);

/* docs/protocol/http-api.md 18.1, 18.2: what is not an attribute, request, message, relationship or file */
let world: World;
beforeAll(async () => {
	world = await World.open();
});
afterAll(() => world.close());

const ask = async (call: string, json?: unknown, side = world.a): Promise<Answered> =>
	await side.http.ask(call, { json });
const date = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
const text = expect.any(String) as string;

describe('account', () => {
	it('http-api 18.1: account 1; http-api 18.2: paragraph 1 | the identity has address and public key, and nothing else', async () => {
		const { status, result } = await ask('GET /Account/IdentityInfo');
		expect([status, result]).toEqual([200, { address: world.a.address, publicKey: text }]);
	});

	it('http-api 18.1: account 2 | a sync yields nothing', async () => {
		const { status, bytes } = await ask('POST /Account/Sync');
		expect([status, bytes.length]).toEqual([204, 0]);
	});

	it('http-api 18.1: account 3; http-api 18.2: paragraph 1 | the last sync is told by when it was completed', async () => {
		await ask('POST /Account/Sync');
		const { status, result } = await ask('GET /Account/SyncInfo');
		expect([status, result]).toEqual([200, { lastSyncRun: { completedAt: date } }]);
	});

	it('http-api 18.1: announcements 1 | announcements in English are listed', async () => {
		expect(await ask('GET /Announcements?language=en')).toMatchObject({ status: 200, result: [] });
	});
});

describe('notifications of the Backbone', () => {
	it('http-api 18.1: backboneNotifications 1 | go to a related peer with a registered code', async () => {
		const { status, bytes } = await ask('POST /BackboneNotifications', {
			recipients: [world.b.address],
			code: 'test',
		});
		expect([status, bytes.length]).toEqual([204, 0]);
		expect(sandboxOf(world.network).operatorTexts.notifications.at(-1)).toMatchObject({
			from: world.a.address,
			recipients: [world.b.address],
		});
	});

	it('http-api 18.1: backboneNotifications 2 | go to no unknown identity, and not with an unknown code', async () => {
		const { address } = await world.stranger();
		const stranger = await ask('POST /BackboneNotifications', {
			recipients: [address],
			code: 'test',
		});
		expect([stranger.status, stranger.error.code]).toEqual([
			400,
			'error.transport.backboneNotifications.noActiveRelationshipFoundForRecipients',
		]);
		const code = await ask('POST /BackboneNotifications', {
			recipients: [world.b.address],
			code: 'unknown',
		});
		expect([code.status, code.error.code]).toEqual([
			500,
			'error.platform.validation.notification.codeDoesNotExist',
		]);
	});
});

describe('challenges', () => {
	const create = async (json: object): Promise<Answered> => await ask('POST /Challenges', json);
	const validate = async ({ challengeString, signature }: Answered): Promise<Answered> =>
		await ask('POST /Challenges/Validate', { challengeString, signature }, world.b);
	const relationship = (): object => ({
		challengeType: 'Relationship',
		relationship: world.relationshipId,
	});

	it('http-api 18.1: challenges 1 | are of three types', async () => {
		for (const [json, type] of [
			[{ challengeType: 'Identity' }, 'Identity'],
			[{ challengeType: 'Device' }, 'Device'],
			[relationship(), 'Relationship'],
		] as const) {
			const { status, result } = await create(json);
			expect([status, result.type]).toEqual([201, type]);
		}
	});

	it('http-api 18.1: challenges 2; http-api 18.2: paragraph 1 | are valid for the other side, which sees with whom', async () => {
		for (const json of [{ challengeType: 'Identity' }, relationship()]) {
			const { status, result } = await validate((await create(json)).result);
			expect([status, Object.keys(result).sort(), result.isValid]).toEqual([
				200,
				['correspondingRelationship', 'isValid'],
				true,
			]);
			expect(result.correspondingRelationship.peer).toBe(world.a.address);
		}
	});

	it('http-api 18.1: challenges 3; http-api 18.2: paragraph 1 | are not valid with another signature', async () => {
		const { result: one } = await create({ challengeType: 'Identity' });
		const { result: other } = await create({ challengeType: 'Identity' });
		const { status, result } = await validate({ ...one, signature: other.signature });
		expect([status, result]).toEqual([200, { isValid: false }]);
	});

	it('http-api 18.1: challenges 4; http-api 18.2: device challenge validation | of devices cannot be validated', async () => {
		const { result } = await create({ challengeType: 'Device' });
		const { status, error } = await validate(result);
		expect([status, error.code, error.message]).toEqual([
			400,
			'error.runtime.notSupported',
			"Validating challenges of the type 'Device' is not yet supported.",
		]);
	});
});

describe('the deletion of the identity', () => {
	let http: HttpGateway;
	beforeAll(async () => {
		http = await HttpGateway.open(world.network, { debug: true });
	});
	afterAll(() => http.close());
	const path = '/IdentityDeletionProcess';
	const expectNone = async (): Promise<void> => {
		const { status, error } = await http.ask(`GET ${path}`);
		expect([status, error.code]).toEqual([
			400,
			'error.runtime.identityDeletionProcess.noActiveIdentityDeletionProcess',
		]);
	};

	it('http-api 18.1: debug/identityDeletionProcess 1; http-api 18.1: debug/identityDeletionProcess 2; http-api 18.1: debug/identityDeletionProcess 3; http-api 18.1: debug/identityDeletionProcess 4; http-api 18.1: debug/identityDeletionProcess 5; http-api 18.2: paragraph 1 | is begun once, shown, and cancelled', async () => {
		await expectNone();
		const begun = await http.ask(`POST ${path}`);
		expect([begun.status, begun.result.status]).toEqual([200, 'Approved']);
		expect(Date.parse(begun.result.gracePeriodEndsAt)).toBeGreaterThan(Date.now());
		const shown = await http.ask(`GET ${path}`);
		expect([shown.status, shown.result]).toEqual([200, begun.result]);
		const again = await http.ask(`POST ${path}`);
		expect([again.status, again.error.code]).toEqual([
			400,
			'error.runtime.identityDeletionProcess.activeIdentityDeletionProcessAlreadyExists',
		]);
		const ended = await http.ask(`DELETE ${path}`);
		expect([ended.status, ended.result]).toMatchObject([
			200,
			{ id: begun.result.id, status: 'Cancelled' },
		]);
		await expectNone();
	});
});

describe('errors', () => {
	const invalid = 'error.runtime.validation.invalidPropertyValue';
	const expectShape = ({ json, error }: Answered): void => {
		expect(json).toEqual({
			error: {
				id: expect.stringMatching(/^ERR[A-Z0-9]{17}$/) as string,
				docs: `https://enmeshed.eu/integrate/error-codes#${error.code}`,
				time: date,
				code: text,
				message: text,
			},
		});
	};

	it('http-api 18.1: errors 1; http-api 18.1: errors 5; http-api 18.2: paragraph 1 | a wrong key is 401', async () => {
		const headers = { 'x-api-key': `${apiKey}wrong` };
		const answer = await world.a.http.ask('GET /Files', { headers });
		expect([answer.status, answer.error.code]).toEqual([401, 'error.connector.unauthorized']);
		expectShape(answer);
	});

	it('http-api 18.1: errors 2; http-api 18.1: errors 5 | an unknown path is 404', async () => {
		const answer = await ask('GET /NoSuchRoute');
		expect([answer.status, answer.error.code]).toEqual([
			404,
			'error.connector.http.routeDoesNotExist',
		]);
		expectShape(answer);
	});

	it('http-api 18.1: errors 3; http-api 18.1: errors 5 | another method is 405', async () => {
		const answer = await ask('PATCH /Files');
		expect([answer.status, answer.error.code]).toEqual([
			405,
			'error.connector.http.methodNotAllowed',
		]);
		expectShape(answer);
	});

	it('http-api 18.1: errors 4; http-api 18.1: errors 5 | an upload without anything is 400, with a link to its code', async () => {
		const answer = await world.a.http.ask('POST /Files/Own', {
			headers: { 'content-type': 'application/x-www-form-urlencoded' },
		});
		expect([answer.status, answer.error.code, answer.error.docs]).toEqual([
			400,
			invalid,
			`https://enmeshed.eu/integrate/error-codes#${invalid}`,
		]);
		expectShape(answer);
	});
});

describe('metadata of identities', () => {
	it('http-api 18.1: identityMetadata 1; http-api 18.1: identityMetadata 2; http-api 18.1: identityMetadata 3; http-api 18.2: identity metadata missing | are put with and without key, as text and as object, got, and deleted', async () => {
		const reference = world.b.address;
		for (const value of ['text', { an: 'object' }]) {
			for (const key of [undefined, 'key']) {
				const query = `reference=${reference}${key === undefined ? '' : '&key=key'}`;
				const put = await ask('PUT /IdentityMetadata', { reference, key, value });
				const expected = { reference, value, ...(key === undefined ? {} : { key }) };
				expect([put.status, put.result]).toEqual([200, expected]);
				const got = await ask(`GET /IdentityMetadata?${query}`);
				expect([got.status, got.result]).toEqual([200, expected]);
				expect((await ask(`DELETE /IdentityMetadata?${query}`)).status).toBe(204);
				const { status, error } = await ask(`GET /IdentityMetadata?${query}`);
				expect([status, error.code, error.message]).toEqual([
					400,
					'error.runtime.identityMetadata.notFound',
					'There is no stored IdentityMetadata for the specified combination of reference and key.',
				]);
			}
		}
	});
});

describe('monitoring', () => {
	const services = {
		database: 'healthy',
		backboneConnection: 'healthy',
		backboneAuthentication: 'healthy',
	};

	it('http-api 18.1: monitoring 1 | the service is healthy', async () => {
		const { status, json } = await ask('GET /health');
		expect([status, json]).toEqual([200, { isHealthy: true, services }]);
	});

	it('http-api 18.1: monitoring 2; http-api 18.2: paragraph 1 | version, requests and support have their members only', async () => {
		const version = {
			version: text,
			build: text,
			date: text,
			commit: text,
			runtimeVersion: text,
			modules: expect.any(Object) as object,
		};
		expect((await ask('GET /Monitoring/Version')).json).toEqual(version);
		expect((await ask('GET /Monitoring/Requests')).json).toEqual({
			since: date,
			requestCount: expect.any(Number) as number,
			requestCountByStatus: expect.objectContaining({
				200: expect.any(Number) as number,
			}) as object,
		});
		expect((await ask('GET /Monitoring/Support')).json).toEqual({
			version,
			health: { isHealthy: true, services },
			configuration: expect.any(Object) as object,
			identityInfo: { address: world.a.address, publicKey: text },
		});
	});
});

describe('documentation', () => {
	const open = async (path: string): Promise<Response> =>
		await fetch(world.a.http.server.address + path, { redirect: 'manual' });

	it('http-api 18.1: openapi 1 | /docs leads to a page', async () => {
		const { status, headers } = await open('/docs');
		expect([status, headers.get('location')]).toEqual([
			301,
			expect.stringMatching(/^\/docs\/(swagger|rapidoc)$/),
		]);
	});

	it('http-api 18.1: openapi 2 | pages and icon are reachable without key', async () => {
		const pages = ['/docs/swagger', '/docs/rapidoc', '/favicon.ico'].map(
			async (path) => await fetch(world.a.http.server.address + path),
		);
		const answers = await Promise.all(pages);
		expect(answers.map(({ status, headers }) => [status, headers.get('content-type')])).toEqual([
			[200, expect.stringMatching(/^text\/html/)],
			[200, expect.stringMatching(/^text\/html/)],
			[200, 'image/svg+xml'],
		]);
	});
});

describe('roles of a route', () => {
	it('http-api 18.1: packages/types routeRequiresRoles 1 | any one of them suffices, none fails, and a route needs some', () => {
		const allowed = ['admin', 'core:files'];
		const required = { 6: allowed, 7: [] };
		for (const held of [['admin'], ['core:files'], ['other', 'core:files'], allowed]) {
			expect(() => requireRole(heldRoles(6, held), required)).not.toThrow();
		}
		for (const held of [[], ['other'], ['core:file', 'Admin']]) {
			expect(() => requireRole(heldRoles(6, held), required)).toThrow(
				expect.objectContaining({ code: 'error.connector.forbidden' }),
			);
		}
		expect(() => requireRole(heldRoles(6, ['admin']), { 6: [], 7: [] })).toThrow(TypeError);
	});
});
