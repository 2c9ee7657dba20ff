import {
	empty,
	failureOf,
	FixtureServer,
	inTurn,
	json,
	problem,
	raw,
	result,
	type Responder,
} from './fixture-server';

let server: FixtureServer;

afterEach(() => server.close());

async function connect(v2: Responder, v1: Responder = empty(404)) {
	server = await FixtureServer.open({ 'GET /api/v2/Version': v2, 'GET /api/v1/Version': v1 });
	return server.connect();
}

const major = (majorVersion: unknown) => result({ majorVersion });

describe('finding out the version', () => {
	it.each<[string, Responder, Responder, number, string]>([
		['7 on v2', major('7'), empty(404), 7, 'v2'],
		['6 on v2', major('6'), major('6'), 6, 'v2'],
		['6 on v1 only', empty(404), major('6'), 6, 'v1'],
		['a number instead of a text', major(7), empty(404), 7, 'v2'],
	])('interface 9: point 3 | %s', async (_name, v2, v1, majorVersion, api) => {
		const backbone = await connect(v2, v1);
		await expect(backbone.version.get()).resolves.toEqual({ majorVersion, api });
	});

	it.each<[string, Responder, Responder, string]>([
		['too old', empty(404), major('5'), 'error.gateway.backbone.versionNotSupported'],
		['too new', major('8'), empty(404), 'error.gateway.backbone.versionNotSupported'],
	])('interface 9: point 3 | %s is refused', async (_name, v2, v1, code) => {
		const backbone = await connect(v2, v1);
		expect(await failureOf(backbone.version.get())).toMatchObject({ code, kind: 'invalid' });
	});

	/* A proxy may answer so while the Backbone is restarted: the calls behind it are worth another try. */
	it.each<[string, Responder, Responder]>([
		['unknown on both paths', empty(404), empty(404)],
		['a web site', raw(200, '<html>', 'text/html'), empty(404)],
		['JSON of something else', json(200, { ok: true }), empty(404)],
		['a version that is not a number', major('six'), empty(404)],
		['behind a sign-in', empty(403), empty(404)],
	])('%s is not a Backbone at present', async (_name, v2, v1) => {
		const backbone = await connect(v2, v1);
		expect(await failureOf(backbone.version.get())).toMatchObject({
			code: 'error.gateway.backbone.notABackbone',
			kind: 'unavailable',
			facts: { sent: false },
		});
	});

	it('says which versions fit', async () => {
		const backbone = await connect(major('8'));
		const error = await failureOf(backbone.version.get());
		expect(error.message).toContain('major version 8, which is too new: 6 to 7');
	});

	it('happens once for many callers', async () => {
		const backbone = await connect(major('7'));
		await Promise.all(Array.from({ length: 20 }, () => backbone.version.get()));
		await backbone.version.get();
		expect(server.seen).toHaveLength(1);
	});

	it('is tried anew after a failure', async () => {
		const backbone = await connect(inTurn(empty(503), empty(503), empty(503), major('7')));
		expect((await failureOf(backbone.version.get())).kind).toBe('unavailable');
		await expect(backbone.version.get()).resolves.toMatchObject({ majorVersion: 7 });
	});

	it('decides the path of all calls', async () => {
		const backbone = await connect(empty(404), major('6'));
		await failureOf(backbone.identities.isDeleted('USR1'));
		expect(server.seen.at(-1)?.path).toBe('/api/v1/Identities/IsDeleted');
	});

	it('keeps a path in front of the address', async () => {
		server = await FixtureServer.open({ 'GET /behind/api/v2/Version': major('7') });
		const backbone = server.connect({ baseUrl: `${server.baseUrl}/behind/` });
		await expect(backbone.version.get()).resolves.toMatchObject({ majorVersion: 7 });
	});

	it('is not stopped for others by one caller who gives up', async () => {
		const abort = new AbortController();
		const backbone = await connect((request, response) => {
			abort.abort(new Error('one gave up'));
			setImmediate(() => major('7')(request, response));
		});
		const [one, other] = await Promise.allSettled([
			backbone.version.get({ signal: abort.signal }),
			backbone.version.get(),
		]);
		expect(one.status).toBe('rejected');
		expect(other).toMatchObject({ status: 'fulfilled', value: { majorVersion: 7 } });
	});

	it('says so when a refused Backbone is asked something else', async () => {
		const backbone = await connect(problem(500, 'error.platform.unexpected'));
		expect((await failureOf(backbone.identities.self())).kind).toBe('unavailable');
		expect(server.calls('/api/v2/Identities/Self')).toHaveLength(0);
	});
});
