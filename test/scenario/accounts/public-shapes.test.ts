import type { Gateway } from '../../../core';
import { attributeListenerRecordSchema } from '../../../core/model/record/attribute';
import { deletionProcessRecordSchema } from '../../../core/model/record/deletion-process';
import { localNotificationRecordSchema } from '../../../core/model/record/local-notification';
import { sendIntentRecordSchema } from '../../../core/model/record/message';
import { draftRecordSchema, settingRecordSchema } from '../../../core/model/record/setting';
import { CollectionShape } from '../../../core/store/collections/sql-collection';
import { fullAccount } from '../account-transfer/full-account';
import { SandboxNetwork } from '../../support/gateways';

jest.setTimeout(60_000);

let network: SandboxNetwork;
let gateway: Gateway;
let peer: string;
beforeAll(async () => {
	network = await SandboxNetwork.open();
	const { folder, peerAddress } = await fullAccount(network);
	peer = peerAddress;
	gateway = await network.gateway(network.config(folder));
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
	contacts: () => gateway.contacts.list(),
	files: () => gateway.files.list(),
	'identity metadata': async () => [
		await gateway.identityMetadata.get({ reference: peer, key: 'k' }),
	],
	messages: () => gateway.messages.list(),
	relationships: () => gateway.relationships.list(),
	requests: () => gateway.outgoingRequests.list(),
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

/** Stored records that are shown as they are: what is added here is public from then on. */
describe('a record that is public as a whole', () => {
	it.each([
		['attribute listener', attributeListenerRecordSchema, 'id peer query'],
		[
			'deletion process',
			deletionProcessRecordSchema,
			'approvalPeriodEndsAt approvedAt approvedByDevice cancelledAt cancelledByDevice createdAt createdByDevice gracePeriodEndsAt id rejectedAt rejectedByDevice status',
		],
		['draft', draftRecordSchema, 'content createdAt id lastModifiedAt type'],
		[
			'local notification',
			localNotificationRecordSchema,
			'content createdAt id isOwn peer receivedByDevice source status',
		],
		[
			'setting',
			settingRecordSchema,
			'createdAt id key reference scope succeedsAt succeedsItem value',
		],
		[
			'send',
			sendIntentRecordSchema.omit({ messageId: true, failure: true }),
			'absentSince again attachments bodyHash caller content createdAt id idempotencyKey latestReceived mustArrive postBody preparedAt recipients state triedAt',
		],
	])('is a %s, which has these members', (_kind, schema, members) => {
		expect(Object.keys(schema.shape).sort()).toEqual(members.split(' '));
	});
});
