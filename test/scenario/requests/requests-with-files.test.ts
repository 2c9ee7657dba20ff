import type { Gateway } from '../../../core';
import { inOneHour, relate, SandboxNetwork, settle } from '../../support/gateways';
import { loosely } from '../../support/loosely';

jest.setTimeout(60_000);

const invalidItem = 'error.consumption.requests.invalidRequestItem';
const invalidParameters = 'error.consumption.requests.invalidAcceptParameters';

/* Files that change hands (docs/protocol/consumption.md 6.9), in the order of the recorded scene. */

// shows generation-7 8.7: paragraph 1
describe('a request that hands over a file', () => {
	let network: SandboxNetwork;
	let a: Gateway;
	let b: Gateway;
	let addressB: string;
	beforeEach(async () => {
		network = await SandboxNetwork.open();
		a = await network.gateway();
		b = await network.gateway();
		({ addressB } = await relate(a, b));
	});
	afterEach(() => network.close());

	const upload = async (by: Gateway, expiresAt?: string) => {
		const file = { filename: 'f.txt', mimetype: 'text/plain', title: 'f', tags: ['ft'] };
		const input = { ...file, ...(expiresAt === undefined ? {} : { expiresAt }) };
		const {
			id,
			reference,
			ownershipToken = '',
		} = await by.files.upload(input, Buffer.from('content'));
		return { id, fileReference: reference.truncated, ownershipToken };
	};

	const itemFor = (fileReference: string, ownershipToken?: string) => ({
		'@type': 'TransferFileOwnershipRequestItem' as const,
		mustBeAccepted: true,
		fileReference,
		...(ownershipToken === undefined ? {} : { ownershipToken }),
	});

	const sendingCode = async (item: object) => {
		const content = { items: [item] };
		const { items } = await a.outgoingRequests.validate({
			content: loosely(content),
			peer: addressB,
		});
		return items[0]?.code;
	};

	const ask = async (item: object): Promise<string> => {
		const content = { items: [item] };
		const request = await a.outgoingRequests.create({ content: loosely(content), peer: addressB });
		await a.messages.send({ recipients: [addressB], content: request.content });
		await settle(b);
		return request.id;
	};

	const yes = { items: [{ accept: true }] };
	const acceptanceCode = async (id: string) =>
		(await b.incomingRequests.canAccept(id, yes)).items[0]?.code;

	describe('can be sent', () => {
		it.each([
			['not when the file is unknown', (of: Gateway) => of],
			['not when it is loaded from another identity', (_of: Gateway, other: Gateway) => other],
		])('%s', async (_what, ownerOf) => {
			const stranger = await network.gateway();
			const owner = ownerOf(stranger, b);
			const { fileReference } = await upload(owner);
			if (owner === b) await a.files.getOrLoad({ reference: fileReference });
			expect(await sendingCode(itemFor(fileReference))).toBe(invalidItem);
		});

		it('not when the file has expired', async () => {
			const soon = new Date(Date.now() + 200).toISOString();
			const { fileReference } = await upload(a, soon);
			expect(await sendingCode(itemFor(fileReference))).toBeUndefined();
			await new Promise((resolve) => setTimeout(resolve, 250));
			expect(await sendingCode(itemFor(fileReference))).toBe(invalidItem);
		});

		it('with its own token, and not with another one', async () => {
			const { fileReference, ownershipToken } = await upload(a);
			expect(await sendingCode(itemFor(fileReference, 'bad'))).toBe(invalidItem);
			expect(await sendingCode(itemFor(fileReference, ownershipToken))).toBeUndefined();
		});
	});

	describe('can be accepted', () => {
		it('not when the file cannot be loaded', async () => {
			const { id, fileReference } = await upload(a);
			const requestId = await ask(itemFor(fileReference));
			await a.files.delete(id);
			expect(await acceptanceCode(requestId)).toBe(invalidParameters);
		});

		it('not when the file belongs to another identity by now', async () => {
			const { id, fileReference, ownershipToken } = await upload(a);
			const requestId = await ask(itemFor(fileReference));
			const other = await network.gateway();
			await other.files.getOrLoad({ reference: fileReference });
			await other.files.claimOwnership(id, ownershipToken);
			expect(await acceptanceCode(requestId)).toBe(invalidParameters);
		});

		it('not when this account owns the file already', async () => {
			const { id, fileReference, ownershipToken } = await upload(a);
			const requestId = await ask(itemFor(fileReference));
			await b.files.getOrLoad({ reference: fileReference });
			await b.files.claimOwnership(id, ownershipToken);
			expect(await acceptanceCode(requestId)).toBe(invalidParameters);
		});

		it('not with a token that is worthless by now, because a wrong one has locked the file', async () => {
			const { id, fileReference, ownershipToken } = await upload(a);
			const requestId = await ask(itemFor(fileReference, ownershipToken));
			const stranger = await network.gateway();
			await stranger.files.getOrLoad({ reference: fileReference });
			await stranger.files.validateOwnershipToken(id, 'wrong');
			expect(await acceptanceCode(requestId)).toBe(invalidItem);
			await expect(b.incomingRequests.accept(requestId, yes)).rejects.toMatchObject({
				code: 'error.runtime.unknown',
			});
			expect((await b.incomingRequests.get(requestId)).status).toBe('ManualDecisionRequired');
		});

		it('without a token, as a copy of our own', async () => {
			const { id, fileReference } = await upload(a);
			const requestId = await ask(itemFor(fileReference));
			await b.incomingRequests.accept(requestId, yes);
			await settle(a);
			const own = (await b.files.list()).filter(({ isOwn }) => isOwn);
			expect(own).toMatchObject([
				{ title: 'f', tags: ['ft'], expiresAt: '9999-12-31T00:00:00.000Z' },
			]);
			expect(own[0]?.id).not.toBe(id);
			const [file] = await a.attributes.list();
			expect(file?.content).toMatchObject({ owner: addressB, tags: ['ft'] });
			expect(await b.attributes.list()).toHaveLength(2);
		});

		it('with its token, and keeps its id', async () => {
			const { id, fileReference, ownershipToken } = await upload(a);
			const requestId = await ask(itemFor(fileReference, ownershipToken));
			await b.incomingRequests.accept(requestId, yes);
			expect(await b.files.get(id)).toMatchObject({ isOwn: true });
			await settle(a);
			expect(await a.files.get(id)).toMatchObject({ isOwn: false, owner: addressB });
			expect((await a.outgoingRequests.get(requestId)).status).toBe('Completed');
		});
	});

	it('goes on where it was interrupted after the file has changed hands', async () => {
		const { fileReference, ownershipToken } = await upload(a);
		const requestId = await ask(itemFor(fileReference, ownershipToken));
		// The claim arrives, its answer does not.
		network.backbone.faults.add({ path: /Claim/, times: 10, action: { kind: 'cutAfter' } });
		await expect(b.incomingRequests.accept(requestId, yes)).rejects.toMatchObject({
			kind: 'unavailable',
		});
		expect((await b.incomingRequests.get(requestId)).status).toBe('ManualDecisionRequired');
		network.backbone.faults.clear();
		await settle(b);
		expect((await b.incomingRequests.accept(requestId, yes)).status).toBe('Decided');
		expect((await b.incomingRequests.get(requestId)).status).toBe('Completed');
	});

	it('can come with a template', async () => {
		const stranger = await network.gateway();
		const { id, fileReference, ownershipToken } = await upload(a);
		const template = await a.templates.create({
			expiresAt: inOneHour(),
			content: {
				'@type': 'RelationshipTemplateContent',
				onNewRelationship: { items: [itemFor(fileReference, ownershipToken)] },
			},
		});
		await stranger.templates.loadPeer({ reference: template.truncatedReference });
		const [request] = await stranger.incomingRequests.list();
		await stranger.incomingRequests.accept(request?.id ?? '', yes);
		await settle(a);
		expect(await a.outgoingRequests.list()).toMatchObject([{ status: 'Completed' }]);
		expect(await a.files.get(id)).toMatchObject({ isOwn: false });
	});
});
