import {
	type Api,
	bytes,
	type RawAccount,
	type RawAnswer,
	RuleBench,
	sandboxOf,
	unknownId,
} from './support/raw-client';
import { uploadFile } from './support/upload';

/* Rules of docs/protocol/backbone-api.md 16 and 17, over both versions of the API. */
const refusal = ({ status, code }: RawAnswer): string => `${status} ${code}`;
const notFound = '404 error.platform.recordNotFound';
const forbidden = '403 error.platform.forbidden';
const invalidValue = '400 error.platform.validation.invalidPropertyValue';
const inMs = (ms: number): string => new Date(Date.now() + ms).toISOString();
const wrongToken = 'A'.repeat(20);

describe.each(['v1', 'v2'] as const)('over %s', (api: Api) => {
	let bench: RuleBench;
	let owner: RawAccount;
	let other: RawAccount;

	beforeAll(async () => {
		bench = await RuleBench.open();
		owner = await bench.account(api);
		other = await bench.account(api);
	});

	afterAll(() => bench.close());

	const upload = (change: Record<string, string> = {}, content = 'cipher') =>
		uploadFile(owner, change, content);

	const uploaded = async (): Promise<{ id: string; ownershipToken: string }> =>
		(await upload()).result as { id: string; ownershipToken: string };

	describe('a file', () => {
		it.each([
			['an expiry in the past', { expiresAt: inMs(-1_000) }],
			['a hash over 128 bytes', { cipherHash: bytes(129) }],
			['a signature over 512 bytes', { ownerSignature: bytes(513) }],
			['properties over 1 MiB', { encryptedProperties: bytes(1024 * 1024 + 1) }],
		])('with %s is refused', async (_, change) => {
			expect(refusal(await upload(change))).toBe(invalidValue);
		});

		it('without content is refused, and so is a form that is none', async () => {
			expect((await upload({}, '')).status).toBe(400);
			const headers = { 'content-type': 'multipart/form-data; boundary=x' };
			expect(refusal(await owner.call('POST', 'Files', 'nonsense', headers))).toBe(
				'400 error.platform.inputCannotBeParsed',
			);
		});

		it('discloses its ownership token to the uploader, and never again', async () => {
			const { id, ownershipToken } = await uploaded();
			expect(ownershipToken).toMatch(/^[A-Za-z0-9!@#$%^&*()_\-+=<>?/{}[\]\\|~]{20}$/);
			const seen = await other.call('GET', `Files/${id}/metadata`);
			expect(seen.result).toMatchObject({
				id,
				owner: owner.address,
				createdBy: owner.address,
				ownershipIsLocked: false,
				cipherSize: 6,
				deletedAt: null,
			});
			expect(seen.result).not.toHaveProperty('ownershipToken');
		});

		it('that is unknown or over is not found', async () => {
			const { id } = await uploaded();
			Object.assign(sandboxOf(bench).state.files.get(id) ?? {}, { expiresAt: inMs(-1) });
			for (const gone of [id, unknownId('FIL')]) {
				expect(refusal(await owner.call('GET', `Files/${gone}`))).toBe(notFound);
				expect(refusal(await owner.call('GET', `Files/${gone}/metadata`))).toBe(notFound);
				expect(refusal(await owner.call('DELETE', `Files/${gone}`))).toBe(notFound);
			}
		});

		it('is listed for its creator, and deleted by its creator, also when another identity owns it', async () => {
			const { id, ownershipToken } = await uploaded();
			const claim = `Files/${id}/ClaimOwnership`;
			expect((await other.call('PATCH', claim, { ownershipToken })).status).toBe(200);
			expect((await owner.call('GET', `Files?ids=${id}`)).body).toMatchObject({
				result: [{ id, owner: other.address }],
			});
			expect((await other.call('GET', `Files?ids=${id}`)).body).toMatchObject({ result: [] });
			expect(refusal(await other.call('DELETE', `Files/${id}`))).toBe(forbidden);
			expect((await owner.call('DELETE', `Files/${id}`)).status).toBe(204);
		});

		it('is handed over once with its token', async () => {
			const { id, ownershipToken } = await uploaded();
			const path = (name: string): string => `Files/${id}/${name}`;
			const own = await owner.call('PATCH', path('ClaimOwnership'), { ownershipToken });
			expect(refusal(own)).toBe('400 error.platform.validation.file.cannotClaimOwnershipOfOwnFile');
			const odd = await other.call('PATCH', path('ClaimOwnership'), { ownershipToken: 'ä' });
			expect(refusal(odd)).toBe(invalidValue);
			const asked = await other.call('POST', path('ValidateOwnershipToken'), { ownershipToken });
			expect(asked.result).toEqual({ isValid: true });
			await owner.sync();
			const claimed = await other.call('PATCH', path('ClaimOwnership'), { ownershipToken });
			const { newOwnershipToken } = claimed.result;
			expect(newOwnershipToken).not.toBe(ownershipToken);
			expect(await owner.sync()).toMatchObject([
				{
					type: 'FileOwnershipClaimed',
					payload: { fileId: id, newOwnerAddress: other.address },
				},
			]);
			expect(refusal(await owner.call('PATCH', path('RegenerateOwnershipToken')))).toBe(forbidden);
		});

		it('is locked permanently by a wrong token of a stranger: a new token is stored nowhere', async () => {
			const { id, ownershipToken } = await uploaded();
			const path = (name: string): string => `Files/${id}/${name}`;
			await owner.sync();
			const mistaken = { ownershipToken: wrongToken };
			const byOwner = await owner.call('POST', path('ValidateOwnershipToken'), mistaken);
			expect(byOwner.result).toEqual({ isValid: false });
			expect(await owner.sync()).toEqual([]);
			await other.call('POST', path('ValidateOwnershipToken'), mistaken);
			expect(refusal(await other.call('PATCH', path('ClaimOwnership'), { ownershipToken }))).toBe(
				forbidden,
			);
			expect(await owner.sync()).toMatchObject([
				{ type: 'FileOwnershipLocked', payload: { fileId: id } },
			]);
			const { newOwnershipToken } = (await owner.call('PATCH', path('RegenerateOwnershipToken')))
				.result;
			for (const token of [ownershipToken, newOwnershipToken]) {
				const claim = { ownershipToken: token };
				expect(refusal(await other.call('PATCH', path('ClaimOwnership'), claim))).toBe(forbidden);
			}
		});

		it('tells its owner twice of a wrong claim', async () => {
			const { id } = await uploaded();
			await owner.sync();
			await other.call('PATCH', `Files/${id}/ClaimOwnership`, { ownershipToken: wrongToken });
			const told = { type: 'FileOwnershipLocked', payload: { fileId: id } };
			expect(await owner.sync()).toMatchObject([told, told]);
		});

		it('keeps its token when a new one is asked for', async () => {
			const { id, ownershipToken } = await uploaded();
			const renewed = await owner.call('PATCH', `Files/${id}/RegenerateOwnershipToken`);
			expect(renewed.result['newOwnershipToken']).not.toBe(ownershipToken);
			const isValid = async (token: unknown) =>
				(await owner.call('POST', `Files/${id}/ValidateOwnershipToken`, { ownershipToken: token }))
					.result['isValid'];
			expect(await isValid(renewed.result['newOwnershipToken'])).toBe(false);
			expect(await isValid(ownershipToken)).toBe(true);
		});
	});

	describe('a token', () => {
		const create = (more: object = {}) =>
			owner.call('POST', 'Tokens', { content: bytes(9), expiresAt: inMs(60_000), ...more });

		const anonymously = (method: string, path: string, body?: unknown) =>
			bench.call(method, `/api/${api}/${path}`, body);

		it.each([
			['an expiry in the past', { expiresAt: inMs(-1_000) }, invalidValue],
			['no expiry', { expiresAt: undefined }, '400 error.platform.inputCannotBeParsed'],
			['content over 10 MiB', { content: bytes(10 * 1024 * 1024 + 1) }, invalidValue],
			['a password over 200 bytes', { password: bytes(201) }, invalidValue],
			['a stranger address', { forIdentity: 'did:e:nonsense' }, invalidValue],
		])('with %s is refused', async (_, change, expected) => {
			expect(refusal(await create(change))).toBe(expected);
		});

		it('made anonymously is empty and short-lived', async () => {
			const post = (body: object) => anonymously('POST', 'Tokens', body);
			expect(refusal(await post({ content: bytes(9), expiresAt: inMs(60_000) }))).toBe(
				invalidValue,
			);
			expect(refusal(await post({ expiresAt: inMs(6 * 60_000) }))).toBe(invalidValue);
			const { result, status } = await post({ expiresAt: inMs(60_000), password: 'AAAA' });
			expect(status).toBe(201);
			const id = String(result['id']);
			const empty = await anonymously('GET', `Tokens/${id}?password=AAAA`);
			expect(empty.result).toMatchObject({
				content: null,
				createdBy: null,
				createdByDevice: null,
				isPasswordProtected: true,
			});
			const fill = (password: string) =>
				other.call('POST', `Tokens/${id}/UpdateContent`, { newContent: bytes(9), password });
			expect(refusal(await fill('BBBB'))).toBe(notFound);
			expect((await fill('AAAA')).result).toMatchObject({ id, createdBy: other.address });
			expect(refusal(await fill('AAAA'))).toBe(
				'400 error.platform.token.contentUpdateNotPossibleBecauseContentAlreadyExists',
			);
		});

		it('is read by its intended reader, who then needs no password and no time any more', async () => {
			const { result } = await create({ password: 'AAAA', forIdentity: other.address });
			const id = String(result['id']);
			const path = `Tokens/${id}`;
			const stranger = await bench.account(api);
			expect(refusal(await stranger.call('GET', `${path}?password=AAAA`))).toBe(notFound);
			expect(refusal(await anonymously('GET', `${path}?password=AAAA`))).toBe(notFound);
			expect(refusal(await other.call('GET', path))).toBe(notFound);
			expect((await other.call('GET', `${path}?password=AAAA`)).status).toBe(200);
			Object.assign(sandboxOf(bench).state.tokens.get(id) ?? {}, { expiresAt: inMs(-1) });
			expect((await other.call('GET', path)).status).toBe(200);
			expect((await owner.call('GET', path)).status).toBe(200);
		});

		it('is listed for its creator and its readers, and at least one has to be named', async () => {
			const id = String((await create()).result['id']);
			const list = async (account: RawAccount) =>
				(await account.call('GET', `Tokens?ids=${id}`)).body;
			expect(await list(owner)).toMatchObject({ result: [{ id }] });
			expect(await list(other)).toMatchObject({ result: [] });
			await other.call('GET', `Tokens/${id}`);
			expect(await list(other)).toMatchObject({ result: [{ id }] });
			expect(refusal(await owner.call('GET', 'Tokens'))).toBe(invalidValue);
		});

		it('is deleted by its creator only', async () => {
			const path = `Tokens/${String((await create()).result['id'])}`;
			expect(refusal(await other.call('DELETE', path))).toBe(forbidden);
			expect((await anonymously('DELETE', path)).status).toBe(401);
			expect((await owner.call('DELETE', path)).status).toBe(204);
			expect(refusal(await owner.call('DELETE', path))).toBe(notFound);
		});
	});
});
