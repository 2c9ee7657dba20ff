import type { HttpBackbone } from '../../../core/backbone/http/http-backbone';
import {
	address,
	createdAt,
	empty,
	failureOf,
	FixtureServer,
	inTurn,
	json,
	ManualClock,
	problem,
	raw,
	result,
	type Responder,
} from './fixture-server';

const tokenPath = '/connect/token';
const self = { 'GET /api/v2/Identities/Self': result({ address }) };
const granted = (token: string, expiresIn = 300) =>
	json(200, { access_token: token, token_type: 'Bearer', expires_in: expiresIn });
const refused = (error = 'invalid_grant', status = 400) => json(status, { error });
let server: FixtureServer;

afterEach(() => server.close());

const open = async (token: Responder, more: Record<string, Responder> = {}) => {
	server = await FixtureServer.open({ ...self, [`POST ${tokenPath}`]: token, ...more });
	return server;
};

describe('an access token', () => {
	it('is asked for with the form of the protocol', async () => {
		await open(granted('t'));
		await server.connect().authentication.verify();
		const [call] = server.calls(tokenPath);
		expect(call?.headers['content-type']).toBe('application/x-www-form-urlencoded');
		expect(Object.fromEntries(new URLSearchParams(call?.body))).toEqual({
			grant_type: 'password',
			username: 'USRme',
			password: 'the-device-password',
			client_id: 'client',
			client_secret: 'the-client-secret',
		});
	});

	it('is shared by concurrent callers and used for all of them', async () => {
		await open(granted('shared'));
		const backbone = server.connect();
		await Promise.all(Array.from({ length: 30 }, () => backbone.identities.self()));
		expect(server.calls(tokenPath)).toHaveLength(1);
		const used = server.calls('/api/v2/Identities/Self').map((call) => call.headers.authorization);
		expect(new Set(used)).toEqual(new Set(['Bearer shared']));
	});

	it('is renewed ten seconds before it ends', async () => {
		const clock = new ManualClock(1_000_000);
		await open(granted('t', 60));
		const backbone = server.connect({ clock });
		await backbone.identities.self();
		clock.advance(49_999);
		await backbone.identities.self();
		expect(server.calls(tokenPath)).toHaveLength(1);
		clock.advance(1);
		await backbone.identities.self();
		expect(server.calls(tokenPath)).toHaveLength(2);
	});

	it('that is refused is renewed once, and the call repeated once', async () => {
		await open(inTurn(granted('old'), granted('new')), {
			'GET /api/v2/Identities/Self': (request, response) => {
				const isNew = request.headers.authorization === 'Bearer new';
				(isNew ? result({ address }) : empty(401))(request, response);
			},
		});
		await expect(server.connect().identities.self()).resolves.toEqual({ address });
		expect(server.calls(tokenPath)).toHaveLength(2);
	});

	it('that is refused for many callers at once is renewed for all of them together', async () => {
		await open(inTurn(granted('old'), granted('new')), {
			'GET /api/v2/Identities/Self': (request, response) => {
				const isNew = request.headers.authorization === 'Bearer new';
				(isNew ? result({ address }) : empty(401))(request, response);
			},
		});
		const backbone = server.connect();
		await Promise.all(Array.from({ length: 10 }, () => backbone.identities.self()));
		expect(server.calls(tokenPath)).toHaveLength(2);
	});

	it('that is refused also when fresh ends the call, and is not used again', async () => {
		await open(granted('t'), { 'GET /api/v2/Identities/Self': empty(401) });
		const backbone = server.connect();
		const error = await failureOf(backbone.identities.self());
		expect(error).toMatchObject({ code: 'error.platform.unauthorized', kind: 'forbidden' });
		expect(error['remedy']).toMatch(/just given.*host name.*localhost and 127\.0\.0\.1.*clocks/);
		expect(server.calls('/api/v2/Identities/Self')).toHaveLength(2);
		await failureOf(backbone.identities.self());
		expect(server.calls(tokenPath)).toHaveLength(4);
	});

	it('is kept when the same credentials are used again, and dropped for others', async () => {
		await open(granted('t'));
		const backbone = server.connect();
		await backbone.identities.self();
		backbone.authentication.use({ username: 'USRme', password: 'the-device-password' });
		await backbone.identities.self();
		expect(server.calls(tokenPath)).toHaveLength(1);
		backbone.authentication.use({ username: 'USRme', password: 'another' });
		await backbone.identities.self();
		expect(server.calls(tokenPath)).toHaveLength(2);
	});

	it('is not asked for without credentials', async () => {
		await open(granted('t'));
		const backbone = server.connect();
		backbone.authentication.use(undefined);
		const error = await failureOf(backbone.identities.self());
		expect(error.code).toBe('error.transport.secrets.secretNotFound');
		expect(server.calls(tokenPath)).toHaveLength(0);
	});

	it('is not needed for anonymous calls', async () => {
		await open(refused(), {
			'POST /api/v2/Challenges': result({ id: 'CHL1', expiresAt: '2026-01-01T00:00:00.000Z' }, 201),
		});
		const challenge = await server.connect().challenges.create({ anonymous: true });
		expect(challenge.id).toBe('CHL1');
		expect(server.calls('/api/v2/Challenges')[0]?.headers).not.toHaveProperty('authorization');
		expect(server.calls(tokenPath)).toHaveLength(0);
	});

	it('for the others is not lost when one caller gives up', async () => {
		const abort = new AbortController();
		await open((request, response) => {
			abort.abort(new Error('one gave up'));
			setImmediate(() => granted('t')(request, response));
		});
		const backbone = server.connect();
		const [one, other] = await Promise.allSettled([
			backbone.identities.self({ signal: abort.signal }),
			backbone.identities.self(),
		]);
		expect(one).toMatchObject({ status: 'rejected', reason: abort.signal.reason as Error });
		expect(other.status).toBe('fulfilled');
		expect(server.calls(tokenPath)).toHaveLength(1);
	});
});

describe('a token that is not taken where strangers may ask, too', () => {
	const probe = '/api/v2/Datawallet';
	const reading = '/api/v2/Tokens/TOK1';
	const notFound = problem(404, 'error.platform.recordNotFound');
	const created = { id: 'TOK1', createdAt };
	const filled = { ...created, createdBy: address, createdByDevice: 'DVC1', content: 'AAAA' };
	const challenge = { id: 'CHL1', expiresAt: createdAt };

	/** What the Backbone answers to the token 'new', and what to any other. */
	const byToken =
		(known: Responder, stranger: Responder): Responder =>
		(request, response) => {
			const isKnown = request.headers.authorization === 'Bearer new';
			(isKnown ? known : stranger)(request, response);
		};
	const probing = { [`GET ${probe}`]: byToken(result({ version: 1 }), empty(401)) };

	it.each<[string, string, Responder, Responder, (backbone: HttpBackbone) => Promise<unknown>]>([
		[
			'reading a token',
			`GET ${reading}`,
			result({ ...filled, expiresAt: createdAt }),
			notFound,
			(backbone) => backbone.tokens.get('TOK1'),
		],
		[
			'reading a locked token',
			`GET ${reading}`,
			result({ ...filled, expiresAt: createdAt }),
			problem(400, 'error.platform.token.tooManyFailedPasswordAttempts'),
			(backbone) => backbone.tokens.get('TOK1'),
		],
		[
			'creating a token',
			'POST /api/v2/Tokens',
			result(created, 201),
			problem(400, 'error.platform.validation.invalidPropertyValue'),
			(backbone) => backbone.tokens.create({ content: 'AAAA', expiresAt: createdAt }),
		],
		[
			'creating a challenge',
			'POST /api/v2/Challenges',
			result({ ...challenge, createdBy: address, createdByDevice: 'DVC1' }, 201),
			result({ ...challenge, createdBy: null, createdByDevice: null }, 201),
			(backbone) => backbone.challenges.create(),
		],
	])('is noticed and renewed: %s', async (_what, route, known, stranger, call) => {
		await open(inTurn(granted('old'), granted('new')), {
			...probing,
			[route]: byToken(known, stranger),
		});
		const backbone = server.connect();
		expect(await call(backbone)).toMatchObject({ id: expect.any(String) as string });
		const path = route.split(' ')[1] ?? '';
		const used = server.calls(path).map(({ headers }) => headers.authorization);
		expect(used).toEqual(['Bearer old', 'Bearer new']);
		expect(server.calls(probe).map(({ headers }) => headers.authorization)).toEqual(['Bearer old']);
		expect(server.calls(tokenPath)).toHaveLength(2);
		// From now on nothing more than the call itself.
		await call(backbone);
		expect(server.calls(path)).toHaveLength(3);
		expect(server.calls(probe)).toHaveLength(1);
	});

	it.each<[string, Responder]>([
		['is taken', result({ version: 1 })],
		['is taken before there is a datawallet', notFound],
		['cannot be tested', (_request, response) => response.socket?.destroy()],
	])('is not renewed, and the call not repeated, when it %s', async (_what, probed) => {
		await open(granted('good'), { [`GET ${probe}`]: probed, [`GET ${reading}`]: notFound });
		const error = await failureOf(server.connect().tokens.get('TOK1'));
		expect(error.code).toBe('error.runtime.recordNotFound');
		// A second try with a wrong password would count as a second failure.
		expect(server.calls(reading)).toHaveLength(1);
		expect(server.calls(tokenPath)).toHaveLength(1);
	});

	it('is put to the test for no anonymous call', async () => {
		await open(granted('good'), { ...probing, [`GET ${reading}`]: notFound });
		await failureOf(server.connect().tokens.get('TOK1', { anonymous: true }));
		expect(server.calls(probe)).toEqual([]);
		expect(server.calls(tokenPath)).toEqual([]);
	});

	it('says why when there is no other', async () => {
		await open(inTurn(granted('old'), refused()), { ...probing, [`GET ${reading}`]: notFound });
		const error = await failureOf(server.connect().tokens.get('TOK1'));
		expect(error.code).toBe('error.transport.request.noAuthGrant');
	});
});

describe('a token endpoint that gives no token', () => {
	const grant = 'error.transport.request.noAuthGrant';
	const possible = 'error.transport.request.noAuthPossible';

	it.each<[string, Responder, string, string]>([
		['wrong password', refused(), grant, 'forbidden'],
		['locked device', refused('access_denied'), grant, 'forbidden'],
		[
			'invalid request in the envelope',
			problem(400, 'error.platform.validation.authentication.invalidOAuthRequest'),
			grant,
			'forbidden',
		],
		['400 of something else', empty(400), grant, 'unavailable'],
		['404', empty(404), grant, 'unavailable'],
		['500', empty(500), grant, 'unavailable'],
		['202', empty(202), grant, 'unavailable'],
		['wrong client', refused('invalid_client', 401), possible, 'forbidden'],
		['401 without a body', empty(401), possible, 'forbidden'],
		['403', empty(403), possible, 'unavailable'],
		['503', empty(503), possible, 'unavailable'],
		[
			'a cut connection',
			(_request, response) => response.socket?.destroy(),
			possible,
			'unavailable',
		],
		['200 without a token', json(200, { expires_in: 5 }), possible, 'unavailable'],
		['200 with HTML', raw(200, '<html>', 'text/html'), possible, 'unavailable'],
		['a token with a line break', granted('a\r\nx: y'), possible, 'unavailable'],
	])('because of %s', async (_name, responder, code, kind) => {
		await open(responder);
		const error = await failureOf(server.connect().authentication.verify());
		expect(error).toMatchObject({ code, kind });
		expect(JSON.stringify(error)).not.toMatch(/the-client-secret|the-device-password/);
	});

	it('in time', async () => {
		await open(() => undefined);
		const error = await failureOf(server.connect({ timeoutMs: 50 }).authentication.verify());
		expect(error.code).toMatch(/noAuthPossible|request\.aborted/);
	});

	it('is not asked again and again with a password that it refused', async () => {
		const clock = new ManualClock(1_000_000);
		await open(refused());
		const backbone = server.connect({ clock });
		for (let i = 0; i < 5; i++) {
			expect((await failureOf(backbone.identities.self())).code).toBe(grant);
		}
		expect(server.calls(tokenPath)).toHaveLength(1);
		clock.advance(10 * 60_000);
		await failureOf(backbone.identities.self());
		expect(server.calls(tokenPath)).toHaveLength(2);
	});

	it('is asked at once with another password', async () => {
		await open(inTurn(refused(), granted('t')));
		const backbone = server.connect();
		await failureOf(backbone.identities.self());
		backbone.authentication.use({ username: 'USRme', password: 'the right one' });
		await expect(backbone.identities.self()).resolves.toEqual({ address });
	});

	it('while renewing after a 401 decides the error', async () => {
		await open(inTurn(granted('t'), refused()), { 'GET /api/v2/Identities/Self': empty(401) });
		const error = await failureOf(server.connect().identities.self());
		expect(error.code).toBe(grant);
	});

	describe('because the identity was deleted', () => {
		const question = '/api/v2/Identities/IsDeleted';
		const answering = (state: object) => ({ [`GET ${question}`]: result(state) });
		const deletionDate = '2030-01-15T00:00:00.000Z';

		it.each([
			[
				{ isDeleted: true, deletionDate },
				{ sent: false, deletionDate },
			],
			[{ isDeleted: true, deletionDate: null }, { sent: false }],
		])('says so: %j', async (state, facts) => {
			await open(refused(), answering(state));
			const backbone = server.connect();
			for (let i = 0; i < 3; i++) {
				expect(await failureOf(backbone.identities.self())).toMatchObject({
					code: 'error.gateway.identity.deleted',
					kind: 'forbidden',
					facts,
				});
			}
			expect(server.calls(tokenPath)).toHaveLength(1);
			const [call, ...more] = server.calls(question);
			expect(call?.query.get('username')).toBe('USRme');
			expect(call?.headers).not.toHaveProperty('authorization');
			expect(more).toEqual([]);
		});

		it.each<[string, Responder, Record<string, Responder>]>([
			['it lives', refused(), answering({ isDeleted: false, deletionDate: null })],
			[
				'the Backbone cannot say',
				refused(),
				{ [`GET ${question}`]: raw(200, '<html>', 'text/html') },
			],
			['the device is locked', refused('access_denied'), answering({ isDeleted: true })],
		])('is not said when %s', async (_, token, more) => {
			await open(token, more);
			expect((await failureOf(server.connect().identities.self())).code).toBe(grant);
		});

		it('is not asked for a wrong client', async () => {
			await open(refused('invalid_client', 401), answering({ isDeleted: true }));
			await failureOf(server.connect().identities.self());
			expect(server.calls(question)).toEqual([]);
		});
	});

	it('says how long a locked device stays locked', async () => {
		await open(refused('access_denied'));
		const error = await failureOf(server.connect().authentication.verify());
		expect(error.remedy).toContain('ten minutes');
	});
});

describe('checking the client with an invented user', () => {
	it.each<[string, Responder, string, RegExp]>([
		['invalid_grant', refused(), 'clientAccepted', /accepts client ID and client secret/],
		['access_denied', refused('access_denied'), 'clientAccepted', /accepts/],
		[
			'invalid_client',
			refused('invalid_client', 401),
			'clientRefused',
			/Client ID or client secret is wrong/,
		],
		[
			'invalid_client with 400',
			refused('invalid_client', 400),
			'clientRefused',
			/Client ID or client secret is wrong/,
		],
		['401 without a body', empty(401), 'clientRefused', /client ID or client secret/],
		['404', empty(404), 'other', /Check the Backbone address/],
		['HTML', raw(200, '<html>', 'text/html'), 'other', /something else may answer/],
		['503', empty(503), 'other', /503/],
		['another error', refused('unsupported_grant_type'), 'other', /unsupported_grant_type/],
		[
			'a redirect',
			empty(301, { location: 'https://other.example/' }),
			'other',
			/https:\/\/other\.example/,
		],
		['a cut connection', (_request, response) => response.socket?.destroy(), 'unreachable', /cut/],
	])('judges %s', async (_name, responder, verdict, message) => {
		await open(responder);
		const judged = await server.connect().authentication.checkClient();
		expect(judged.verdict).toBe(verdict);
		expect(judged.message).toMatch(message);
		expect(judged.message).not.toMatch(/the-client-secret|\n/);
	});

	it('never uses the device of the account', async () => {
		await open(refused());
		await server.connect().authentication.checkClient();
		const form = new URLSearchParams(server.calls(tokenPath)[0]?.body);
		expect(form.get('username')).toMatch(/^USR[A-Za-z0-9]{17}$/);
		expect(form.get('password')).not.toBe('the-device-password');
	});

	it('judges a Backbone that cannot be reached', async () => {
		await open(refused());
		const { baseUrl } = server;
		await server.close();
		await open(refused());
		const judged = await server.connect({ baseUrl }).authentication.checkClient();
		expect(judged).toMatchObject({ verdict: 'unreachable' });
		expect(judged.message).toContain('ECONNREFUSED');
	});

	it('rejects only when the caller gives up', async () => {
		const abort = new AbortController();
		await open(() => abort.abort(new Error('gave up')));
		await expect(
			server.connect().authentication.checkClient({ signal: abort.signal }),
		).rejects.toThrow('gave up');
	});
});
