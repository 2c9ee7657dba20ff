import type { INodeProperties } from 'n8n-workflow';
import type { EventFilter, EventName, RelationshipChange } from '../../../core';

/** Value of the choice for all events. */
export const anyEvent = 'any';

/** Events that one choice selects. */
interface EventChoice {
	readonly names: readonly EventName[];
	/** restricts a choice to some of the events of a name */
	readonly only?: NonNullable<EventFilter['only']>[number];
	/** restricts a choice to changes of relationships of one kind */
	readonly relationshipChange?: RelationshipChange;
}

/** Name of the event for every change of a relationship. */
export const relationshipChanged = 'transport.relationshipChanged';

/** Name of the event for every received message. */
export const messageReceived = 'transport.messageReceived';

/** Choices that select events of several names, or some of the events of a name. */
export const eventChoices: Readonly<Record<string, EventChoice>> = {
	'peer.attributeChanged': {
		names: [
			'consumption.peerSharedAttributeSucceeded',
			'consumption.thirdPartyRelationshipAttributeSucceeded',
		],
	},
	'peer.attributeDeleted': {
		names: [
			'consumption.ownSharedAttributeDeletedByOwner',
			'consumption.peerSharedAttributeDeletedByPeer',
			'consumption.thirdPartyRelationshipAttributeDeletedByPeer',
		],
	},
	'peer.attributeShared': { names: ['consumption.attributeCreated'], only: 'sharedByPeers' },
	'peer.outgoingRequestAnswered': {
		names: [
			'consumption.outgoingRequestCreatedAndCompleted',
			'consumption.outgoingRequestStatusChanged',
		],
		only: 'answers',
	},
	'peer.mailReceived': { names: [messageReceived], only: 'mails' },
	'relationship.accepted': { names: [relationshipChanged], relationshipChange: 'accepted' },
	'relationship.ended': { names: [relationshipChanged], relationshipChange: 'ended' },
	'relationship.requested': { names: [relationshipChanged], relationshipChange: 'requested' },
};

/** Names of the events that a choice selects; other choices are the name of an event. */
export function eventNamesOf(choice: string): readonly string[] {
	return eventChoices[choice]?.names ?? [choice];
}

/** The node panel lists each option as a separate trigger, by its `action`. */
export const events = {
	displayName: 'Events',
	name: 'events',
	type: 'multiOptions',
	required: true,
	default: [],
	options: [
		{
			name: 'Answer Refused',
			value: 'gateway.answerRefused',
			action: 'On answer refused',
			description:
				'A peer gave an answer that does not count, for example a second one. The data says why.',
		},
		{
			name: 'Any Event',
			value: anyEvent,
			action: 'On any event',
			description: 'Everything that happens in this account, including actions of workflows',
		},
		{
			name: 'Attribute Changed',
			value: 'peer.attributeChanged',
			action: 'On attribute changed',
			description: 'A peer has sent a new value of an attribute that it had shared',
		},
		{
			name: 'Attribute Deleted',
			value: 'peer.attributeDeleted',
			action: 'On attribute deleted',
			description: 'A peer has deleted something it had shared, or what you had shared with it',
		},
		{
			name: 'Attribute Shared',
			value: 'peer.attributeShared',
			action: 'On attribute shared',
			description: 'A peer has shared something about itself, one event per attribute',
		},
		{
			name: 'Incoming Request Received',
			value: 'consumption.incomingRequestReceived',
			action: 'On incoming request received',
			description: 'A peer asks for something, with a message or a template that was loaded',
		},
		{
			name: 'Incoming Request Status Changed',
			value: 'consumption.incomingRequestStatusChanged',
			action: 'On incoming request status changed',
			description:
				'A request of a peer waits for a decision, was decided, answered, or has expired',
		},
		{
			name: 'Mail Received',
			value: 'peer.mailReceived',
			action: 'On mail received',
			description: 'A person has written, with subject and text',
		},
		{
			name: 'Message Received',
			value: messageReceived,
			action: 'On message received',
			description:
				'A peer has sent a mail or content of a kind of its own. An option adds requests, responses and notifications, which have events of their own.',
		},
		{
			name: 'Peer Deleted',
			value: 'transport.peerDeleted',
			action: 'On peer deleted',
			description: 'The identity of a peer is gone',
		},
		{
			name: 'Peer Deletion Cancelled',
			value: 'transport.peerDeletionCancelled',
			action: 'On peer deletion cancelled',
			description: 'A peer has decided to keep its identity after all',
		},
		{
			name: 'Peer To Be Deleted',
			value: 'transport.peerToBeDeleted',
			action: 'On peer to be deleted',
			description: 'A peer has announced that its identity will be deleted',
		},
		{
			name: 'Relationship Accepted',
			value: 'relationship.accepted',
			action: 'On relationship accepted',
			description: 'A person is connected now, because this account or the person has accepted',
		},
		{
			name: 'Relationship Changed',
			value: relationshipChanged,
			action: 'On relationship changed',
			description: 'Any change of a relationship, also of its status',
		},
		{
			name: 'Relationship Decomposed',
			value: 'transport.relationshipDecomposedBySelf',
			action: 'On relationship decomposed',
			description:
				'This account has removed a relationship. A filter by peer always excludes this event.',
		},
		{
			name: 'Relationship Ended',
			value: 'relationship.ended',
			action: 'On relationship ended',
			description: 'A person is no longer connected: one of both has ended the relationship',
		},
		{
			name: 'Relationship Reactivation Completed',
			value: 'transport.relationshipReactivationCompleted',
			action: 'On relationship reactivation completed',
			description:
				'A request to make a relationship active again was accepted, rejected or revoked',
		},
		{
			name: 'Relationship Reactivation Requested',
			value: 'transport.relationshipReactivationRequested',
			action: 'On relationship reactivation requested',
			description: 'This account or a peer wants to make a terminated relationship active again',
		},
		{
			name: 'Relationship Requested',
			value: 'relationship.requested',
			action: 'On relationship requested',
			description: 'A person wants to connect, usually after scanning your QR code',
		},
		{
			name: 'Request Answered',
			value: 'peer.outgoingRequestAnswered',
			action: 'On request answered',
			description: 'A person has accepted or rejected what a template or a message asked for',
		},
		{
			name: 'Template Used Up',
			value: 'transport.relationshipTemplateAllocationsExhausted',
			action: 'On template used up',
			description:
				'A template of this account was used as often as it allows. A filter by peer always excludes this event.',
		},
	],
	description: 'What starts the workflow',
} satisfies INodeProperties;

/** Labels of the events in lower case, by their names, for the line under the node. */
export const eventLabels: Readonly<Record<string, string>> = Object.fromEntries(
	events.options.map(({ name, value }) => [value, name.toLowerCase()]),
);
