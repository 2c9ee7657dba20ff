import type { Gateway } from '../../../core';
import { arrives, inOneHour, mailTo, relate, SandboxNetwork, settle } from '../../support/gateways';
import { until } from '../../support/until';

/*
 * The Backbone works its events off in several queues: they come in any order, late, and more than once,
 * also under another id (docs/protocol/backbone-api.md 12.1).
 */
jest.setTimeout(60_000);

const plain = { '@type': 'ArbitraryRelationshipTemplateContent' as const, value: 1 };
const creationContent = {
	'@type': 'ArbitraryRelationshipCreationContent' as const,
	value: 'Hello',
};
const deletionDate = '2031-01-01T00:00:00.000Z';

describe.each([6, 7] as const)('events of a Backbone %i', (majorVersion) => {
	let network: SandboxNetwork;
	let a: Gateway;
	let b: Gateway;

	beforeEach(async () => {
		// Kind: each test decides itself when which event comes.
		network = await SandboxNetwork.open({ behaviour: 'kind', majorVersion });
		a = await network.gateway();
		b = await network.gateway();
	});
	afterEach(() => network.close());

	const addressOf = async (gateway: Gateway): Promise<string> =>
		(await gateway.account.getIdentity()).address;
	const announced = async (gateway: Gateway, name: string): Promise<number> =>
		(await gateway.events.recent({ names: [name as never] }, 100)).length;
	const rowOf = (id: string) => {
		const row = network.backbone.state.relationships.get(id);
		if (row === undefined) throw new Error('The sandbox has no such relationship');
		return row;
	};

	/** `b` asks, `a` accepts; whether the acceptance is announced is up to the test. */
	async function acceptUnannounced(): Promise<{ relationshipId: string; addressOfB: string }> {
		const addressOfB = await addressOf(b);
		const { truncatedReference: reference } = await a.templates.create({
			expiresAt: inOneHour(),
			content: plain,
		});
		const { id: templateId } = await b.templates.loadPeer({ reference });
		const { id } = await b.relationships.create({ templateId, creationContent });
		await a.account.sync();
		network.backbone.queues.drop({ owner: addressOfB, type: 'RelationshipStatusChanged' });
		await a.relationships.accept(id);
		network.backbone.queues.restore();
		return { relationshipId: id, addressOfB };
	}

	it('applies messages that come before their relationship in the same sync', async () => {
		const { relationshipId, addressOfB } = await acceptUnannounced();
		await a.messages.send(mailTo(addressOfB, 'first'));
		await a.messages.send(mailTo(addressOfB, 'second'));
		network.backbone.events.add(addressOfB, 'RelationshipStatusChanged', { relationshipId });
		const report = await b.account.sync();
		expect(report.pendingFailures).toEqual([]);
		expect(report.messages).toHaveLength(2);
		expect(await announced(b, 'transport.messageReceived')).toBe(2);
	});

	it('applies a message at once when its relationship comes with a later sync', async () => {
		const { relationshipId, addressOfB } = await acceptUnannounced();
		await a.messages.send(mailTo(addressOfB));
		expect((await b.account.sync()).pendingFailures).toHaveLength(1);
		expect((await b.account.sync()).pendingFailures).toHaveLength(1);
		expect((await b.account.sync()).messages).toEqual([]);
		network.backbone.events.add(addressOfB, 'RelationshipStatusChanged', { relationshipId });
		const report = await b.account.sync();
		expect(report).toMatchObject({ pendingFailures: [], messages: [{ isOwn: false }] });
		expect(await b.account.getSyncStatus()).toMatchObject({ pendingEvents: 0, parkedEvents: [] });
	});

	it('delivers a message soon after its relationship can be had, however long the interval is', async () => {
		const { relationshipId, addressOfB } = await acceptUnannounced();
		await a.messages.send(mailTo(addressOfB));
		const follower = b.events.keepSynced({
			intervalMs: 600_000,
			push: false,
			onProblem: () => undefined,
		});
		await until(async () => (await b.account.getSyncStatus()).pendingEvents === 1);
		await new Promise((resolve) => setTimeout(resolve, 2_500));
		network.backbone.events.add(addressOfB, 'RelationshipStatusChanged', { relationshipId });
		network.backbone.queues.deliverAll();
		const readableAt = Date.now();
		await until(async () => (await announced(b, 'transport.messageReceived')) === 1, 5_000);
		expect(Date.now() - readableAt).toBeLessThan(1_900);
		follower.release();
	});

	it('takes the delivery of a message whose own sending has not ended', async () => {
		const { addressA, addressB } = await relate(a, b);
		const { faults, state, events } = network.backbone;
		faults.add({ method: 'POST', path: /Messages$/, action: { kind: 'cutAfter' } });
		await expect(a.messages.send(mailTo(addressB))).rejects.toThrow();
		await b.account.sync();
		const sent = [...state.messages.values()].at(-1);
		const restore = faults.add({
			method: 'GET',
			path: /Messages\?/,
			times: 100,
			action: { kind: 'status', status: 400, body: { error: { code: 'odd', message: 'Odd' } } },
		});
		events.add(addressA, 'MessageDelivered', { id: sent?.id });
		expect((await a.account.sync()).pendingFailures).toMatchObject([
			{ code: 'error.gateway.messages.deliveredTooEarly' },
		]);
		restore();
		await until(async () => {
			await a.account.sync();
			return (await announced(a, 'transport.messageDelivered')) === 1;
		});
		expect(await announced(a, 'transport.messageSent')).toBe(1);
	});

	it('believes the Backbone when a planned deletion and its end change places', async () => {
		const { relationshipId, addressA, addressB } = await relate(a, b);
		network.backbone.events.add(addressA, 'PeerDeletionCancelled', { relationshipId });
		await a.account.sync();
		network.backbone.events.add(addressA, 'PeerToBeDeleted', { relationshipId, deletionDate });
		await a.account.sync();
		expect(await a.relationships.get(relationshipId)).not.toHaveProperty('peerDeletionInfo');
		expect(await a.messages.send(mailTo(addressB))).toMatchObject({ isOwn: true });
	});

	describe('a peer whose planned deletion has ended unannounced', () => {
		let addressA: string;
		let addressB: string;

		const setStatus = (status: 'Active' | 'ToBeDeleted'): void => {
			const identity = network.backbone.state.identities.get(addressB);
			if (identity !== undefined) identity.status = status;
		};
		const asked = (): number => network.backbone.calls.count('GET', /CanCreate/i);

		beforeEach(async () => {
			const related = await relate(a, b);
			({ addressA, addressB } = related);
			const { relationshipId } = related;
			setStatus('ToBeDeleted');
			network.backbone.events.add(addressA, 'PeerToBeDeleted', { relationshipId, deletionDate });
			await arrives(a, async () => (await announced(a, 'transport.peerToBeDeleted')) === 1);
		});

		it('is written to again, which says so once; until then the refusal stays', async () => {
			await expect(a.messages.send(mailTo(addressB))).rejects.toMatchObject({
				code: 'error.runtime.messages.peerIsInDeletion',
			});
			setStatus('Active');
			expect(await a.messages.send(mailTo(addressB))).toMatchObject({ isOwn: true });
			const calls = asked();
			await a.messages.send(mailTo(addressB));
			expect(asked()).toBe(calls);
			expect(await announced(a, 'transport.peerDeletionCancelled')).toBe(1);
		});

		it('can be asked again', async () => {
			const question = () =>
				a.outgoingRequests.create({
					peer: addressB,
					content: {
						items: [
							{ '@type': 'AuthenticationRequestItem', mustBeAccepted: true, title: 'Log in' },
						],
					},
				});
			await expect(question()).rejects.toMatchObject({
				code: 'error.consumption.requests.peerIsInDeletion',
			});
			setStatus('Active');
			expect(await question()).toMatchObject({ status: 'Draft' });
		});

		it('is known as active when a message of it arrives', async () => {
			setStatus('Active');
			await b.messages.send(mailTo(addressA));
			await arrives(a, async () => (await announced(a, 'transport.messageReceived')) === 1);
			expect(await announced(a, 'transport.peerDeletionCancelled')).toBe(1);
		});
	});

	it('takes a peer as deleted because of the audit log, and says so once', async () => {
		const { relationshipId, addressA, addressB } = await relate(a, b);
		const row = rowOf(relationshipId);
		row.auditLog.push({
			createdAt: new Date().toISOString(),
			createdBy: addressB,
			createdByDevice: null,
			reason: 'DecompositionDueToIdentityDeletion',
			oldStatus: 'Active',
			newStatus: 'DeletionProposed',
		});
		row.status = 'DeletionProposed';
		const identity = network.backbone.state.identities.get(addressB);
		if (identity !== undefined) identity.status = 'Deleting';
		network.backbone.events.add(addressA, 'RelationshipStatusChanged', { relationshipId });
		await a.account.sync();
		const info = { deletionStatus: 'Deleted' };
		expect(await a.relationships.get(relationshipId)).toMatchObject({ peerDeletionInfo: info });
		for (const type of ['PeerDeleted', 'PeerToBeDeleted', 'PeerDeletionCancelled']) {
			network.backbone.events.add(addressA, type, { relationshipId, deletionDate });
			await a.account.sync();
		}
		expect(await a.relationships.get(relationshipId)).toMatchObject({ peerDeletionInfo: info });
		expect(await announced(a, 'transport.peerDeleted')).toBe(1);
		expect(await announced(a, 'transport.peerDeletionCancelled')).toBe(0);
	});

	it('lets in who asked with a template that the Backbone has forgotten', async () => {
		const { id: template, truncatedReference: reference } = await a.templates.create({
			expiresAt: inOneHour(),
			content: plain,
		});
		await a.templates.create({ expiresAt: inOneHour(), content: plain });
		const { id: templateId } = await b.templates.loadPeer({ reference });
		const { id } = await b.relationships.create({ templateId, creationContent });
		await a.templates.delete(template);
		rowOf(id).relationshipTemplateId = null;
		const { relationships, pendingFailures } = await a.account.sync();
		expect(pendingFailures).toEqual([]);
		expect(relationships).toMatchObject([{ id, status: 'Pending', template: { id: template } }]);
		expect(await a.relationships.accept(id)).toMatchObject({ status: 'Active' });
	});

	it('finds an own creation whose answer was lost when its template is forgotten', async () => {
		const { truncatedReference: reference } = await a.templates.create({
			expiresAt: inOneHour(),
			content: plain,
		});
		const { id: templateId } = await b.templates.loadPeer({ reference });
		network.backbone.faults.add({
			method: 'POST',
			path: /Relationships$/,
			action: { kind: 'cutAfter' },
		});
		await expect(b.relationships.create({ templateId, creationContent })).rejects.toThrow();
		const { relationships } = await a.account.sync();
		const id = relationships[0]?.id ?? '';
		rowOf(id).relationshipTemplateId = null;
		await a.relationships.accept(id);
		expect((await b.account.sync()).relationships).toMatchObject([{ id, status: 'Active' }]);
	});

	it('lets go of messages announced after their relationship was left, and takes the ones of a new one', async () => {
		const { relationshipId, addressA, addressB } = await relate(a, b);
		network.backbone.queues.drop({ owner: addressA, type: 'MessageReceived' });
		const { id } = await b.messages.send(mailTo(addressA));
		network.backbone.queues.restore();
		await a.relationships.terminate(relationshipId);
		await a.relationships.decompose(relationshipId);
		network.backbone.events.add(addressA, 'MessageReceived', { id });
		network.backbone.events.add(addressA, 'MessageReceived', { id: 'MSGgone0000000000000' });
		expect(await a.account.sync()).toMatchObject({ messages: [], pendingFailures: [] });
		await b.account.sync();
		await b.relationships.decompose(relationshipId);
		await relate(a, b);
		await b.messages.send(mailTo(addressA, 'again'));
		expect((await a.account.sync()).messages).toMatchObject([{ createdBy: addressB }]);
	});

	it('takes the first message of a new relationship although our clock is ahead', async () => {
		network.backbone.advanceClock(-1_800_000);
		const { relationshipId } = await relate(a, b);
		await b.relationships.terminate(relationshipId);
		await b.relationships.decompose(relationshipId);
		await settle(a);
		await a.relationships.decompose(relationshipId);
		const addressOfB = await addressOf(b);
		const { truncatedReference: reference } = await a.templates.create({
			expiresAt: inOneHour(),
			content: plain,
		});
		const { id: templateId } = await b.templates.loadPeer({ reference });
		const { faults, queues, events } = network.backbone;
		faults.add({ method: 'POST', path: /Relationships$/, action: { kind: 'cutAfter' } });
		await expect(b.relationships.create({ templateId, creationContent })).rejects.toThrow();
		await settle(a);
		const [pending] = (await a.relationships.list({})).filter(({ status }) => status === 'Pending');
		const next = pending?.id ?? '';
		queues.drop({ owner: addressOfB, type: 'RelationshipStatusChanged' });
		await a.relationships.accept(next);
		queues.restore();
		await a.messages.send(mailTo(addressOfB));
		expect((await b.account.sync()).pendingFailures).toHaveLength(1);
		events.add(addressOfB, 'RelationshipStatusChanged', { relationshipId: next });
		expect((await b.account.sync()).messages).toMatchObject([{ isOwn: false }]);
	});

	it('publishes nothing for events that come again under another id', async () => {
		const { relationshipId, addressA, addressB } = await relate(a, b);
		const { id } = await b.messages.send(mailTo(addressA));
		const sent = await a.messages.send(mailTo(addressB));
		await b.account.sync();
		const template = await a.templates.create({ expiresAt: inOneHour(), content: plain });
		const file = await a.files.upload(
			{ title: 'File', filename: 'file.txt', mimetype: 'text/plain', expiresAt: inOneHour() },
			Buffer.from('text'),
		);
		const tell = async (): Promise<number> => {
			const { events } = network.backbone;
			events.add(addressA, 'MessageReceived', { id });
			events.add(addressA, 'MessageDelivered', { id: sent.id });
			events.add(addressA, 'RelationshipStatusChanged', { relationshipId });
			events.add(addressA, 'RelationshipReactivationRequested', { relationshipId });
			events.add(addressA, 'FileOwnershipLocked', { fileId: file.id });
			events.add(addressA, 'FileOwnershipClaimed', {
				fileId: file.id,
				newOwnerAddress: addressA,
			});
			events.add(addressA, 'RelationshipTemplateAllocationsExhausted', {
				relationshipTemplateId: template.id,
			});
			events.add(addressA, 'PeerDeleted', { relationshipId, deletionDate });
			await a.account.sync();
			return (await a.events.recent({}, 1_000)).length;
		};
		const once = await tell();
		expect(await tell()).toBe(once);
		expect(await announced(a, 'transport.fileOwnershipLocked')).toBe(1);
	});
});
