import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
	judged,
	tokenForTransfer,
	type EventName,
	type FileDto,
	type Gateway,
	type GatewayEvent,
} from '../../../core';
import type { FaultAction } from '../../../sandbox/faults';
import { failureOf } from '../../core/backbone/fixture-server';
import { arrivals, inOneHour, SandboxNetwork, settle } from '../../support/gateways';

let network: SandboxNetwork;
let a: Gateway;
let b: Gateway;

async function begin(majorVersion: 6 | 7): Promise<void> {
	network = await SandboxNetwork.open({ majorVersion });
	a = await network.gateway();
	b = await network.gateway();
}

beforeAll(() => begin(6));

afterAll(() => network.close());

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const described = { filename: 'a.txt', mimetype: 'text/plain' };
const notFound = 'error.runtime.recordNotFound';

const upload = (gateway: Gateway, text = 'hello', more: object = {}): Promise<FileDto> =>
	gateway.files.upload({ ...described, ...more }, bytes(text));

/** A file of `a` that `b` has loaded. */
async function shared(text = 'hello'): Promise<{ own: FileDto; peers: FileDto }> {
	const own = await upload(a, text);
	return { own, peers: await b.files.getOrLoad({ reference: own.truncatedReference }) };
}

const rowOf = (id: string) => {
	const row = network.backbone.state.files.get(id);
	if (row === undefined) throw new Error(`The sandbox has no file ${id}`);
	return row;
};

const fileCalls = (): string[] =>
	network.backbone.calls.entries
		.map(({ method, path }) => `${method} ${path}`)
		.filter((call) => call.includes('/Files'));

const neverValid = 'AAAAAAAAAAAAAAAAAAAA';
const notRenewed = 'error.gateway.files.tokenNotRenewed';

/** The next new token of the file is stored and unlocks it, as Backbones before 6.54 did. */
function storingNewToken(id: string): void {
	const newOwnershipToken = `new${randomBytes(8).toString('hex')}`;
	Object.assign(rowOf(id), { ownershipToken: newOwnershipToken, ownershipIsLocked: false });
	network.backbone.faults.add({
		method: 'PATCH',
		path: /Regenerate/,
		action: { kind: 'status', status: 200, body: { result: { newOwnershipToken } } },
	});
}

const eventsOf = (gateway: Gateway, name: EventName): Promise<GatewayEvent[]> =>
	gateway.events.recent({ names: [name] }, 100);

describe('an uploaded file', () => {
	it('is described as its owner said, and read by every holder of its reference', async () => {
		const expiresAt = inOneHour();
		const own = await upload(a, 'hello', {
			title: 'T',
			description: 'D',
			tags: ['x', 'y'],
			expiresAt,
		});
		const { address } = await a.account.getIdentity();
		const common = {
			filename: 'a.txt',
			mimetype: 'text/plain',
			filesize: 5,
			title: 'T',
			description: 'D',
			tags: ['x', 'y'],
			expiresAt,
			owner: address,
			createdBy: address,
		};
		expect(own).toMatchObject({ ...common, isOwn: true, ownershipToken: expect.any(String) });
		for (const reference of [
			own.truncatedReference,
			own.reference.url,
			`nmshd://tr#${own.truncatedReference}`,
		]) {
			const peers = await b.files.getOrLoad({ reference });
			expect(peers).toMatchObject({ ...common, isOwn: false, reference: own.reference });
			expect(peers).not.toHaveProperty('ownershipToken');
		}
		const downloaded = await b.files.download(own.id);
		expect(Buffer.from(downloaded.content).toString()).toBe('hello');
		expect(downloaded).toMatchObject({ filename: 'a.txt', mimetype: 'text/plain' });
		expect(await a.files.get(own.id)).toEqual(own);
	});

	it('has no end and an empty title unless told otherwise; without a name it goes by its id', async () => {
		const own = await upload(a, '', { filename: '' });
		expect(own).toMatchObject({ expiresAt: '9999-12-31T00:00:00.000Z', title: '', filesize: 0 });
		expect(await a.files.download(own.id)).toMatchObject({
			filename: own.id,
			content: new Uint8Array(),
		});
	});

	it('is never at the Backbone in clear, and each one has other keys', async () => {
		const one = await upload(a, 'a secret text');
		const two = await upload(a, 'a secret text');
		const rows = [rowOf(one.id), rowOf(two.id)];
		expect(JSON.stringify(rows)).not.toContain('secret');
		const { contents } = network.backbone.state;
		const [first, second] = rows.map(({ id }) => String(contents.get(id)));
		expect(first).not.toBe(second);
		expect(first).toMatch(/^\{"cph":".*","alg":3,"nnc":".{32}","@type":"CryptoCipher"\}$/);
	});

	it('comes from the disk in pieces as well', async () => {
		const content = randomBytes(300_000);
		const path = join(network.newFolder(), 'file.bin');
		writeFileSync(path, content);
		const own = await a.files.upload(described, { path });
		expect(own.filesize).toBe(content.length);
		expect(content.equals((await a.files.download(own.id)).content)).toBe(true);
		const missing = await failureOf(a.files.upload(described, { path: `${path}.no` }));
		expect(missing).toMatchObject({ code: 'error.gateway.files.unreadable' });
		expect(missing.message).not.toContain(path);
		const folder = await failureOf(a.files.upload(described, { path: network.newFolder() }));
		expect(folder.code).toBe('error.gateway.files.unreadable');
	});

	it('of the largest size goes up and down; beyond it, the limit is named', async () => {
		const largest = randomBytes(7_864_242);
		const own = await a.files.upload(described, largest);
		expect(largest.equals((await a.files.download(own.id)).content)).toBe(true);
		network.backbone.calls.clear();
		for (const [size, code] of [
			[7_864_243, 'error.transport.files.maxFileSizeExceeded'],
			[10_485_760, 'error.transport.files.maxFileSizeExceeded'],
			[10_485_761, 'error.runtime.validation.invalidPropertyValue'],
		] as const) {
			const failure = await failureOf(a.files.upload(described, new Uint8Array(size)));
			expect(failure.code).toBe(code);
			expect(failure.message).toContain('at most 7864242 fit');
		}
		expect(fileCalls()).toEqual([]);
	}, 30_000);

	it.each([
		[{}, 'filename'],
		[{ filename: 'a' }, 'mimetype'],
		[{ ...described, tags: ['x', 'x'] }, 'tags'],
		[{ ...described, tags: 'x' }, 'tags'],
		[{ ...described, expiresAt: '2020-01-01T00:00:00.000Z' }, 'expiresAt'],
		[{ ...described, expiresAt: 'tomorrow' }, 'expiresAt'],
		[{ ...described, other: 1 }, ''],
		['text', ''],
	])('is not made from %j', async (input, field) => {
		const failure = await failureOf(a.files.upload(judged(input), bytes('x')));
		expect(failure.code).toBe('error.runtime.validation.invalidPropertyValue');
		expect(failure).toMatchObject({ facts: { field } });
	});

	it('is found by what is said about it', async () => {
		const own = await upload(a, 'found', { title: 'To be found', tags: ['needle'] });
		const byTag = await a.files.list({ where: [{ field: 'tag', op: 'eq', value: 'needle' }] });
		expect(byTag).toEqual([own]);
		const byTitle = await a.files.list({
			where: [{ field: 'title', op: 'contains', value: 'BE FOUND' }],
		});
		expect(byTitle).toEqual([own]);
	});
});

describe("a peer's file", () => {
	it('that is known is not asked for again', async () => {
		const { own, peers } = await shared();
		network.backbone.calls.clear();
		expect(await b.files.getOrLoad({ reference: own.truncatedReference })).toEqual(peers);
		expect(fileCalls()).toEqual([]);
	});

	it('is read whole or not at all when its content was changed', async () => {
		const { own } = await shared();
		const { contents } = network.backbone.state;
		const original = contents.get(own.id) ?? Buffer.alloc(0);
		const respaced = original.toString().replace('"alg":3', '"alg": 3');
		contents.set(own.id, Buffer.from(respaced));
		const changed = await failureOf(b.files.download(own.id));
		expect(changed.code).toBe('error.transport.files.cipherMismatch');
		contents.set(own.id, Buffer.alloc(0));
		const empty = await failureOf(b.files.download(own.id));
		expect(empty.code).toBe('error.transport.files.cipherMismatch');
		contents.set(own.id, original);
		expect((await b.files.download(own.id)).content).toEqual(bytes('hello'));
	});

	it('is refused when the Backbone answers with another one, or with another description', async () => {
		const [one, two] = [await upload(a), await upload(a)];
		const metadata = (change: object): void =>
			void network.backbone.faults.add({
				path: /\/metadata$/,
				action: { kind: 'status', status: 200, body: { result: { ...rowOf(two.id), ...change } } },
			});
		const load = () => failureOf(b.files.getOrLoad({ reference: one.truncatedReference }));
		metadata({});
		expect((await load()).code).toBe('error.transport.files.invalidMetadata');
		metadata({ id: one.id });
		expect((await load()).code).toBe('error.crypto.encryption.decrypt');
		metadata({ id: null, encryptedProperties: '' });
		expect((await load()).code).toBe('error.crypto.wrongSerializedBuffer');
		expect(await b.files.list({ where: [{ field: 'isOwn', op: 'eq', value: true }] })).toEqual([]);
	});

	it.each([
		['no reference', 'error.runtime.validation.invalidPropertyValue'],
		[`VE9L${'A'.repeat(84)}`, 'error.core-types.invalidTruncatedReference'],
	])('does not stand behind %s', async (reference, code) => {
		expect((await failureOf(b.files.getOrLoad({ reference }))).code).toBe(code);
	});

	it('that is gone says so', async () => {
		const own = await upload(a);
		await a.files.delete(own.id);
		const failure = await failureOf(b.files.getOrLoad({ reference: own.truncatedReference }));
		expect(failure.code).toBe(notFound);
		for (const use of [
			() => a.files.get(own.id),
			() => a.files.download(own.id),
			() => a.files.delete(own.id),
			() => a.files.createToken(own.id),
			() => a.files.qrCode(own.id, 'link'),
			() => a.files.qrCodeSvg(own.id, 'link'),
			() => a.files.regenerateOwnershipToken(own.id),
			() => a.files.validateOwnershipToken(own.id, 'x'),
			() => a.files.claimOwnership(own.id, 'x'),
		]) {
			expect((await failureOf(use())).code).toBe(notFound);
		}
	});
});

describe('an upload that is repeated', () => {
	const uploads = (): number => network.backbone.calls.count('POST', /\/Files$/);
	const uploadOnce = (idempotencyKey: string, text = 'once'): Promise<FileDto> =>
		a.files.upload(described, bytes(text), { idempotencyKey });

	it('with its key gives the file of the first time', async () => {
		const before = uploads();
		const first = await uploadOnce('first');
		expect(await uploadOnce('first', 'something else')).toEqual(first);
		expect(first).not.toHaveProperty('idempotencyKey');
		expect(uploads() - before).toBe(1);
		const other = await uploadOnce('other');
		expect(other.id).not.toBe(first.id);
		expect((await upload(a)).id).not.toBe((await upload(a)).id);
		expect(uploads() - before).toBe(4);
	});

	it('by two at once gives both the same file', async () => {
		const [one, two] = await Promise.all([uploadOnce('race'), uploadOnce('race')]);
		expect(two).toEqual(one);
		expect(await a.files.get(one.id)).toEqual(one);
	});

	it('with its key is a new one when the file was deleted', async () => {
		const first = await uploadOnce('deleted');
		await a.files.delete(first.id);
		expect((await uploadOnce('deleted')).id).not.toBe(first.id);
	});

	it.each<[string, FaultAction]>([
		['lost', { kind: 'cutAfter' }],
		['unreadable', { kind: 'malformedBody' }],
	])('after an answer that was %s is told so, and succeeds', async (_, action) => {
		network.backbone.faults.add({ method: 'POST', path: /\/Files$/, action });
		const known = (await a.files.list()).length;
		expect(await failureOf(uploadOnce(action.kind))).toMatchObject({
			code: 'error.gateway.files.outcomeUnknown',
			kind: 'unavailable',
			remedy: expect.stringContaining('Upload the file again') as string,
		});
		expect(await a.files.list()).toHaveLength(known);
		const { id } = await uploadOnce(action.kind);
		expect((await a.files.download(id)).content).toEqual(bytes('once'));
		expect(await a.files.list()).toHaveLength(known + 1);
	});

	it('because it was refused says why', async () => {
		const action = { kind: 'status', status: 400, body: { error: { code: 'error.platform.x' } } };
		network.backbone.faults.add({
			method: 'POST',
			path: /\/Files$/,
			action: action as FaultAction,
		});
		expect((await failureOf(uploadOnce('refused'))).code).toBe('error.platform.x');
		await uploadOnce('refused');
	});
});

describe('deleting a file', () => {
	it('of our own deletes it for everybody, of a peer only here', async () => {
		const { own } = await shared();
		await b.files.delete(own.id);
		expect((await failureOf(b.files.get(own.id))).code).toBe(notFound);
		expect((await a.files.download(own.id)).content).toEqual(bytes('hello'));
		await a.files.delete(own.id);
		expect(network.backbone.state.files.has(own.id)).toBe(false);
	});

	it('whose answer was lost is finished by the next sync', async () => {
		const own = await upload(a);
		network.backbone.faults.add({
			method: 'DELETE',
			path: /Files/,
			times: 10,
			action: { kind: 'cutAfter' },
		});
		expect((await failureOf(a.files.delete(own.id))).kind).toBe('unavailable');
		expect(await a.files.get(own.id)).toEqual(own);
		network.backbone.faults.clear();
		await settle(a);
		expect((await failureOf(a.files.get(own.id))).code).toBe(notFound);
	});
});

describe('a token for a file', () => {
	it('leads to it, is not kept, and lives as long as the file', async () => {
		const own = await upload(a, 'behind a token', { expiresAt: inOneHour() });
		const token = await a.files.createToken(own.id);
		expect(token).toMatchObject({ isEphemeral: true, isOwn: true, expiresAt: own.expiresAt });
		expect(token.content).toMatchObject({ '@type': 'TokenContentFile', fileId: own.id });
		expect(await a.tokens.list()).toEqual([]);
		const peers = await b.files.getOrLoad({ reference: token.reference.url });
		expect(peers).toMatchObject({ id: own.id, isOwn: false });
		expect(await b.tokens.list()).toEqual([]);
	});

	it('can be protected by a PIN and be meant for one identity', async () => {
		const own = await upload(a);
		const { address } = await b.account.getIdentity();
		const token = await a.files.createToken(own.id, {
			forIdentity: address,
			passwordProtection: { password: '4711', passwordIsPin: true },
			ephemeral: false,
		});
		expect(await a.tokens.get(token.id)).toEqual(token);
		expect(token.passwordProtection).toEqual({ password: '4711', passwordIsPin: true });
		const reference = token.truncatedReference;
		const without = await failureOf(b.files.getOrLoad({ reference }));
		expect(without.code).toBe('error.transport.noPasswordProvided');
		const wrong = await failureOf(b.files.getOrLoad({ reference, password: '4712' }));
		expect(wrong.code).toBe(notFound);
		const c = await network.gateway();
		const stranger = await failureOf(c.files.getOrLoad({ reference, password: '4711' }));
		expect(stranger.code).toBe('error.transport.general.notIntendedForYou');
		expect(await b.files.getOrLoad({ reference, password: '4711' })).toMatchObject({ id: own.id });
	});

	it('of another kind leads to no file', async () => {
		const token = await a.tokens.create({ content: { any: 1 }, expiresAt: inOneHour() });
		const failure = await failureOf(b.files.getOrLoad({ reference: token.truncatedReference }));
		expect(failure.code).toBe('error.runtime.invalidTokenContent');
	});
});

describe.each([6, 7] as const)('the owner of a file, on a Backbone %s', (majorVersion) => {
	beforeAll(async () => {
		await network.close();
		await begin(majorVersion);
	});

	it('hands it over with the token, and both sides know', async () => {
		const { own } = await shared();
		const token = own.ownershipToken ?? '';
		expect(await b.files.validateOwnershipToken(own.id, token)).toBe(true);
		const claimed = await b.files.claimOwnership(own.id, token);
		const { address } = await b.account.getIdentity();
		expect(claimed).toMatchObject({ isOwn: true, owner: address, createdBy: own.createdBy });
		expect(claimed.ownershipToken).toBe(rowOf(own.id).ownershipToken);
		expect(await b.files.get(own.id)).toEqual(claimed);

		const { files } = await arrivals(a);
		const left = await a.files.get(own.id);
		expect(files).toEqual([left]);
		expect(left).toMatchObject({ isOwn: false, owner: address });
		expect(left).not.toHaveProperty('ownershipToken');
		const events = await eventsOf(a, 'transport.fileOwnershipClaimed');
		expect(events.map(({ data }) => data)).toEqual([left]);

		const failure = await failureOf(a.files.regenerateOwnershipToken(own.id));
		expect(failure.code).toBe('error.runtime.files.notOwnedByYou');
		if (majorVersion === 7) return;
		// Version 6 lets the creator delete a file, version 7 its owner.
		const byOwner = await failureOf(b.files.delete(own.id));
		expect(byOwner.code).toBe('error.platform.forbidden');
		expect(await b.files.get(own.id)).toEqual(claimed);
	});

	it('is told once of a wrong token, which locks the file permanently', async () => {
		const { own } = await shared();
		const failure = await failureOf(b.files.claimOwnership(own.id, neverValid));
		expect(failure.code).toBe('error.platform.forbidden');
		expect(await b.files.validateOwnershipToken(own.id, own.ownershipToken ?? '')).toBe(false);
		const { files } = await arrivals(a);
		const locked = await a.files.get(own.id);
		expect(files).toEqual([locked]);
		expect(locked).toEqual({ ...own, ownershipIsLocked: true });
		const events = await eventsOf(a, 'transport.fileOwnershipLocked');
		expect(events.map(({ data }) => data)).toEqual([locked]);

		expect((await failureOf(a.files.regenerateOwnershipToken(own.id))).code).toBe(notRenewed);
		expect(await a.files.get(own.id)).toEqual(locked);
	});

	it('keeps the former token when the Backbone does not store the new one', async () => {
		const { own } = await shared();
		const failure = await failureOf(a.files.regenerateOwnershipToken(own.id));
		expect(failure).toMatchObject({
			code: notRenewed,
			remedy: expect.stringContaining('stays valid') as string,
		});
		expect(await a.files.get(own.id)).toEqual(own);
		await b.files.claimOwnership(own.id, own.ownershipToken ?? '');
		await settle(a);
	});

	it('keeps a new token that the Backbone has stored, and is told of the next lock again', async () => {
		const { own } = await shared();
		await b.files.validateOwnershipToken(own.id, neverValid);
		await settle(a);
		storingNewToken(own.id);
		const renewed = await a.files.regenerateOwnershipToken(own.id);
		expect(renewed.ownershipToken).toBe(rowOf(own.id).ownershipToken);
		expect(renewed).toEqual({ ...own, ownershipToken: renewed.ownershipToken });
		expect(await a.files.get(own.id)).toEqual(renewed);
		await b.files.validateOwnershipToken(own.id, neverValid);
		await settle(a);
		const locks = (await eventsOf(a, 'transport.fileOwnershipLocked')).filter(
			({ data }) => (data as FileDto).id === own.id,
		);
		expect(locks).toHaveLength(2);
	});

	const lost: FaultAction = { kind: 'cutAfter' };

	it.each([
		['claimed the file', 'ClaimOwnership', 1],
		['claimed the file, and gets no answer at all', 'Ownership', 10],
	])('has no token after the answer with it was lost: b has %s', async (_, path, times) => {
		const { own } = await shared();
		network.backbone.faults.add({ method: 'PATCH', path: new RegExp(path), times, action: lost });
		const token = own.ownershipToken ?? '';
		await b.files.claimOwnership(own.id, token).catch(() => undefined);
		network.backbone.faults.clear();
		await settle(b);
		const claimed = await b.files.get(own.id);
		expect(claimed).toMatchObject({ isOwn: true });
		expect(claimed).not.toHaveProperty('ownershipToken');
		expect((await arrivals(b)).files).toEqual([]);
		expect(() => tokenForTransfer(claimed)).toThrow(
			expect.objectContaining({ code: 'error.gateway.files.ownershipTokenUnknown' }) as Error,
		);
		await settle(a);
		expect(await a.files.get(own.id)).toMatchObject({ isOwn: false });
	});

	it.each([
		['that is not stored, has the former one', false],
		['that is stored, has it', true],
	])('after a lost answer with a new token %s', async (_, isStored) => {
		const own = await upload(a);
		network.backbone.faults.add({
			method: 'PATCH',
			path: /Regenerate/,
			times: 10,
			action: lost,
		});
		expect((await failureOf(a.files.regenerateOwnershipToken(own.id))).kind).toBe('unavailable');
		network.backbone.faults.clear();
		if (isStored) storingNewToken(own.id);
		const { files } = await arrivals(a);
		const known = await a.files.get(own.id);
		expect(known.ownershipToken).toBe(rowOf(own.id).ownershipToken);
		expect(known.ownershipToken === own.ownershipToken).toBe(!isStored);
		expect(files).toEqual([known]);
		expect((await arrivals(a)).files).toEqual([]);
	});

	it('stays the same when the claim never arrived', async () => {
		const { own, peers } = await shared();
		network.backbone.faults.add({
			method: 'PATCH',
			path: /Claim/,
			times: 10,
			action: { kind: 'cutBefore' },
		});
		await b.files.claimOwnership(own.id, own.ownershipToken ?? '').catch(() => undefined);
		network.backbone.faults.clear();
		await settle(b);
		expect(await b.files.get(own.id)).toEqual(peers);
		expect(await a.files.get(own.id)).toEqual(own);
	});

	it('keeps the newest token when the file went there and back before a sync', async () => {
		const { own } = await shared();
		const claimed = await b.files.claimOwnership(own.id, own.ownershipToken ?? '');
		const back = await a.files
			.claimOwnership(own.id, claimed.ownershipToken ?? '')
			.catch((error: unknown) => error);
		// To us it is ours until the sync says otherwise, and the Backbone decides.
		expect(back).toMatchObject({ isOwn: true });
		await settle(a);
		expect(await a.files.get(own.id)).toMatchObject({
			isOwn: true,
			ownershipToken: rowOf(own.id).ownershipToken,
		});
	});

	it('of a deleted file is whom the event names', async () => {
		const { own } = await shared();
		await b.files.claimOwnership(own.id, own.ownershipToken ?? '');
		network.backbone.state.files.delete(own.id);
		await settle(a);
		const { address } = await b.account.getIdentity();
		expect(await a.files.get(own.id)).toMatchObject({ isOwn: false, owner: address });
	});
});
