import type { INodeProperties, NodeParameterValue } from 'n8n-workflow';
import { simplify } from '../descriptions/common';
import { peerLocator, templateLocator } from '../descriptions/locators';
import { messageTypes } from '../descriptions/message-types';
import { purpose } from '../descriptions/purpose';
import { relationshipStatuses } from '../descriptions/relationship-statuses';
import { requestStatuses } from '../descriptions/request-statuses';
import {
	anyEvent,
	events,
	mailReceived,
	messageReceived,
	relationshipChanged,
} from './trigger-events';

const templateUsedUp = 'transport.relationshipTemplateAllocationsExhausted';
const withoutPeer: readonly unknown[] = ['transport.relationshipDecomposedBySelf', templateUsedUp];

/** Values of the events that a filter applies to. */
const aboutMessages = [anyEvent, messageReceived];
const withFiles = [...aboutMessages, mailReceived];
const aboutPeers = events.options
	.map(({ value }) => value)
	.filter((value) => !withoutPeer.includes(value));
const aboutPurposes = [...aboutPeers, templateUsedUp];
const aboutStatuses = [anyEvent, relationshipChanged, 'relationship.reactivation'];
const aboutRequestStatuses = [
	anyEvent,
	'consumption.incomingRequestReceived',
	'consumption.incomingRequestStatusChanged',
];
const aboutTemplates = [
	...aboutStatuses,
	'relationship.accepted',
	'relationship.ended',
	'relationship.requested',
	templateUsedUp,
];

/** Shows a filter while one of the chosen events can have what it filters by. */
function forEvents(
	values: readonly NodeParameterValue[],
	filter: INodeProperties,
): INodeProperties {
	return { ...filter, displayOptions: { show: { '/events': [...values] } } };
}

const filters: INodeProperties = {
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add Filter',
	default: {},
	options: [
		forEvents(aboutMessages, { ...messageTypes, description: 'Only messages of these types' }),
		forEvents(aboutPeers, { ...peerLocator(), description: 'Only events of this peer' }),
		forEvents(aboutPurposes, {
			...purpose,
			description:
				'Only people who connected for this purpose. An answer to a template has the purpose of that template, whatever the person connected for.',
		}),
		forEvents(aboutStatuses, {
			...relationshipStatuses,
			description: 'Only relationships that have one of these states',
		}),
		forEvents(aboutRequestStatuses, {
			...requestStatuses(),
			description: 'Only requests that have one of these states',
		}),
		forEvents(aboutTemplates, {
			...templateLocator(),
			required: false,
			description: 'Only this template, and relationships that were created from it',
		}),
	],
};

const options: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	options: [
		{
			displayName: 'Accept Pending Relationships',
			name: 'acceptPendingRelationships',
			type: 'boolean',
			default: true,
			description:
				'Whether to accept every peer that wants to connect, while this workflow is published',
		},
		{
			displayName: 'Acknowledge',
			name: 'acknowledge',
			type: 'options',
			options: [
				{
					name: 'When Execution Starts',
					value: 'starts',
					description: 'Each event starts one execution, however that ends',
				},
				{
					name: 'When Execution Succeeds',
					value: 'succeeds',
					description: 'A failed execution is started again with the same event',
				},
			],
			default: 'succeeds',
			description: 'When an event counts as delivered',
		},
		forEvents(withFiles, {
			displayName: 'Download Attachments',
			name: 'downloadAttachments',
			type: 'boolean',
			default: true,
			description:
				'Whether to add the files of a received message to its item, as attachment_0, attachment_1 and so on, at most 100 for one execution. A file that is gone has an error in its place. If the Backbone cannot be reached, the event is tried again as after a failed execution.',
		}),
		{
			displayName: 'Events per Execution',
			name: 'batchSize',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 1,
			description: 'How many waiting events one execution gets at most, each as an item',
		},
		{
			displayName: 'Include Protocol Messages',
			name: 'includeProtocolMessages',
			type: 'boolean',
			displayOptions: {
				show: { '/events': [messageReceived], '@version': [{ _cnd: { gte: 1.1 } }] },
			},
			default: true,
			description:
				"Whether 'Message Received' also starts the workflow for requests, for responses to requests, and for notifications about attributes. Without this option it does so for the types that the filter 'Message Type' names.",
		},
		{
			displayName: 'Max Attempts',
			name: 'maxAttempts',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 3,
			description:
				'How often the workflow is started for an event before the event is parked. Applies only if the execution has to succeed.',
		},
		forEvents(withFiles, {
			displayName: 'Max Size of Attachments',
			name: 'maxAttachmentMegabytes',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 1000 },
			default: 50,
			description:
				"Size in MB of the files that 'Download Attachments' adds to one execution. The item says which files were left out.",
		}),
		{
			displayName: 'Parallel Executions',
			name: 'parallel',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 100 },
			default: 10,
			description:
				'How many executions may run at the same time. Events of one person always follow one another, so a slow or failing execution holds up that person only. With 1, all events follow one another. Applies only if the execution has to succeed.',
		},
		{
			displayName: 'React Immediately',
			name: 'push',
			type: 'boolean',
			default: true,
			description:
				'Whether to keep a connection to the Backbone open that reports new events at once',
		},
		{
			displayName: 'Start From',
			name: 'startFrom',
			type: 'options',
			options: [
				{
					name: 'Now',
					value: 'now',
					description: 'Only what happens after this workflow was first published',
				},
				{
					name: 'Oldest Unprocessed Event',
					value: 'oldest',
					description: 'Also earlier events, as far as they are still stored',
				},
			],
			default: 'now',
			description: 'Where a new trigger begins. Later it continues where it stopped.',
		},
		{
			displayName: 'Sync Interval',
			name: 'syncIntervalSeconds',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 60,
			description:
				'Seconds between two syncs with the Backbone. The shortest interval of all triggers of an account applies.',
		},
	],
};

const simplified: INodeProperties = {
	...simplify,
	description:
		'Whether to return the members that workflows need instead of these and the whole data of the event',
};

export const triggerFields: INodeProperties[] = [events, simplified, filters, options];
