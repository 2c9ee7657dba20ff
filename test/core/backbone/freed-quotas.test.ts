import type { HttpBackbone } from '../../../core/backbone/http/http-backbone';
import { empty, failureOf, FixtureServer, inTurn, problem, result } from './fixture-server';

/* docs/protocol/backbone-api.md 18.4: counting lags behind, so what a deletion frees is free later. */

const process = { id: 'IDP1', status: 'Cancelled' };
const sent = { id: 'MSG1', createdAt: '2026-01-31T12:00:00.000Z' };
const token = { id: 'TOK1', createdAt: '2026-01-31T12:00:00.000Z' };
const inOneYear = new Date(Date.now() + 365 * 24 * 3_600_000).toISOString();

const exhausted = (metricKey: string, isExhaustedUntil = inOneYear) =>
	problem(429, 'error.platform.quotaExhausted', 'No more.', [{ metricKey, isExhaustedUntil }]);

let server: FixtureServer;
afterEach(() => server.close());

const createToken = (backbone: HttpBackbone) =>
	backbone.tokens.create({ content: 'AAAA', expiresAt: inOneYear });
const send = (backbone: HttpBackbone) =>
	backbone.messages.send({ recipients: [], body: 'AAAA', attachments: [] });

describe('a call that a quota refuses', () => {
	it('is made again after a deletion that has made room', async () => {
		server = await FixtureServer.open({
			'DELETE /api/v2/Tokens/TOK1': empty(204),
			'POST /api/v2/Tokens': inTurn(exhausted('NumberOfTokens'), result(token, 201)),
		});
		const backbone = server.connect();
		await backbone.tokens.delete('TOK1');
		await expect(createToken(backbone)).resolves.toMatchObject({ id: 'TOK1' });
	});

	it('is made again after the deletion of the identity was cancelled', async () => {
		server = await FixtureServer.open({
			'PUT /api/v2/Identities/Self/DeletionProcesses/IDP1/Cancel': result(process),
			'POST /api/v2/Messages': inTurn(exhausted('NumberOfSentMessages'), result(sent, 201)),
		});
		const backbone = server.connect();
		await backbone.deletionProcesses.cancel('IDP1');
		await expect(send(backbone)).resolves.toEqual(sent);
	});

	it('is made again when the Backbone names an end that is near', async () => {
		const soon = new Date(Date.now() + 500).toISOString();
		server = await FixtureServer.open({
			'POST /api/v2/Messages': inTurn(exhausted('NumberOfSentMessages', soon), result(sent, 201)),
		});
		await expect(send(server.connect())).resolves.toEqual(sent);
	});

	it('is not made again when nothing has made room, or something else has', async () => {
		server = await FixtureServer.open({
			'DELETE /api/v2/Tokens/TOK1': empty(204),
			'POST /api/v2/Messages': exhausted('NumberOfSentMessages'),
		});
		const backbone = server.connect();
		await failureOf(send(backbone));
		await backbone.tokens.delete('TOK1');
		expect(await failureOf(send(backbone))).toMatchObject({
			code: 'error.platform.quotaExhausted',
		});
		expect(server.calls('/api/v2/Messages')).toHaveLength(2);
	});

	it('is given up after a few tries, with the words of the Backbone', async () => {
		server = await FixtureServer.open({
			'DELETE /api/v2/Tokens/TOK1': empty(204),
			'POST /api/v2/Tokens': exhausted('NumberOfTokens'),
		});
		const backbone = server.connect();
		await backbone.tokens.delete('TOK1');
		expect(await failureOf(createToken(backbone))).toMatchObject({
			code: 'error.platform.quotaExhausted',
			facts: { status: 429, attempts: 3, isExhaustedUntil: inOneYear },
		});
	});

	it('says so also when the deadline passes while it waits for room', async () => {
		server = await FixtureServer.open({
			'DELETE /api/v2/Tokens/TOK1': empty(204),
			'POST /api/v2/Tokens': exhausted('NumberOfTokens'),
		});
		const backbone = server.connect({ timeoutMs: 500 });
		await backbone.tokens.delete('TOK1');
		expect(await failureOf(createToken(backbone))).toMatchObject({
			code: 'error.platform.quotaExhausted',
			facts: { isExhaustedUntil: inOneYear },
		});
	});
});
