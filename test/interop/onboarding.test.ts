import type { Gateway } from '../../core';
import { inOneHour, TestNetwork } from '../support/gateways';
import { Peer, type Generation } from '../support/peer/peer';
import { ask, give, onboarding, referenceOf } from './contents';

jest.setTimeout(120_000);

/* Templates with requests: what the matrix, which knows the transport layer only, leaves out. */

describe.each<[Generation, 6 | 7]>([
	[6, 6],
	[7, 6],
	[7, 7],
])('our gateway and the official runtime %d on a Backbone %d', (generation, majorVersion) => {
	let network: TestNetwork;
	let peer: Peer;
	let gateway: Gateway;
	let address: string;
	beforeAll(async () => {
		network = await TestNetwork.open({ majorVersion });
		peer = await Peer.start(generation, network.credentials);
	});
	afterAll(async () => {
		await network.endPeer(peer);
		await network.close();
	});
	// A fresh identity for every test: to the peer, each is new.
	beforeEach(async () => {
		gateway = await network.gateway();
		({ address } = await gateway.account.getIdentity());
	});

	async function syncCompletely(): Promise<void> {
		await network.settle(gateway);
		expect((await gateway.account.getSyncStatus()).pendingEvents).toBe(0);
	}

	const peerSyncs = (): Promise<void> => network.settleParties([peer.syncing]);

	it('share attributes and accept', async () => {
		const template = await gateway.templates.create({
			expiresAt: inOneHour(),
			maxNumberOfAllocations: 1,
			content: onboarding(ask('GivenName'), ask('EMailAddress'), ask('Surname', false)),
		});
		const request = await peer.receiveRequest(template.reference.url);
		await peer.acceptRequest(request.id, [
			give(peer.address, 'GivenName', 'Ada'),
			give(peer.address, 'EMailAddress', 'ada@example.org'),
			{ accept: false, code: 'error.wallet.no', message: 'Not today' },
		]);
		const { id } = await peer.relationshipWith(address);

		await syncCompletely();
		expect(await gateway.relationships.list()).toMatchObject([
			{ id, status: 'Pending', peer: peer.address },
		]);
		const shared = await gateway.relationships.peerAttributes(id);
		expect(shared.map(({ content }) => content['value'])).toEqual([
			{ '@type': 'EMailAddress', value: 'ada@example.org' },
			{ '@type': 'GivenName', value: 'Ada' },
		]);
		const [completed] = await gateway.outgoingRequests.list();
		expect(completed).toMatchObject({
			status: 'Completed',
			peer: peer.address,
			response: {
				content: {
					result: 'Accepted',
					items: [
						{ '@type': 'ReadAttributeAcceptResponseItem' },
						{ '@type': 'ReadAttributeAcceptResponseItem' },
						{ '@type': 'RejectResponseItem', code: 'error.wallet.no', message: 'Not today' },
					],
				},
			},
		});

		await gateway.relationships.accept(id);
		await peerSyncs();
		expect(await peer.relationshipWith(address, 'Active')).toMatchObject({ id });
		const events = (await gateway.events.recent({}, 30)).map(({ event }) => event);
		// It may be told before, between and after the others.
		const usedUp = 'transport.relationshipTemplateAllocationsExhausted';
		expect(events.filter((event) => event === usedUp)).toHaveLength(1);
		expect(events.filter((event) => event !== usedUp)).toEqual([
			'transport.relationshipChanged',
			'consumption.attributeCreated',
			'consumption.attributeCreated',
			'consumption.outgoingRequestCreatedAndCompleted',
			'consumption.outgoingRequestFromRelationshipCreationCreatedAndCompleted',
			'transport.relationshipChanged',
		]);
	});

	it('let go of what the peer had shared', async () => {
		const template = await gateway.templates.create({
			expiresAt: inOneHour(),
			content: onboarding(ask('GivenName')),
		});
		const request = await peer.receiveRequest(template.truncatedReference);
		await peer.acceptRequest(request.id, [give(peer.address, 'GivenName', `Ada ${address}`)]);
		const { id } = await peer.relationshipWith(address);
		await syncCompletely();
		await gateway.relationships.accept(id);
		await peerSyncs();
		const relationshipId = { relationshipId: id };
		await peer.call('transport.relationships', 'terminateRelationship', relationshipId);
		await peer.call('transport.relationships', 'decomposeRelationship', relationshipId);
		await syncCompletely();
		const deletionDate = (await gateway.relationships.get(id)).auditLog.at(-1)?.createdAt;
		expect(await gateway.relationships.peerAttributes(id)).toMatchObject([
			{ deletionInfo: { deletionStatus: 'DeletedByOwner', deletionDate } },
		]);
		await gateway.relationships.decompose(id);
		expect(await gateway.attributes.list()).toEqual([]);
		expect(await gateway.outgoingRequests.list()).toEqual([]);
	});

	it('do not answer the request in a template of the peer with a response that was not decided', async () => {
		const template = await peer.createTemplate(onboarding(ask('GivenName')));
		const reference = referenceOf(template).truncated;
		const loaded = await gateway.templates.loadPeer({ reference });
		expect(loaded.content).toMatchObject({ title: 'Onboarding' });
		const creationContent = {
			'@type': 'RelationshipCreationContent' as const,
			response: {
				'@type': 'Response' as const,
				result: 'Accepted',
				requestId: 'REQ00000000000000001',
				items: [{ '@type': 'AcceptResponseItem' as const, result: 'Accepted' }],
			},
		};
		await expect(
			gateway.relationships.create({ templateId: loaded.id, creationContent }),
		).rejects.toMatchObject({ code: 'error.runtime.relationships.noAcceptedIncomingRequest' });
	});

	it('share one of our attributes', async () => {
		const attribute = await gateway.attributes.create({
			content: { value: { '@type': 'DisplayName', value: 'Our Company' } },
		});
		const share = {
			'@type': 'ShareAttributeRequestItem' as const,
			mustBeAccepted: true,
			sourceAttributeId: attribute.id,
			attribute: attribute.content,
		};
		const content = onboarding(share);
		const template = await gateway.templates.create({ expiresAt: inOneHour(), content });
		const request = await peer.receiveRequest(template.truncatedReference);
		await peer.acceptRequest(request.id, [{ accept: true }]);
		const { id } = await peer.relationshipWith(address);
		expect(await peer.attributes({ 'content.owner': address })).toMatchObject([
			{ content: attribute.content },
		]);
		await syncCompletely();
		expect(await gateway.relationships.accept(id)).toMatchObject({ status: 'Active' });
		const copies = await gateway.attributes.list({
			where: [{ field: 'sourceAttribute', op: 'eq', value: attribute.id }],
		});
		expect(copies).toMatchObject([
			{ content: attribute.content, shareInfo: { peer: peer.address } },
		]);
	});
});
