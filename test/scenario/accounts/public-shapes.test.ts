import type { Gateway } from '../../../core';
import { openWork } from '../../../core/domain/unfinished/ledger';
import { partsOf } from '../../../core/gateway/gateway-parts';
import { CollectionShape } from '../../../core/store/collections/sql-collection';
import { fullAccount } from '../account-transfer/full-account';
import { SandboxNetwork } from '../../support/gateways';
import { intentRecord } from '../../support/records';

jest.setTimeout(60_000);

let network: SandboxNetwork;
let gateway: Gateway;
let peer: string;
beforeAll(async () => {
	network = await SandboxNetwork.open();
	const { folder, peerAddress } = await fullAccount(network);
	peer = peerAddress;
	gateway = await network.gateway(network.config(folder));
	await partsOf(gateway).store.transact(async (tx) => {
		const intent = intentRecord('open');
		await tx.sendIntents.insert(intent, { messageKey: 'key' });
		await openWork(tx, { id: intent.id, kind: 'sendMessage', since: intent.createdAt });
	});
	const { recordOf } = CollectionShape.prototype;
	jest.spyOn(CollectionShape.prototype, 'recordOf').mockImplementation(function (
		this: CollectionShape,
		row,
	) {
		return Object.assign(recordOf.call(this, row), { storedOnly: true });
	});
});
afterAll(async () => {
	jest.restoreAllMocks();
	await network.close();
});

/** What the gateway shows of each kind of stored record. */
const shown: Record<string, () => Promise<unknown[]>> = {
	attributes: () => gateway.attributes.list(),
	'attribute listeners': () => gateway.attributes.listeners(),
	contacts: () => gateway.contacts.list(),
	'deletion processes': () => gateway.identityDeletion.list(),
	drafts: () => gateway.drafts.list(),
	files: () => gateway.files.list(),
	'identity metadata': async () => [
		await gateway.identityMetadata.get({ reference: peer, key: 'k' }),
	],
	'local notifications': () => gateway.localNotifications.list(),
	messages: () => gateway.messages.list(),
	relationships: () => gateway.relationships.list(),
	requests: () => gateway.outgoingRequests.list(),
	sends: () => gateway.messages.unresolvedSends(),
	settings: () => gateway.settings.list(),
	templates: () => gateway.templates.list(),
	tokens: () => gateway.tokens.list(),
	waits: () => gateway.waits.list(),
	'events about attributes': async () => {
		const [attribute] = await gateway.attributes.list();
		await gateway.attributes.markAsViewed(attribute?.id ?? '');
		return await gateway.events.recent({ names: ['consumption.attributeWasViewedAtChanged'] }, 1);
	},
	'events about messages': async () => {
		const [message] = await gateway.messages.list();
		await gateway.messages.markAsRead(message?.id ?? '');
		return await gateway.events.recent({ names: ['transport.messageWasReadAtChanged'] }, 1);
	},
};

describe('a member that only the store knows', () => {
	it.each(Object.entries(shown))('is not in %s', async (_kind, list) => {
		const found = await list();
		expect(found).not.toEqual([]);
		expect(JSON.stringify(found)).not.toContain('storedOnly');
	});
});
