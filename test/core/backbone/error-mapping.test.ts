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

const path = '/api/v2/Identities/Self';
let server: FixtureServer;

async function ask(responder: Responder, options = {}) {
	server = await FixtureServer.open({ [`GET ${path}`]: responder });
	return failureOf(server.connect(options).identities.self());
}

afterEach(() => server.close());

describe('an answer that is not a success', () => {
	it.each<[string, Responder, string, string]>([
		[
			'400 with envelope keeps the code',
			problem(400, 'error.platform.validation.invalidPropertyValue'),
			'error.platform.validation.invalidPropertyValue',
			'invalid',
		],
		[
			'400 about a state is a conflict',
			problem(400, 'error.platform.validation.relationship.relationshipIsNotInCorrectStatus'),
			'error.platform.validation.relationship.relationshipIsNotInCorrectStatus',
			'conflict',
		],
		[
			'400 with a bare validator name',
			problem(400, 'PredicateValidator'),
			'PredicateValidator',
			'invalid',
		],
		[
			'404 with envelope',
			problem(404, 'error.platform.recordNotFound'),
			'error.runtime.recordNotFound',
			'notFound',
		],
		[
			'500 with envelope',
			problem(500, 'error.platform.unexpected'),
			'error.platform.unexpected',
			'unavailable',
		],
		[
			'200 with an error object',
			problem(200, 'error.platform.odd'),
			'error.platform.odd',
			'invalid',
		],
		[
			'a datawallet that is too new',
			problem(400, 'error.platform.validation.datawallet.insufficientSupportedDatawalletVersion'),
			'error.transport.datawallet.insufficientSupportedDatawalletVersion',
			'conflict',
		],
		['400 without envelope', empty(400), 'error.transport.request.badRequest', 'invalid'],
		['404 without envelope', empty(404), 'error.transport.request.notFound', 'notFound'],
		['500 without envelope', empty(500), 'error.transport.request.resultUndefined', 'unavailable'],
		[
			'500 with a page of HTML',
			raw(500, '<html>', 'text/html'),
			'error.transport.request.resultUndefined',
			'unavailable',
		],
		[
			'400 with a page of HTML',
			raw(400, '<html>', 'text/html'),
			'error.transport.request.badRequest',
			'unavailable',
		],
		[
			'403 with a page of HTML',
			raw(403, '<html>', 'text/html; charset=utf-8'),
			'error.platform.forbidden',
			'unavailable',
		],
		[
			'404 with a page of HTML',
			raw(404, '<html>', 'text/html'),
			'error.transport.request.notFound',
			'unavailable',
		],
		[
			'403 with envelope',
			problem(403, 'error.platform.odd'),
			'error.platform.forbidden',
			'forbidden',
		],
		['403 without envelope', empty(403), 'error.platform.forbidden', 'forbidden'],
		['405', empty(405), 'error.platform.unexpected', 'unavailable'],
		[
			'409 with envelope',
			problem(409, 'error.platform.odd'),
			'error.platform.unexpected',
			'unavailable',
		],
		['413', empty(413), 'error.platform.unexpected', 'unavailable'],
		[
			'429 with envelope',
			problem(429, 'error.platform.quotaExhausted'),
			'error.platform.quotaExhausted',
			'unavailable',
		],
		['503', empty(503), 'error.platform.unexpected', 'unavailable'],
		['401 twice', empty(401), 'error.platform.unauthorized', 'forbidden'],
	])('%s', async (_name, responder, code, kind) => {
		const error = await ask(responder);
		expect(error).toMatchObject({ name: 'GatewayError', code, kind });
	});

	it('without envelope on a paged list is a bad request', async () => {
		server = await FixtureServer.open();
		const error = await failureOf(server.connect().messages.list(['MSG1']));
		expect(error.code).toBe('error.transport.request.badRequest');
	});

	it('keeps the code that the mapping hides, and when the quota is renewed', async () => {
		const error = await ask(
			problem(429, 'error.platform.quotaExhausted', 'no more', [
				{ metricKey: 'NumberOfTokens', isExhaustedUntil: '2026-02-01T00:00:00.0000000Z' },
				{ metricKey: 'NumberOfSentMessages', isExhaustedUntil: '2026-03-01T00:00:00.0000000Z' },
			]),
		);
		expect(error.facts).toMatchObject({
			status: 429,
			platformCode: 'error.platform.quotaExhausted',
			isExhaustedUntil: '2026-03-01T00:00:00.0000000Z',
			metricKeys: ['NumberOfTokens', 'NumberOfSentMessages'],
		});
	});

	it('has the words of the Backbone on one bounded line, without our secrets', async () => {
		const said = `wrong\n\u001b[31mthe-client-secret the-device-password token-1 ${'x'.repeat(5_000)}`;
		const error = await ask(problem(400, 'error.platform.odd', said));
		expect(error.message).toContain('GET /Identities/Self');
		expect(error.message).toContain('[redacted] [redacted] [redacted] xxx');
		expect(error.message).not.toContain('\n');
		expect(error.message).not.toContain('\u001b');
		expect(error.message.length).toBeLessThan(500);
		expect(JSON.stringify(error)).not.toMatch(/the-client-secret|the-device-password|token-1/);
	});

	it('has no code that is not one', async () => {
		const error = await ask(problem(400, 'drop table; <b>'));
		expect(error.code).toBe('error.transport.request.badRequest');
	});

	it('stays that error however long its body is', async () => {
		const error = await ask(problem(403, 'error.platform.forbidden', 'x'.repeat(1_000_000)));
		expect(error.code).toBe('error.platform.forbidden');
	});

	it.each([
		[
			'http://elsewhere.example/api/v2/Identities/Self?token=1',
			'http://elsewhere.example/api/v2/Identities/Self',
		],
		['/login', '/login'],
	])('is not followed to %s', async (location, place) => {
		const error = await ask(empty(302, { location }));
		expect(error.code).toBe('error.gateway.backbone.redirected');
		expect(error.message).toContain(place);
		expect(error.message).not.toContain('token=1');
		expect(server.calls(path)).toHaveLength(1);
	});
});

describe('a success that is not usable', () => {
	const identity = { address: 'did:e:localhost:dids:0ad7aa581a7ffe0155968e' };

	it.each<[string, Responder, string]>([
		['no JSON', raw(200, '{"result":'), 'error.transport.request.resultUndefined'],
		[
			'HTML',
			raw(200, '<html>sign in</html>', 'text/html'),
			'error.transport.request.resultUndefined',
		],
		['an empty body', raw(200, ''), 'error.transport.request.resultUndefined'],
		['204', empty(204), 'error.transport.request.resultUndefined'],
		['no result', json(200, {}), 'error.transport.request.resultUndefined'],
		['result null', json(200, { result: null }), 'error.transport.request.resultUndefined'],
		['result false', json(200, { result: false }), 'error.transport.request.resultUndefined'],
		[
			'an array around it',
			json(200, [{ result: identity }]),
			'error.transport.request.resultUndefined',
		],
		['a result of another type', result('text'), 'error.gateway.backbone.unexpectedAnswer'],
		['a member of another type', result({ address: 1 }), 'error.gateway.backbone.unexpectedAnswer'],
		[
			'a member that is missing',
			result({ createdAt: '2026' }),
			'error.gateway.backbone.unexpectedAnswer',
		],
		[
			'an address of 10,000 characters',
			result({ address: `did:e:${'a'.repeat(10_000)}` }),
			'error.gateway.backbone.unexpectedAnswer',
		],
		[
			'more than a mebibyte',
			result({ ...identity, x: 'x'.repeat(1_100_000) }),
			'error.gateway.backbone.answerTooLarge',
		],
	])('%s', async (_name, responder, code) => {
		const error = await ask(responder);
		expect(error).toMatchObject({ code, kind: 'unavailable' });
	});

	it('is bounded also when its length is not announced', async () => {
		let written = 0;
		const error = await ask((_request, response) => {
			response.writeHead(200, { 'content-type': 'application/json' });
			const more = (): void => {
				if (response.destroyed) return;
				written += 65_536;
				response.write('x'.repeat(65_536), () => setImmediate(more));
			};
			more();
		});
		expect(error.code).toBe('error.gateway.backbone.answerTooLarge');
		expect(written).toBeLessThan(32 * 1024 * 1024);
	});

	it('names the place that does not fit', async () => {
		const error = await ask(result({ address: 1 }));
		expect(error.facts).toMatchObject({ place: 'result.address' });
	});

	it.each([
		['as it is', '{"result":{"address":"A","__proto__":{"status":"Active"}}}'],
		['with escapes', '{"result":{"address":"A","\\u005f_proto\\u005F_":{"status":"Active"}}}'],
	])('gives no member through __proto__ written %s', async (_name, text) => {
		server = await FixtureServer.open({
			[`GET ${path}`]: raw(200, text.replace('"A"', JSON.stringify(identity.address))),
		});
		const self = await server.connect().identities.self();
		expect(self.status).toBeUndefined();
		expect(Object.keys(self)).toEqual(['address']);
		expect(({} as Record<string, unknown>).status).toBeUndefined();
	});

	it('may have members that we do not know', async () => {
		server = await FixtureServer.open({ [`GET ${path}`]: result({ ...identity, future: [1] }) });
		await expect(server.connect().identities.self()).resolves.toEqual(identity);
	});
});

describe('a connection that fails', () => {
	it('because nothing listens is told with its cause', async () => {
		server = await FixtureServer.open();
		const { baseUrl } = server;
		await server.close();
		server = await FixtureServer.open();
		const error = await failureOf(server.connect({ baseUrl }).identities.self());
		expect(error).toMatchObject({ code: 'error.transport.request.unknown', kind: 'unavailable' });
		expect(error.message).toContain('ECONNREFUSED');
	});

	it('because the host is unknown has its own code', async () => {
		server = await FixtureServer.open();
		const backbone = server.connect({ baseUrl: 'http://no-such-host.invalid' });
		const error = await failureOf(backbone.version.get());
		expect(error.code).toBe('error.transport.request.addressNotFound');
	});

	it('because encryption is not spoken there says so and is not repeated', async () => {
		server = await FixtureServer.open();
		const backbone = server.connect({ baseUrl: server.baseUrl.replace('http:', 'https:') });
		const error = await failureOf(backbone.version.get());
		expect(error.code).toBe('error.transport.request.unknown');
		expect(error.message).toContain('encrypted connection');
		expect(error.facts).not.toHaveProperty('attempts');
	});

	it('because it is cut mid-body', async () => {
		const error = await ask((_request, response) => {
			response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
			response.write('{"result":{');
			setImmediate(() => response.destroy());
		});
		expect(error).toMatchObject({ code: 'error.transport.request.unknown', kind: 'unavailable' });
		expect(error.facts).toMatchObject({ attempts: 3 });
	});

	it('because it is cut before the answer', async () => {
		const error = await ask((_request, response) => response.socket?.destroy());
		expect(error.code).toBe('error.transport.request.unknown');
	});
});

describe('time', () => {
	it('runs out at the deadline when no answer comes', async () => {
		const error = await ask(() => undefined, { timeoutMs: 50 });
		expect(error).toMatchObject({ code: 'error.transport.request.aborted', kind: 'unavailable' });
	});

	it('runs out at the deadline when the body never ends', async () => {
		const error = await ask(
			(_request, response) => {
				response.writeHead(200, { 'content-type': 'application/json' });
				response.write('{"result":');
			},
			{ timeoutMs: 50 },
		);
		expect(error.code).toBe('error.transport.request.aborted');
	});

	it('ends with the reason of the caller who gives up', async () => {
		const abort = new AbortController();
		const reason = new Error('the user cancelled');
		server = await FixtureServer.open({ [`GET ${path}`]: () => abort.abort(reason) });
		const { signal } = abort;
		await expect(server.connect().identities.self({ signal })).rejects.toBe(reason);
	});

	it('is not spent on a call that was cancelled before', async () => {
		server = await FixtureServer.open();
		const signal = AbortSignal.abort(new Error('before'));
		await expect(server.connect().identities.self({ signal })).rejects.toThrow('before');
		expect(server.seen).toHaveLength(0);
	});

	it('ends for every call under way when the client is closed', async () => {
		server = await FixtureServer.open({ [`GET ${path}`]: () => void backbone.close() });
		const backbone = server.connect();
		const error = await failureOf(backbone.identities.self());
		expect(error.code).toBe('error.gateway.backbone.closed');
		expect((await failureOf(backbone.identities.self())).code).toBe(
			'error.gateway.backbone.closed',
		);
	});
});

describe('a clock that is wrong', () => {
	const hourAgo = () => new Date(Date.now() - 3_600_000).toUTCString();

	it('is told when a fresh token is refused', async () => {
		const error = await ask(empty(401, { date: hourAgo() }));
		expect(error.message).toMatch(/clock of this machine is 3[56]\d\d s ahead/);
		expect(error.facts).toHaveProperty('clockSkewMs');
	});

	it('is told when an expiry is rejected', async () => {
		const twoHoursAhead =
			(answer: Responder): Responder =>
			(request, response) => {
				response.setHeader('date', new Date(Date.now() + 7_200_000).toUTCString());
				answer(request, response);
			};
		server = await FixtureServer.open({
			'POST /api/v2/Tokens': twoHoursAhead(
				problem(400, 'error.platform.validation.invalidPropertyValue'),
			),
			// Asked whether the access token is taken at all.
			'GET /api/v2/Datawallet': twoHoursAhead(result({ version: 1 })),
		});
		const backbone = server.connect();
		const error = await failureOf(
			backbone.tokens.create({ content: 'AAAA', expiresAt: '2026-01-01T00:00:00.000Z' }),
		);
		expect(error.message).toMatch(/clock of this machine is 7[12]\d\d s behind/);
		expect(backbone.clockSkewMs).toBeGreaterThan(7_100_000);
	});

	it('is not mentioned when it is right', async () => {
		const error = await ask(empty(401));
		expect(error.message).not.toContain('clock');
	});
});

describe('a repeat', () => {
	const identity = { address: 'did:e:localhost:dids:0ad7aa581a7ffe0155968e' };
	const cut: Responder = (_request, response) => response.socket?.destroy();

	it.each<[string, Responder]>([
		['a cut connection', cut],
		['502', empty(502)],
		['503 with Retry-After', empty(503, { 'retry-after': '0' })],
		['429 with Retry-After', empty(429, { 'retry-after': '0' })],
	])('of a GET heals %s', async (_name, failure) => {
		server = await FixtureServer.open({ [`GET ${path}`]: inTurn(failure, result(identity)) });
		await expect(server.connect().identities.self()).resolves.toEqual(identity);
	});

	it('is given up after three attempts', async () => {
		const error = await ask(empty(503));
		expect(error.facts).toMatchObject({ attempts: 3 });
		expect(server.calls(path)).toHaveLength(3);
	});

	it('is not made when the Backbone wants to be left alone for long', async () => {
		const error = await ask(empty(503, { 'retry-after': '3600' }));
		expect(error.facts).toMatchObject({ retryAfterMs: 3_600_000 });
		expect(server.calls(path)).toHaveLength(1);
	});

	it.each<[string, Responder]>([
		['a cut connection', cut],
		['503', empty(503)],
		['500', empty(500)],
	])('of sending a message is not made after %s', async (_name, failure) => {
		server = await FixtureServer.open({ 'POST /api/v2/Messages': failure });
		const body = { recipients: [], body: 'AAAA', attachments: [] };
		await failureOf(server.connect().messages.send(body));
		expect(server.calls('/api/v2/Messages')).toHaveLength(1);
	});

	it('of sending a message is made when the Backbone refused it unseen', async () => {
		const sent = { id: 'MSG1', createdAt: '2026-01-31T12:00:00.000Z' };
		server = await FixtureServer.open({
			'POST /api/v2/Messages': inTurn(empty(429, { 'retry-after': '0' }), result(sent, 201)),
		});
		const body = { recipients: [], body: 'AAAA', attachments: [] };
		await expect(server.connect().messages.send(body)).resolves.toEqual(sent);
	});

	it('of a deletion whose answer was lost is a success when the object is gone', async () => {
		server = await FixtureServer.open({
			'DELETE /api/v2/RelationshipTemplates/RLT1': inTurn(
				cut,
				problem(404, 'error.platform.recordNotFound'),
			),
		});
		await expect(server.connect().templates.delete('RLT1')).resolves.toBeUndefined();
	});

	it('is not what makes a first deletion of nothing a success', async () => {
		server = await FixtureServer.open({
			'DELETE /api/v2/RelationshipTemplates/RLT1': problem(404, 'error.platform.recordNotFound'),
		});
		const error = await failureOf(server.connect().templates.delete('RLT1'));
		expect(error.code).toBe('error.runtime.recordNotFound');
	});
});
