import type { GatewayFacade } from '../../../core';
import { apiKey, HttpGateway } from '../../core/server/support/http-gateway';
import { settingsFor, SeveralAccounts } from '../../core/server/support/several-accounts';
import { SandboxNetwork } from '../../support/gateways';
import { Peer, type Generation } from '../../support/peer/peer';
import { give } from '../contents';
import { OfficialClient } from './official-client';

jest.setTimeout(120_000);

/* The story of docs/protocol/http-api.md 8.17: the official client, our server, an official wallet. */

interface Served {
	/** below which the routes of the account stand */
	readonly address: string;
	readonly key: string;
	readonly gateway: GatewayFacade;
	close(): Promise<void>;
}

async function only(network: SandboxNetwork): Promise<Served> {
	const http = await HttpGateway.open(network);
	const { gateway } = http;
	return { address: http.server.address, key: apiKey, gateway, close: () => http.close() };
}

/** One of several accounts of a server; undefined: its default one. */
const among =
	(name?: string) =>
	async (network: SandboxNetwork): Promise<Served> => {
		const several = await SeveralAccounts.open(settingsFor(network, { accounts: { school: {} } }));
		await several.reaches('school', 'running');
		const { address } = several.server;
		const close = (): Promise<void> => several.close();
		const gateway = name === undefined ? several.main.facade : several.accounts.find(name)?.facade;
		if (gateway === undefined) throw new Error('The account is not open');
		return name === undefined
			? { address, key: apiKey, gateway, close }
			: { address: `${address}/accounts/${name}`, key: await several.keyOf(name), gateway, close };
	};

describe.each<[Generation, string, (network: SandboxNetwork) => Promise<Served>]>([
	[6, 'the only account', only],
	[7, 'the only account', only],
	[6, 'the default account of several', among()],
	[6, 'another account', among('school')],
])('with an official wallet %d and %s', (generation, _name, open) => {
	let network: SandboxNetwork;
	let http: Served;
	let client: OfficialClient;
	let peer: Peer;

	beforeAll(async () => {
		// The official runtime keeps a message twice when its event comes twice.
		network = await SandboxNetwork.open({ repeatedShare: 0 });
		http = await open(network);
		client = new OfficialClient(http.address, http.key);
		peer = await Peer.start(generation, { baseUrl: network.backbone.baseUrl });
	});
	afterAll(async () => {
		await peer.stop();
		await http.close();
		await network.close();
	});

	it('a person is onboarded and written to', async () => {
		const own = await client.ask('attributes.createRepositoryAttribute', {
			content: { value: { '@type': 'DisplayName', value: 'Example Org' } },
		});
		const items = [
			{
				'@type': 'ShareAttributeRequestItem',
				mustBeAccepted: true,
				attribute: own.content,
				sourceAttributeId: own.id,
			},
			{
				'@type': 'ReadAttributeRequestItem',
				mustBeAccepted: true,
				query: { '@type': 'IdentityAttributeQuery', valueType: 'GivenName' },
			},
		];
		const valid = await client.ask('outgoingRequests.canCreateRequest', { content: { items } });
		expect(valid.isSuccess).toBe(true);
		const template = await client.ask('relationshipTemplates.createOwnRelationshipTemplate', {
			maxNumberOfAllocations: 1,
			expiresAt: '2099-01-01T00:00:00.000Z',
			content: {
				'@type': 'RelationshipTemplateContent',
				title: 'Demo',
				onNewRelationship: { '@type': 'Request', items },
			},
		});
		const picture = await client.ask(
			'relationshipTemplates.getQrCodeForOwnRelationshipTemplate',
			template.id,
		);
		expect(Buffer.from(picture).toString('latin1', 1, 4)).toBe('PNG');

		const request = await peer.receiveRequest(template.reference.truncated);
		await peer.acceptRequest(request.id, [
			{ accept: true },
			give(peer.address, 'GivenName', 'Ada'),
		]);
		const { address } = await client.ask('account.getIdentityInfo');
		await peer.relationshipWith(address);
		await client.ask('account.sync');
		await network.settle(http.gateway);

		const [pending] = await client.ask('relationships.getRelationships', {
			template: { id: template.id },
		});
		expect(pending).toMatchObject({ status: 'Pending', peer: peer.address });
		expect(pending.creationContent.response.result).toBe('Accepted');
		const active = await client.ask('relationships.acceptRelationship', pending.id);
		expect(active.status).toBe('Active');
		const received = await client.ask('attributes.getAttributes', {
			content: { owner: peer.address },
			shareInfo: { peer: peer.address },
		});
		expect(received).toMatchObject([
			{ content: { value: { '@type': 'GivenName', value: 'Ada' } } },
		]);

		// The official runtime takes events as they come: a mail before the acceptance is lost to it.
		await network.settleParties([peer.syncing]);
		const sent = await client.ask('messages.sendMessage', {
			recipients: [peer.address],
			content: { '@type': 'Mail', to: [peer.address], subject: 'Hello', body: 'Text' },
		});
		await network.settleParties([peer.syncing]);
		expect(await peer.receivedContents()).toMatchObject([{ subject: 'Hello', body: 'Text' }]);
		expect((await peer.messages())[0]?.id).toBe(sent.id);
		await peer.sendMail(address, 'Answer', 'Thanks');
		await network.settle(http.gateway);
		const answers = await client.ask('messages.getMessages', { participant: peer.address });
		expect(answers.map(({ content }: { content: { subject: string } }) => content.subject)).toEqual(
			['Hello', 'Answer'],
		);
	});
});
