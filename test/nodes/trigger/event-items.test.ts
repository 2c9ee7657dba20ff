import type { GatewayEvent } from '../../../core';
import type { JsonObject } from '../../../core/model/json';
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
};
const ofTemplate = { templateId: 'RLT1', templateTitle: 'Onboarding' };
const ofAttribute = { attributeId: 'ATT1', attributeType: 'GivenName', value: 'Ada' };
const ofRequest = {
	requestId: 'REQ1',
	requestTitle: 'About you',
	status: 'Open',
	messageId: 'MSG1',
};

describe('an item of the trigger', () => {
	it.each<readonly [string, JsonObject, object]>([
		['runtime.modulesStarted', {}, {}],
		[
			'transport.relationshipDecomposedBySelf',
			{ relationshipId: 'REL1' },
			{ relationshipId: 'REL1' },
		],
		[
			'transport.peerDeleted',
			relationship,
			{ relationshipId: 'REL1', status: 'Active', ...ofTemplate },
		],
		['transport.messageReceived', message, ofMessage],
		['consumption.messageProcessed', { message, result: 'NoRequest' }, ofMessage],
		['transport.relationshipTemplateAllocationsExhausted', template, ofTemplate],
		['consumption.relationshipTemplateProcessed', { template, result: 'NoRequest' }, ofTemplate],
		['consumption.attributeCreated', attribute, ofAttribute],
		['consumption.attributeWasViewedAtChanged', attribute, ofAttribute],
		[
			'consumption.peerSharedAttributeSucceeded',
			{ predecessor: attribute, successor },
			{ ...ofAttribute, attributeId: 'ATT2', value: 'Grace', previousValue: 'Ada' },
		],
		['consumption.incomingRequestReceived', request, ofRequest],
		[
			'consumption.outgoingRequestStatusChanged',
			{ request, oldStatus: 'Draft', newStatus: 'Open' },
			ofRequest,
		],
		['transport.ofTheFuture', message, {}],
	])('of %s shows in front what the record says', async (event, data, expected) => {
		const given: GatewayEvent = { id, sequence: 1, event, createdAt, data };
		const [item] = await toEventItems([given], bench.wallet, {
			signal: new AbortController().signal,
		});
		expect(item?.json).toEqual({ event, id, createdAt, ...expected, data });
	});
});
