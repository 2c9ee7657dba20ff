import {
	failureOf,
	FixtureServer,
	inTurn,
	problem,
	result,
	type Responder,
} from './fixture-server';

const root = '/api/v2/Files/FIL1';
const cut: Responder = (_request, response) => response.socket?.destroy();

describe('the ownership of a file', () => {
	let server: FixtureServer;

	afterEach(() => server.close());

	it('that is refused is told with what to do about it, and without the token', async () => {
		server = await FixtureServer.open({
			[`PATCH ${root}/ClaimOwnership`]: problem(403, 'error.platform.forbidden', 'not secretToken'),
		});
		const error = await failureOf(server.connect().files.claimOwnership('FIL1', 'secretToken'));
		expect(error).toMatchObject({ code: 'error.platform.forbidden', kind: 'forbidden' });
		expect(error.message).toContain('ownership token is wrong, or the file is locked');
		expect(error['remedy']).toContain('new ownership token');
		expect(JSON.stringify(error) + String(error.cause)).not.toContain('secretToken');
	});

	it('taken with a lost answer is claimed again and found to be taken', async () => {
		const code = 'error.platform.validation.file.cannotClaimOwnershipOfOwnFile';
		server = await FixtureServer.open({
			[`PATCH ${root}/ClaimOwnership`]: inTurn(cut, problem(400, code)),
		});
		const error = await failureOf(server.connect().files.claimOwnership('FIL1', 'token'));
		expect(error).toMatchObject({ code, kind: 'conflict', facts: { attempts: 2 } });
	});

	it('gets another token when the answer with the first one was lost', async () => {
		server = await FixtureServer.open({
			[`PATCH ${root}/RegenerateOwnershipToken`]: inTurn(
				cut,
				result({ newOwnershipToken: 'second' }),
			),
		});
		await expect(server.connect().files.regenerateOwnershipToken('FIL1')).resolves.toBe('second');
	});

	it.each<[string, unknown]>([
		['missing', {}],
		['too long', { newOwnershipToken: 'a'.repeat(1_001) }],
		['empty', { newOwnershipToken: '' }],
	])('is not taken with a token that is %s', async (_name, answer) => {
		server = await FixtureServer.open({ [`PATCH ${root}/ClaimOwnership`]: result(answer) });
		const error = await failureOf(server.connect().files.claimOwnership('FIL1', 'token'));
		expect(error.code).toBe('error.gateway.backbone.unexpectedAnswer');
	});

	it('is taken with a token of any characters', async () => {
		const newOwnershipToken = '!@#$%^&*()_-+=<>?/{}[]\\|~ ä';
		server = await FixtureServer.open({
			[`PATCH ${root}/ClaimOwnership`]: result({ newOwnershipToken }),
		});
		await expect(server.connect().files.claimOwnership('FIL1', 'token')).resolves.toBe(
			newOwnershipToken,
		);
	});

	it('is not judged by an answer that is neither yes nor no', async () => {
		server = await FixtureServer.open({
			[`POST ${root}/ValidateOwnershipToken`]: result({ isValid: 'yes' }),
		});
		const error = await failureOf(server.connect().files.validateOwnershipToken('FIL1', 'token'));
		expect(error.code).toBe('error.gateway.backbone.unexpectedAnswer');
	});
});
