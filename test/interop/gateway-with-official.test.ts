import type { Gateway } from '../../core';
import { inOneHour, mailTo, TestNetwork } from '../support/gateways';
import { Peer, type Generation } from '../support/peer';

jest.setTimeout(120_000);

const ask = (valueType: string) => ({
	'@type': 'ReadAttributeRequestItem',
	mustBeAccepted: true,
	query: { '@type': 'IdentityAttributeQuery', valueType },
});

const shared = (owner: string, type: string, value: string) => ({
	accept: true,
	newAttribute: { '@type': 'IdentityAttribute', owner, value: { '@type': type, value } },
});

describe.each<Generation>([6, 7])('our gateway and the official runtime %d', (generation) => {
	let network: TestNetwork;
	let gateway: Gateway;
	let peer: Peer;
	let address: string;
	beforeEach(async () => {
		network = await TestNetwork.open();
		[gateway, peer] = await Promise.all([
			network.gateway(),
			Peer.start(generation, { baseUrl: network.backbone.baseUrl }),
		]);
		({ address } = await gateway.account.getIdentity());
	});
	afterEach(async () => {
		await peer.stop();
		await network.close();
	});

	/** A relationship from our arbitrary template, pending on our side. */
	async function arrive(more: object = {}, password?: string): Promise<string> {
		const template = await gateway.templates.create({
			expiresAt: inOneHour(),
			content: { '@type': 'ArbitraryRelationshipTemplateContent', value: { ours: true } },
			...more,
		});
		const loaded = await peer.loadTemplate(template.truncatedReference, password);
		expect(loaded['content']).toEqual(template.content);
		await peer.createRelationship(loaded.id, { theirs: true });
		await gateway.account.sync();
		const [relationship] = await gateway.relationships.list({
			where: [{ field: 'status', op: 'eq', value: 'Pending' }],
		});
		return relationship?.id ?? '';
	}

	it('share an attribute, accept, and exchange mails', async () => {
		const template = await gateway.templates.create({
			expiresAt: inOneHour(),
			maxNumberOfAllocations: 1,
			content: {
				'@type': 'RelationshipTemplateContent',
				title: 'Onboarding',
				onNewRelationship: { items: [ask('GivenName'), ask('EMailAddress')] },
			},
		});
		await peer.loadTemplate(template.truncatedReference);
		const request = await peer.incomingRequest(template.id);
		await peer.acceptRequest(request.id, [
			shared(peer.address, 'GivenName', 'Ada'),
			shared(peer.address, 'EMailAddress', 'ada@example.org'),
		]);
		await peer.waitForEvent('transport.relationshipChanged');

		const outcome = await gateway.account.sync();
		expect(outcome.pendingFailures).toEqual([]);
		const [relationship] = outcome.relationships;
		expect(relationship).toMatchObject({ status: 'Pending', peer: peer.address });
		const attributes = await gateway.relationships.peerAttributes(relationship?.id ?? '');
		expect(attributes.map(({ content }) => content['value'])).toEqual([
			{ '@type': 'EMailAddress', value: 'ada@example.org' },
			{ '@type': 'GivenName', value: 'Ada' },
		]);
		const [completed] = await gateway.outgoingRequests.list();
		expect(completed).toMatchObject({ status: 'Completed', peer: peer.address });

		await gateway.relationships.accept(relationship?.id ?? '');
		await peer.sync();
		expect(await peer.relationships()).toMatchObject([{ status: 'Active', peer: address }]);

		await gateway.messages.send(mailTo(peer.address, 'Welcome', 'Nice to meet you'));
		await gateway.messages.send(mailTo(peer.address, 'Again', 'A second counter'));
		await peer.sync();
		const received = (await peer.messages()).filter(({ isOwn }) => isOwn === false);
		expect(received.map(({ content }) => content)).toMatchObject([
			{ '@type': 'Mail', subject: 'Welcome', body: 'Nice to meet you' },
			{ '@type': 'Mail', subject: 'Again', body: 'A second counter' },
		]);
		await peer.sendMail(address, 'Answer', 'Same here');
		await peer.sendMail(address, 'Answer 2', 'Counter 0 once more');
		await peer.send(address, { '@type': 'ArbitraryMessageContent', value: { any: 'thing' } });
		const answers = await gateway.account.sync();
		expect(answers.messages.map(({ content }) => content)).toMatchObject([
			{ '@type': 'Mail', subject: 'Answer', body: 'Same here' },
			{ '@type': 'Mail', subject: 'Answer 2', body: 'Counter 0 once more' },
			{ '@type': 'ArbitraryMessageContent', value: { any: 'thing' } },
		]);
		const events = await gateway.events.recent({}, 30);
		expect(events.map(({ event }) => event)).toEqual([
			'transport.relationshipTemplateAllocationsExhausted',
			'transport.relationshipChanged',
			'consumption.outgoingRequestCreatedAndCompleted',
			'consumption.outgoingRequestFromRelationshipCreationCreatedAndCompleted',
			'consumption.attributeCreated',
			'consumption.attributeCreated',
			'transport.relationshipChanged',
			'transport.messageSent',
			'transport.messageSent',
			'transport.messageReceived',
			'transport.messageReceived',
			'transport.messageReceived',
		]);
	});

	it('reject and revoke', async () => {
		const first = await arrive();
		await gateway.relationships.reject(first);
		await peer.sync();
		expect(await peer.relationships()).toMatchObject([{ status: 'Rejected' }]);
		const second = await arrive();
		await peer.call('transport.relationships', 'revokeRelationship', { relationshipId: second });
		await gateway.account.sync();
		expect(await gateway.relationships.get(second)).toMatchObject({ status: 'Revoked' });
	});

	it('use protected and personalised templates', async () => {
		const id = await arrive(
			{ forIdentity: peer.address, passwordProtection: { password: '1234', passwordIsPin: true } },
			'1234',
		);
		expect(await gateway.relationships.accept(id)).toMatchObject({ status: 'Active' });
	});

	it('begin from a template of the peer', async () => {
		const template = await peer.createTemplate(
			{ '@type': 'ArbitraryRelationshipTemplateContent', value: { from: 'wallet' } },
			{ passwordProtection: { password: 'secret words' } },
		);
		const { truncated, url } = template['reference'] as { truncated: string; url: string };
		await expect(gateway.templates.loadPeer({ reference: truncated })).rejects.toMatchObject({
			code: 'error.transport.noPasswordProvided',
		});
		const loaded = await gateway.templates.loadPeer({ reference: url, password: 'secret words' });
		expect(loaded.content).toEqual({
			'@type': 'ArbitraryRelationshipTemplateContent',
			value: { from: 'wallet' },
		});
		const created = await gateway.relationships.create({
			templateId: loaded.id,
			creationContent: { '@type': 'ArbitraryRelationshipCreationContent', value: { me: 1 } },
		});
		await peer.sync();
		await peer.acceptRelationship(created.id);
		await gateway.account.sync();
		expect(await gateway.relationships.get(created.id)).toMatchObject({ status: 'Active' });
		await gateway.messages.send(mailTo(peer.address));
		await peer.sync();
		await peer.sendMail(address, 'Back', 'to you');
		const { messages } = await gateway.account.sync();
		expect(messages).toMatchObject([{ content: { subject: 'Back' } }]);
		expect(await peer.messages()).toHaveLength(2);
	});
});
