import type { Gateway } from '../../core';
import { inOneHour, mailTo, TestNetwork } from '../support/gateways';
import { Peer, type Generation } from '../support/peer';
import {
	arbitraryCreation,
	arbitraryTemplate,
	ask,
	give,
	onboarding,
	referenceOf,
} from './contents';

jest.setTimeout(120_000);

describe.each<Generation>([6, 7])('our gateway and the official runtime %d', (generation) => {
	let network: TestNetwork;
	let peer: Peer;
	let gateway: Gateway;
	let address: string;
	beforeAll(async () => {
		network = await TestNetwork.open();
		peer = await Peer.start(generation, { baseUrl: network.backbone.baseUrl });
	});
	afterAll(async () => {
		await peer.stop();
		await network.close();
	});
	// A fresh identity of ours for every test: to the peer, each is somebody new.
	beforeEach(async () => {
		gateway = await network.gateway();
		({ address } = await gateway.account.getIdentity());
	});

	const atPeer = async () => await peer.relationships({ peer: address });

	const receivedByPeer = async () => {
		await peer.sync();
		const messages = await peer.messages({ createdBy: address });
		return messages.map(({ content }) => content);
	};

	async function syncCompletely() {
		const outcome = await gateway.account.sync();
		expect(outcome.pendingFailures).toEqual([]);
		return outcome;
	}

	/** A relationship from an arbitrary template of ours, pending on our side. */
	async function pendingRelationship(more: object = {}, password?: string): Promise<string> {
		const content = arbitraryTemplate({ ours: true });
		const template = await gateway.templates.create({ expiresAt: inOneHour(), content, ...more });
		const loaded = await peer.loadTemplate(template.truncatedReference, password);
		expect(loaded['content']).toEqual(content);
		const { id } = await peer.createRelationship(loaded.id, { theirs: true });
		const { relationships } = await syncCompletely();
		expect(relationships).toMatchObject([
			{ id, status: 'Pending', creationContent: arbitraryCreation({ theirs: true }) },
		]);
		return id;
	}

	it('share attributes, accept, and exchange messages', async () => {
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

		const { relationships } = await syncCompletely();
		expect(relationships).toMatchObject([{ id, status: 'Pending', peer: peer.address }]);
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
		await peer.sync();
		expect(await atPeer()).toMatchObject([{ id, status: 'Active' }]);

		await gateway.messages.send(mailTo(peer.address, 'Grüße', 'Nice to meet you 👋'));
		await gateway.messages.send(mailTo(peer.address, 'Again', 'A second counter'));
		await gateway.messages.send({
			recipients: [peer.address],
			content: { '@type': 'ArbitraryMessageContent', value: { any: ['thing', null, 1.5] } },
		});
		expect(await receivedByPeer()).toMatchObject([
			{ '@type': 'Mail', subject: 'Grüße', body: 'Nice to meet you 👋', cc: [] },
			{ '@type': 'Mail', subject: 'Again', body: 'A second counter' },
			{ '@type': 'ArbitraryMessageContent', value: { any: ['thing', null, 1.5] } },
		]);
		await peer.sendMail(address, 'Answer', 'Same here');
		await peer.sendMail(address, 'Answer 2', 'Counter 0 once more');
		await peer.sendArbitrary(address, { any: 'thing' });
		const answers = await syncCompletely();
		expect(answers.messages.map(({ content }) => content)).toMatchObject([
			{ '@type': 'Mail', subject: 'Answer', body: 'Same here' },
			{ '@type': 'Mail', subject: 'Answer 2', body: 'Counter 0 once more' },
			{ '@type': 'ArbitraryMessageContent', value: { any: 'thing' } },
		]);
		const events = await gateway.events.recent({}, 30);
		expect(events.map(({ event }) => event)).toEqual([
			'transport.relationshipTemplateAllocationsExhausted',
			'transport.relationshipChanged',
			'consumption.attributeCreated',
			'consumption.attributeCreated',
			'consumption.outgoingRequestCreatedAndCompleted',
			'consumption.outgoingRequestFromRelationshipCreationCreatedAndCompleted',
			'transport.relationshipChanged',
			'transport.messageSent',
			'transport.messageSent',
			'transport.messageSent',
			'transport.messageReceived',
			'transport.messageReceived',
			'transport.messageReceived',
		]);
	});

	it('change nothing when the Backbone repeats its events', async () => {
		const relationshipId = await pendingRelationship();
		await gateway.relationships.accept(relationshipId);
		await peer.sync();
		await peer.sendMail(address, 'Once', 'and only once');
		const { messages } = await syncCompletely();
		const before = await snapshot();

		const { events } = network.backbone;
		events.add(address, 'RelationshipStatusChanged', { relationshipId });
		for (const { id } of [...messages, ...messages]) events.add(address, 'MessageReceived', { id });
		await syncCompletely();
		await syncCompletely();
		expect(await snapshot()).toEqual(before);
	});

	const snapshot = async () => ({
		relationships: await gateway.relationships.list(),
		messages: await gateway.messages.list(),
		events: await gateway.events.recent({}, 100),
	});

	it('reject, revoke, and relate after all', async () => {
		const first = await pendingRelationship();
		await gateway.relationships.reject(first);
		await peer.sync();
		expect(await atPeer()).toMatchObject([{ id: first, status: 'Rejected' }]);
		const second = await pendingRelationship();
		await peer.revokeRelationship(second);
		await syncCompletely();
		expect(await gateway.relationships.get(second)).toMatchObject({ status: 'Revoked' });
		const third = await pendingRelationship();
		await gateway.relationships.accept(third);
		await gateway.messages.send(mailTo(peer.address, 'At last'));
		expect(await receivedByPeer()).toMatchObject([{ subject: 'At last' }]);
	});

	it('use protected and personalised templates', async () => {
		const personal = {
			forIdentity: peer.address,
			passwordProtection: { password: '1234', passwordIsPin: true },
		};
		const template = await gateway.templates.create({
			expiresAt: inOneHour(),
			content: arbitraryTemplate(1),
			...personal,
		});
		const reference = template.truncatedReference;
		await expect(peer.loadTemplate(reference)).rejects.toMatchObject({
			code: 'error.transport.noPasswordProvided',
		});
		await expect(peer.loadTemplate(reference, '4321')).rejects.toMatchObject({
			code: 'error.runtime.recordNotFound',
		});
		const id = await pendingRelationship(personal, '1234');
		expect(await gateway.relationships.accept(id)).toMatchObject({ status: 'Active' });
	});

	it('begin from a protected template of the peer', async () => {
		const content = arbitraryTemplate({ from: 'wallet' });
		const template = await peer.createTemplate(content, {
			passwordProtection: { password: 'secret words' },
		});
		const { truncated, url } = referenceOf(template);
		await expect(gateway.templates.loadPeer({ reference: truncated })).rejects.toMatchObject({
			code: 'error.transport.noPasswordProvided',
		});
		const loaded = await gateway.templates.loadPeer({ reference: url, password: 'secret words' });
		expect(loaded).toMatchObject({ content, isOwn: false, createdBy: peer.address });
		const { id } = await gateway.relationships.create({
			templateId: loaded.id,
			creationContent: arbitraryCreation({ me: 1 }),
		});
		await peer.sync();
		expect(await atPeer()).toMatchObject([
			{ id, status: 'Pending', creationContent: arbitraryCreation({ me: 1 }) },
		]);
		await peer.acceptRelationship(id);
		await syncCompletely();
		expect(await gateway.relationships.get(id)).toMatchObject({ status: 'Active' });
		await gateway.messages.send(mailTo(peer.address, 'First'));
		await gateway.messages.send(mailTo(peer.address, 'Second'));
		expect(await receivedByPeer()).toMatchObject([{ subject: 'First' }, { subject: 'Second' }]);
		await peer.sendMail(address, 'Back', 'to you');
		await peer.sendMail(address, 'Back', 'once more');
		const { messages } = await syncCompletely();
		expect(messages).toMatchObject([
			{ content: { subject: 'Back', body: 'to you' } },
			{ content: { subject: 'Back', body: 'once more' } },
		]);
	});

	it('are refused by the peer, and think better of it', async () => {
		const template = await peer.createTemplate(arbitraryTemplate('come in'), {
			forIdentity: address,
		});
		const { truncated } = referenceOf(template);
		const { id: templateId } = await gateway.templates.loadPeer({ reference: truncated });
		const creationContent = arbitraryCreation('please');
		const first = await gateway.relationships.create({ templateId, creationContent });
		await peer.sync();
		await peer.rejectRelationship(first.id);
		await syncCompletely();
		expect(await gateway.relationships.get(first.id)).toMatchObject({ status: 'Rejected' });
		const second = await gateway.relationships.create({ templateId, creationContent });
		await gateway.relationships.revoke(second.id);
		await peer.sync();
		expect(await atPeer()).toMatchObject([{ status: 'Rejected' }, { status: 'Revoked' }]);
	});

	it('cannot answer the request in a template of the peer yet, and say so', async () => {
		const template = await peer.createTemplate(onboarding(ask('GivenName')));
		const reference = referenceOf(template).truncated;
		const loaded = await gateway.templates.loadPeer({ reference });
		expect(loaded.content).toMatchObject({ title: 'Onboarding' });
		const creationContent = {
			'@type': 'RelationshipCreationContent',
			response: {
				'@type': 'Response',
				result: 'Accepted',
				requestId: 'REQ00000000000000001',
				items: [{ '@type': 'AcceptResponseItem', result: 'Accepted' }],
			},
		};
		await expect(
			gateway.relationships.create({ templateId: loaded.id, creationContent }),
		).rejects.toMatchObject({ code: 'error.gateway.notSupportedYet' });
	});
});

describe('our gateway and the official runtime 6', () => {
	it('share an attribute of ours during onboarding', async () => {
		const network = await TestNetwork.open();
		const [gateway, peer] = await Promise.all([
			network.gateway(),
			Peer.start(6, { baseUrl: network.backbone.baseUrl }),
		]);
		try {
			const attribute = await gateway.attributes.create({
				content: { value: { '@type': 'DisplayName', value: 'Our Company' } },
			});
			const share = {
				'@type': 'ShareAttributeRequestItem',
				mustBeAccepted: true,
				sourceAttributeId: attribute.id,
				attribute: attribute.content,
			};
			const content = onboarding(share);
			const template = await gateway.templates.create({ expiresAt: inOneHour(), content });
			const request = await peer.receiveRequest(template.truncatedReference);
			await peer.acceptRequest(request.id, [{ accept: true }]);
			const { id } = await peer.relationshipWith((await gateway.account.getIdentity()).address);
			expect(await peer.attributes()).toMatchObject([{ content: attribute.content }]);
			const outcome = await gateway.account.sync();
			expect(outcome.pendingFailures).toEqual([]);
			expect(await gateway.relationships.accept(id)).toMatchObject({ status: 'Active' });
			const copies = await gateway.attributes.list({
				where: [{ field: 'sourceAttribute', op: 'eq', value: attribute.id }],
			});
			expect(copies).toMatchObject([
				{ content: attribute.content, shareInfo: { peer: peer.address } },
			]);
		} finally {
			await peer.stop();
			await network.close();
		}
	});
});
