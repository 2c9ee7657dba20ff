import { SandboxBackbone } from '../../sandbox/sandbox-backbone';
import { Peer, type Generation } from '../support/peer';

jest.setTimeout(120_000);

const askForName = {
	'@type': 'RelationshipTemplateContent',
	title: 'Onboarding',
	onNewRelationship: {
		items: [
			{
				'@type': 'ReadAttributeRequestItem',
				mustBeAccepted: true,
				query: { '@type': 'IdentityAttributeQuery', valueType: 'GivenName' },
			},
		],
	},
};

const answer = (address: string) => ({
	accept: true,
	newAttribute: {
		'@type': 'IdentityAttribute',
		owner: address,
		value: { '@type': 'GivenName', value: 'Ada' },
	},
});

const pairs: Array<[Generation, Generation]> = [
	[6, 6],
	[7, 7],
	[6, 7],
];

describe.each(pairs)('official runtimes %d and %d on the sandbox Backbone', (first, second) => {
	let backbone: SandboxBackbone;
	let templator: Peer;
	let requestor: Peer;
	beforeAll(async () => {
		backbone = await SandboxBackbone.open();
		const config = { baseUrl: backbone.baseUrl };
		[templator, requestor] = await Promise.all([
			Peer.start(first, config),
			Peer.start(second, config),
		]);
	});
	afterAll(async () => {
		await Promise.all([templator.stop(), requestor.stop()]);
		await backbone.close();
	});

	it('run the whole story from template to mail', async () => {
		const template = await templator.createTemplate(askForName);
		await requestor.loadTemplate((template['reference'] as { truncated: string }).truncated);
		const request = await requestor.incomingRequest(template.id);
		await requestor.acceptRequest(request.id, [answer(requestor.address)]);
		await requestor.waitForEvent('transport.relationshipChanged');
		await templator.sync();
		const [pending] = await templator.relationships();
		expect(pending).toMatchObject({ status: 'Pending', peer: requestor.address });
		await templator.acceptRelationship(pending?.id ?? '');
		await requestor.sync();
		const [active] = await requestor.relationships();
		expect(active).toMatchObject({ status: 'Active', peer: templator.address });

		await templator.sendMail(requestor.address, 'Welcome', 'Nice to meet you');
		await requestor.sync();
		await requestor.sendMail(templator.address, 'Thanks', 'You too');
		await requestor.send(templator.address, { '@type': 'ArbitraryMessageContent', value: [1, 2] });
		await templator.sync();
		const received = (await templator.messages()).filter(({ isOwn }) => isOwn === false);
		expect(received.map(({ content }) => content)).toMatchObject([
			{ '@type': 'Mail', subject: 'Thanks', body: 'You too' },
			{ '@type': 'ArbitraryMessageContent', value: [1, 2] },
		]);
	});
});
