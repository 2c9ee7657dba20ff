import jsQR from 'jsqr';
import { PNG } from 'pngjs';
import { judged, type Gateway, type TokenDto } from '../../../core';
import { encodeBase64Url } from '../../../core/base/encoding';
import { failureOf } from '../../core/backbone/fixture-server';
import { arrivals, inOneHour, relate, SandboxNetwork, settle } from '../../support/gateways';
import { readSvg } from '../../support/qr-codes';

let network: SandboxNetwork;
let a: Gateway;
let b: Gateway;

beforeAll(async () => {
	network = await SandboxNetwork.open();
	a = await network.gateway();
	b = await network.gateway();
});

afterAll(() => network.close());

const notFound = 'error.runtime.recordNotFound';
const invalidInput = 'error.runtime.validation.invalidPropertyValue';
const invalidContent = 'error.runtime.invalidTokenContent';

const create = (more: object = {}): Promise<TokenDto> =>
	a.tokens.create({ content: { any: 'json', n: 1 }, expiresAt: inOneHour(), ...more });

const load = (token: TokenDto, more: object = {}, gateway = b): Promise<TokenDto> =>
	gateway.tokens.loadPeer({ reference: token.truncatedReference, ...more });

const rowOf = (id: string) => {
	const row = network.backbone.state.tokens.get(id);
	if (row === undefined) throw new Error(`The sandbox has no token ${id}`);
	return row;
};

const tokenCalls = (): number => network.backbone.calls.count('GET', /\/Tokens\//);

describe('a token', () => {
	it('carries its content to every holder of its reference', async () => {
		const own = await create();
		const { address } = await a.account.getIdentity();
		expect(own).toMatchObject({
			isOwn: true,
			isEphemeral: false,
			createdBy: address,
			content: { any: 'json', n: 1 },
		});
		expect(await a.tokens.get(own.id)).toEqual(own);
		const peers = await load(own);
		expect(peers).toEqual({ ...own, isOwn: false });
		expect(await b.tokens.get(own.id)).toEqual(peers);
		expect(JSON.stringify(rowOf(own.id))).not.toContain('json');
	});

	it('that is ephemeral is not kept, on either side', async () => {
		const own = await create({ ephemeral: true });
		expect(own.isEphemeral).toBe(true);
		expect((await failureOf(a.tokens.get(own.id))).code).toBe(notFound);
		const peers = await load(own, { ephemeral: true });
		expect(peers).toEqual({ ...own, isOwn: false });
		expect((await failureOf(b.tokens.get(own.id))).code).toBe(notFound);
		expect(await load(own, {}, a)).toEqual({ ...own, isEphemeral: false });
	});

	it('that is kept is not asked for again, not even to be shown as ephemeral', async () => {
		const own = await create();
		const peers = await load(own);
		network.backbone.calls.clear();
		expect(await load(own)).toEqual(peers);
		expect(await load(own, { ephemeral: true })).toEqual(peers);
		expect(tokenCalls()).toBe(0);
	});

	it('is listed by its creator', async () => {
		const own = await create({ expiresAt: '2090-01-01T00:00:00.000Z' });
		const peers = await load(own);
		const where = [
			{ field: 'expiresAt', op: 'eq', value: own.expiresAt },
			{ field: 'isOwn', op: 'eq', value: false },
		] as const;
		expect(await b.tokens.list({ where })).toEqual([peers]);
		expect(await a.tokens.list({ where })).toEqual([]);
	});

	it.each([
		[{ content: 'text' }, invalidContent],
		[{ content: [] }, invalidContent],
		[{ content: { '@type': 'NoSuchType' } }, invalidContent],
		[{ content: { '@type': 'Mail', to: [] } }, invalidContent],
		[{ content: { '@type': 'TokenContentFile', fileId: 'FIL1' } }, invalidContent],
		[{ expiresAt: '2020-01-01T00:00:00.000Z' }, invalidInput],
		[{ expiresAt: undefined }, invalidInput],
		[{ ephemeral: 'yes' }, invalidInput],
		[{ forIdentity: 'stranger' }, invalidInput],
		[{ passwordProtection: { password: '' } }, invalidInput],
		[{ passwordProtection: { password: 'abc', passwordIsPin: true } }, invalidInput],
		[{ other: 1 }, invalidInput],
	])('is not made with %j', async (change, code) => {
		expect((await failureOf(create(change))).code).toBe(code);
	});

	it.each([
		[
			{
				'@type': 'Mail',
				to: ['did:e:localhost:dids:0123456789abcdef012345'],
				subject: 's',
				body: 'b',
			},
		],
		[{ '@type': 'TokenContentDeviceSharedSecret', sharedSecret: { id: 'DVC1', password: 'p' } }],
		[{}],
	])('carries %j', async (content) => {
		expect((await load(await create({ content }))).content).toMatchObject(content);
	});

	it('has a QR code, also when it is not kept', async () => {
		const own = await create({ ephemeral: true });
		for (const [format, text] of [
			['reference', `nmshd://tr#${own.truncatedReference}`],
			['link', own.reference.url],
		] as const) {
			const image = PNG.sync.read(
				Buffer.from(await b.tokens.qrCode(own.truncatedReference, format)),
			);
			expect(jsQR(new Uint8ClampedArray(image.data), image.width, image.height)?.data).toBe(text);
			expect(readSvg(await b.tokens.qrCodeSvg(own.truncatedReference, format)).text).toBe(text);
		}
		expect((await failureOf(a.tokens.qrCode(own.id, 'link'))).code).toBe(notFound);
		expect((await failureOf(a.tokens.qrCodeSvg(own.id, 'link'))).code).toBe(notFound);
		const kept = await create();
		expect(Buffer.from(await a.tokens.qrCode(kept.id, 'link'))).toEqual(
			Buffer.from(await b.tokens.qrCode(kept.reference.url, 'link')),
		);
	}, 60_000);
});

describe('a protected token', () => {
	it('needs its password, which is shown to both sides', async () => {
		const own = await create({
			passwordProtection: { password: 'pw', passwordLocationIndicator: 'Email' },
		});
		expect(own.passwordProtection).toEqual({
			password: 'pw',
			passwordLocationIndicator: 'Email',
		});
		expect((await failureOf(load(own))).code).toBe('error.transport.noPasswordProvided');
		expect((await failureOf(load(own, { password: 'no' }))).code).toBe(notFound);
		const peers = await load(own, { password: 'pw' });
		expect(peers).toEqual({ ...own, isOwn: false });
		// Also for a token that is kept; then the password is not compared any more.
		expect((await failureOf(load(own))).code).toBe('error.transport.noPasswordProvided');
		expect(await load(own, { password: 'whatever' })).toEqual(peers);
	});

	it('is opened by a reference of newer software that carries the password', async () => {
		const own = await create({ passwordProtection: { password: 'a&b' } });
		const text = Buffer.from(own.truncatedReference, 'base64url').toString();
		const reference = encodeBase64Url(Buffer.from(`${text}&&a&b`));
		expect(await b.tokens.loadPeer({ reference })).toMatchObject({ id: own.id });
	});

	it('is locked after too many wrong passwords', async () => {
		const own = await create({ passwordProtection: { password: 'pw' } });
		rowOf(own.id).failures = 99;
		const code = 'error.platform.token.tooManyFailedPasswordAttempts';
		expect((await failureOf(load(own, { password: 'no' }))).code).toBe(code);
		expect((await failureOf(load(own, { password: 'pw' }))).code).toBe(code);
		// The event that tells its creator needs no action.
		expect((await arrivals(a)).pendingFailures).toEqual([]);
	});
});

describe('a personal token', () => {
	it('is refused to others before the Backbone is asked, and anonymously', async () => {
		const { address } = await b.account.getIdentity();
		const own = await create({ forIdentity: address });
		const c = await network.gateway();
		network.backbone.calls.clear();
		const reference = own.truncatedReference;
		for (const call of [load(own, {}, c), b.tokens.loadAnonymous({ reference })]) {
			expect((await failureOf(call)).code).toBe('error.transport.general.notIntendedForYou');
		}
		expect(tokenCalls()).toBe(0);
		expect(await load(own)).toEqual({ ...own, isOwn: false });
	});
});

describe('loading anonymously', () => {
	it('keeps nothing and owns nothing', async () => {
		const own = await create({ passwordProtection: { password: 'pw' } });
		const reference = own.truncatedReference;
		const without = await failureOf(a.tokens.loadAnonymous({ reference }));
		expect(without.code).toBe('error.transport.noPasswordProvided');
		const shown = await a.tokens.loadAnonymous({ reference, password: 'pw' });
		expect(shown).toEqual({ ...own, isOwn: false, isEphemeral: true });
		const fresh = await network.gateway();
		await fresh.tokens.loadAnonymous({ reference, password: 'pw' });
		expect(await fresh.tokens.list()).toEqual([]);
	});
});

describe('a hostile Backbone', () => {
	it.each([
		['another token', { id: 'TOKaaaaaaaaaaaaaaaaa' }, 'error.transport.tokens.invalidTokenContent'],
		[
			'content without a creator',
			{ createdBy: null },
			'error.transport.tokens.invalidTokenContent',
		],
		['other content', { content: 'AAAA' }, 'error.crypto.wrongSerializedBuffer'],
		['no content', { content: null }, 'error.transport.tokens.emptyToken'],
		['empty content', { content: '' }, 'error.transport.tokens.emptyToken'],
	])('answers with %s, and nothing is kept', async (_, change, code) => {
		const own = await create();
		const { password: _password, allocations: _a, failures: _f, ...row } = rowOf(own.id);
		network.backbone.faults.add({
			method: 'GET',
			path: /Tokens/,
			action: { kind: 'status', status: 200, body: { result: { ...row, ...change } } },
		});
		expect((await failureOf(load(own))).code).toBe(code);
		expect((await failureOf(b.tokens.get(own.id))).code).toBe(notFound);
	});
});

describe('deleting a token', () => {
	it('of our own deletes it for everybody, of a peer only here', async () => {
		const own = await create();
		await load(own);
		await b.tokens.delete(own.id);
		expect((await failureOf(b.tokens.get(own.id))).code).toBe(notFound);
		expect(await load(own)).toMatchObject({ id: own.id });
		await a.tokens.delete(own.id);
		expect(network.backbone.state.tokens.has(own.id)).toBe(false);
		expect((await failureOf(a.tokens.delete(own.id))).code).toBe(notFound);
	});

	it('that is gone from the Backbone already works', async () => {
		const own = await create();
		network.backbone.state.tokens.delete(own.id);
		await a.tokens.delete(own.id);
		expect((await failureOf(a.tokens.get(own.id))).code).toBe(notFound);
	});

	it('whose answer was lost is finished by the next sync', async () => {
		const own = await create();
		network.backbone.faults.add({
			method: 'DELETE',
			path: /Tokens/,
			times: 20,
			action: { kind: 'cutBefore' },
		});
		expect((await failureOf(a.tokens.delete(own.id))).kind).toBe('unavailable');
		network.backbone.faults.clear();
		await settle(a);
		expect((await failureOf(a.tokens.get(own.id))).code).toBe(notFound);
		expect(network.backbone.state.tokens.has(own.id)).toBe(false);
	});

	it('comes with leaving the relationship, for the ones of the peer', async () => {
		const c = await network.gateway();
		const { relationshipId } = await relate(a, c);
		const [own, peers] = [
			await c.tokens.create({ content: {}, expiresAt: inOneHour() }),
			await create(),
		];
		await load(peers, {}, c);
		await c.relationships.terminate(relationshipId);
		await c.relationships.decompose(relationshipId);
		expect(await c.tokens.list()).toEqual([own]);
	});
});

describe('a token for a template', () => {
	const passwordCode = 'error.runtime.relationshipTemplates.passwordProtectionMustBeInherited';
	const forIdentityCode = 'error.runtime.relationshipTemplates.personalizationMustBeInherited';
	const template = (more: object = {}) =>
		a.templates.create({
			content: { '@type': 'ArbitraryRelationshipTemplateContent', value: 'Hello' },
			expiresAt: inOneHour(),
			...more,
		});

	it('leads to it, is not kept, and lives as long as the template', async () => {
		const own = await template();
		const token = await a.templates.createToken(own.id);
		expect(token).toMatchObject({ isEphemeral: true, expiresAt: own.expiresAt });
		const loaded = await b.templates.loadPeer({ reference: token.reference.url });
		expect(loaded).toMatchObject({ id: own.id, content: own.content });
		// A token that is kept is not asked for again.
		await b.tokens.loadPeer({ reference: token.truncatedReference });
		network.backbone.calls.clear();
		await b.templates.loadPeer({ reference: token.truncatedReference });
		expect(tokenCalls()).toBe(0);
	});

	it('takes over who the template is for and what protects it', async () => {
		const { address } = await b.account.getIdentity();
		const passwordProtection = { password: '4711', passwordIsPin: true as const };
		const own = await template({ forIdentity: address, passwordProtection });
		const failures: ReadonlyArray<readonly [object, string]> = [
			[{ passwordProtection }, forIdentityCode],
			[{ passwordProtection, forIdentity: own.createdBy }, forIdentityCode],
			[{ forIdentity: address }, passwordCode],
			[{ forIdentity: address, passwordProtection: { password: '4711' } }, passwordCode],
			[
				{
					forIdentity: address,
					passwordProtection: { ...passwordProtection, passwordLocationIndicator: 'SMS' },
				},
				passwordCode,
			],
		];
		for (const [input, code] of failures) {
			expect((await failureOf(a.templates.createToken(own.id, judged(input)))).code).toBe(code);
		}
		const token = await a.templates.createToken(own.id, {
			forIdentity: address,
			passwordProtection,
		});
		const reference = token.truncatedReference;
		expect(await b.templates.loadPeer({ reference, password: '4711' })).toMatchObject({
			id: own.id,
			passwordProtection,
		});
	});

	it('is made by the owner of the template only', async () => {
		const own = await template();
		await b.templates.loadPeer({ reference: own.truncatedReference });
		const failure = await failureOf(b.templates.createToken(own.id));
		expect(failure.code).toBe(
			'error.runtime.relationshipTemplates.cannotCreateTokenForPeerTemplate',
		);
		const unknown = await failureOf(a.templates.createToken('RLTaaaaaaaaaaaaaaaaa'));
		expect(unknown.code).toBe(notFound);
	});

	it('of another kind, or empty, leads to no template', async () => {
		const other = await create();
		const reference = other.truncatedReference;
		expect((await failureOf(b.templates.loadPeer({ reference }))).code).toBe(invalidContent);
		Object.assign(rowOf(other.id), { content: null });
		expect((await failureOf(b.templates.loadPeer({ reference }))).code).toBe(
			'error.transport.tokens.emptyToken',
		);
	});
});

// shows generation-7 11: empty tokens
describe('an empty token', () => {
	it('is not there yet, is filled once, and then belongs to the identity that filled it', async () => {
		const own = await create({ ephemeral: true });
		const row = rowOf(own.id);
		Object.assign(row, { content: null, createdBy: null, createdByDevice: null });
		const reference = own.truncatedReference;
		expect((await failureOf(a.tokens.loadPeer({ reference }))).code).toBe(
			'error.transport.tokens.emptyToken',
		);
		const filled = await b.tokens.fill({ reference, content: { for: 'the device' } });
		expect(filled).toMatchObject({
			id: own.id,
			isOwn: true,
			isEphemeral: true,
			content: { for: 'the device' },
		});
		expect(await load(own, {}, a)).toMatchObject({
			isOwn: false,
			content: { for: 'the device' },
			createdBy: filled.createdBy,
		});
		const again = await failureOf(a.tokens.fill({ reference, content: { other: 1 } }));
		expect(again.code).toBe(
			'error.platform.token.contentUpdateNotPossibleBecauseContentAlreadyExists',
		);
		expect(await b.tokens.fill({ reference, content: { for: 'the device' } })).toEqual(filled);
	});
});

describe('when the Backbone does not take the access token any more', () => {
	const notTaken = (): void => network.backbone.revokeAccessTokens();

	it('a token is created as before', async () => {
		notTaken();
		const own = await create();
		expect(rowOf(own.id).createdBy).toBe((await a.account.getIdentity()).address);
	});

	it('a token for us is still shown to us', async () => {
		const { address } = await b.account.getIdentity();
		const own = await create({ forIdentity: address });
		notTaken();
		expect(await load(own)).toMatchObject({ id: own.id, content: own.content });
	});

	it('a wrong password is tried once', async () => {
		const own = await create({ passwordProtection: { password: 'right' } });
		expect((await failureOf(load(own, { password: 'wrong' }))).code).toBe(notFound);
		expect(rowOf(own.id).failures).toBe(1);
	});

	it('a challenge is ours', async () => {
		const { address } = await a.account.getIdentity();
		notTaken();
		const challenge = await a.challenges.create({ challengeType: 'Identity' });
		expect(challenge.createdBy).toBe(address);
	});
});
