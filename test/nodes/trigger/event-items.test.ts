import type { AnyEvent } from '../../../core';
import type { JsonObject } from '../../../core/model/json';
import { eventOutputSchema } from '../../../nodes/Enmeshed/schemas/event-output';
import { toEventItems } from '../../../nodes/Enmeshed/trigger/event-items';
import { NodeBench } from '../support/node-bench';

jest.setTimeout(60_000);

let bench: NodeBench;

beforeAll(async () => {
	bench = await NodeBench.open();
});

afterAll(async () => {
	await bench?.close();
});

const id = 'EVT000000000001';
const createdAt = '2030-01-01T00:00:00.000Z';

const attribute: JsonObject = {
	id: 'ATT1',
	createdAt,
	content: {
		'@type': 'IdentityAttribute',
		owner: 'did:e:a',
		value: { '@type': 'GivenName', value: 'Ada' },
	},
};
const successor: JsonObject = {
	...attribute,
	id: 'ATT2',
	content: {
		'@type': 'IdentityAttribute',
		owner: 'did:e:a',
		value: { '@type': 'GivenName', value: 'Grace' },
	},
};
const message: JsonObject = {
	id: 'MSG1',
	content: { '@type': 'Mail', subject: 'Hello', body: 'How are you?' },
	attachments: [],
};
const template: JsonObject = { id: 'RLT1', content: { title: 'Onboarding' } };
const request: JsonObject = {
	id: 'REQ1',
	status: 'Open',
	content: { title: 'About you' },
	source: { type: 'Message', reference: 'MSG1' },
};
const relationship: JsonObject = { id: 'REL1', status: 'Active', auditLog: [], template };

const ofMessage = {
	messageId: 'MSG1',
	messageType: 'Mail',
	subject: 'Hello',
	body: 'How are you?',
	bodyFormat: 'PlainText',
};
const ofTemplate = { templateId: 'RLT1', templateTitle: 'Onboarding' };
const ofAttribute = { attributeId: 'ATT1', attributeType: 'GivenName', value: 'Ada' };
const ofRequest = {
	status: 'Open',
	messageId: 'MSG1',
	requestId: 'REQ1',
	requestTitle: 'About you',
};

/** An event, its data and the members that its item has besides the ones of every event. */
type Example = readonly [string, JsonObject, object];

const examples: readonly Example[] = [
	[
		'transport.peerToBeDeleted',
		{ ...relationship, peerDeletionInfo: { deletionDate: '2030-02-01T00:00:00.000Z' } },
		{
			relationshipId: 'REL1',
			status: 'Active',
			peerDeletionDate: '2030-02-01T00:00:00.000Z',
			...ofTemplate,
		},
	],
	[
		'transport.peerDeleted',
		relationship,
		{ relationshipId: 'REL1', status: 'Active', ...ofTemplate },
	],
	['transport.messageReceived', message, ofMessage],
	[
		'transport.messageReceived',
		{ ...message, attachments: ['FIL1'] },
		{ ...ofMessage, attachments: ['FIL1'] },
	],
	[
		'transport.messageReceived',
		{ ...message, content: { '@type': 'ArbitraryMessageContent', value: 7 } },
		{
			messageId: 'MSG1',
			messageType: 'ArbitraryMessageContent',
			content: { '@type': 'ArbitraryMessageContent', value: 7 },
		},
	],
	[
		'transport.messageReceived',
		{ ...message, content: { '@type': 'Request', id: 'REQ1', title: 'About you' } },
		{
			messageId: 'MSG1',
			messageType: 'Request',
			requestId: 'REQ1',
			requestTitle: 'About you',
		},
	],
	[
		'consumption.messageProcessed',
		{ message, result: 'NoRequest' },
		{ ...ofMessage, result: 'NoRequest' },
	],
	['transport.relationshipTemplateAllocationsExhausted', template, ofTemplate],
	[
		'consumption.relationshipTemplateProcessed',
		{ template, result: 'RelationshipExists', relationshipId: 'REL1' },
		{ relationshipId: 'REL1', ...ofTemplate, result: 'RelationshipExists' },
	],
	['consumption.attributeCreated', attribute, ofAttribute],
	['consumption.attributeWasViewedAtChanged', attribute, ofAttribute],
	[
		'consumption.peerSharedAttributeSucceeded',
		{ predecessor: attribute, successor },
		{ ...ofAttribute, attributeId: 'ATT2', value: 'Grace', previousValue: 'Ada' },
	],
	[
		'consumption.incomingRequestReceived',
		request,
		{ ...ofRequest, content: { title: 'About you' } },
	],
	[
		'consumption.outgoingRequestStatusChanged',
		{ request, oldStatus: 'Draft', newStatus: 'Open' },
		ofRequest,
	],
];

const withoutRecord: readonly Example[] = [
	['runtime.modulesStarted', {}, {}],
	[
		'transport.relationshipDecomposedBySelf',
		{ relationshipId: 'REL1' },
		{ relationshipId: 'REL1' },
	],
	['transport.ofTheFuture', message, {}],
];

describe('an item of the trigger', () => {
	async function itemOf(event: string, data: JsonObject, simplify: boolean): Promise<object> {
		const given: AnyEvent = { id, sequence: 1, event, createdAt, data };
		const { signal } = new AbortController();
		const [item] = await toEventItems([given], bench.wallet, { signal, simplify });
		return item?.json ?? {};
	}

	it.each(examples)('of %s ends with what workflows need', async (event, data, expected) => {
		const item = await itemOf(event, data, true);
		expect(item).toEqual({
			event,
			eventName: expect.any(String),
			id,
			createdAt,
			...expected,
		});
		const documented = Object.keys(eventOutputSchema.shape);
		expect(documented.filter((name) => name in item)).toEqual(Object.keys(item));
	});

	it.each(examples)('of %s has all data if it is not simplified', async (event, data, expected) => {
		expect(await itemOf(event, data, false)).toEqual({
			event,
			eventName: expect.any(String),
			id,
			createdAt,
			...expected,
			data,
		});
	});

	it.each(withoutRecord)('of %s always has all data', async (event, data, expected) => {
		expect(await itemOf(event, data, true)).toEqual({
			event,
			eventName: expect.any(String),
			id,
			createdAt,
			...expected,
			data,
		});
	});

	const byPeer = { createdBy: 'did:e:peer' };
	it.each<[string, string, JsonObject]>([
		[
			'Relationship Requested',
			'transport.relationshipChanged',
			{ peer: 'did:e:peer', auditLog: [{ ...byPeer, reason: 'Creation' }] },
		],
		[
			'Relationship Ended',
			'transport.relationshipChanged',
			{ auditLog: [{ oldStatus: 'Active', newStatus: 'Terminated' }] },
		],
		['Relationship Changed', 'transport.relationshipChanged', { auditLog: [] }],
		['Mail Received', 'transport.messageReceived', message],
		[
			'Message Received',
			'transport.messageReceived',
			{ ...message, content: { '@type': 'ArbitraryMessageContent', value: 7 } },
		],
		[
			'Attribute Changed',
			'consumption.peerSharedAttributeSucceeded',
			{ predecessor: attribute, successor },
		],
		['Peer To Be Deleted', 'transport.peerToBeDeleted', relationship],
		['Template Used Up', 'transport.relationshipTemplateAllocationsExhausted', template],
		['Modules Started', 'runtime.modulesStarted', {}],
	])('says %s for %s', async (eventName, event, data) => {
		expect(await itemOf(event, data, true)).toMatchObject({ event, eventName });
	});
});
