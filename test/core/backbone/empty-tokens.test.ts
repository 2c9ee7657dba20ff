import {
	failureOf,
	FixtureServer,
	inTurn,
	problem,
	result,
	type Responder,
} from './fixture-server';

describe('filling an empty token', () => {
	const cut: Responder = (_request, response) => response.socket?.destroy();
	const path = 'POST /api/v2/Tokens/TOK1/UpdateContent';
	let server: FixtureServer;

	afterEach(() => server.close());

	it('with a lost answer is tried again and found to be done', async () => {
		const code = 'error.platform.token.contentUpdateNotPossibleBecauseContentAlreadyExists';
		server = await FixtureServer.open({ [path]: inTurn(cut, problem(400, code)) });
		const error = await failureOf(
			server.connect().tokens.updateContent('TOK1', { newContent: 'AAAA' }),
		);
		expect(error).toMatchObject({ code, kind: 'conflict', facts: { attempts: 2 } });
	});

	it('names who has filled it, or is not believed', async () => {
		const createdAt = '2026-01-31T12:00:00.000Z';
		const answer = { id: 'TOK1', createdBy: null, createdAt, expiresAt: createdAt };
		server = await FixtureServer.open({ [path]: result(answer) });
		const error = await failureOf(
			server.connect().tokens.updateContent('TOK1', { newContent: 'AAAA' }),
		);
		expect(error.code).toBe('error.gateway.backbone.unexpectedAnswer');
	});
});
