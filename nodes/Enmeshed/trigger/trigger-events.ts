import type { INodeProperties } from 'n8n-workflow';
import type { AnyEvent, EventFilter, EventName, RelationshipChange } from '../../../core';

/** Value of the choice for all events. */
export const anyEvent = 'any';

/** Events that one choice selects. */
interface EventChoice {
	readonly names: readonly EventName[];
	/** restricts a choice to some of the events of a name */
	readonly only?: NonNullable<EventFilter['only']>[number];
	/** restricts a choice to changes of relationships of one kind */
	readonly relationshipChange?: RelationshipChange;
	/** true if each event has a name of its own for people */
	readonly isCollective?: true;
}

/** Name of the event for every change of a relationship. */
export const relationshipChanged = 'transport.relationshipChanged';

/** Name of the event for every received message. */
export const messageReceived = 'transport.messageReceived';

/** Choice of the received messages that are mails. */
export const mailReceived = 'peer.mailReceived';

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
	'peer.deletion': {
		isCollective: true,
		names: [
			'transport.peerToBeDeleted',
			'transport.peerDeletionCancelled',
			'transport.peerDeleted',
		],
	},
	'peer.outgoingRequestAnswered': {
		names: [
			'consumption.outgoingRequestCreatedAndCompleted',
			'consumption.outgoingRequestStatusChanged',
		],
		only: 'answers',
	},
	[mailReceived]: { names: [messageReceived], only: 'mails' },
	'relationship.accepted': { names: [relationshipChanged], relationshipChange: 'accepted' },
	'relationship.ended': { names: [relationshipChanged], relationshipChange: 'ended' },
	'relationship.reactivation': {
		isCollective: true,
		names: [
			'transport.relationshipReactivationRequested',
			'transport.relationshipReactivationCompleted',
		],
	},
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
	// The node panel lists the events in this order, so the usual ones come first.
	options: [
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
			name: 'Mail Received',
			value: mailReceived,
			action: 'On mail received',
			description: 'A person has written, with subject and text',
		},
		{
			name: 'Relationship Accepted',
			value: 'relationship.accepted',
			action: 'On relationship accepted',
			description: 'A person is connected now, because this account or the person has accepted',
		},
		{
			name: 'Relationship Ended',
			value: 'relationship.ended',
			action: 'On relationship ended',
			description: 'A person is no longer connected: one of both has ended the relationship',
		},
		{
			name: 'Attribute Changed',
			value: 'peer.attributeChanged',
			action: 'On attribute changed',
			description: 'A peer has sent a new value of an attribute that it had shared',
		},
		{
			name: 'Attribute Shared',
			value: 'peer.attributeShared',
			action: 'On attribute shared',
			description: 'A peer has shared something about itself, one event per attribute',
		},
		{
			name: 'Attribute Deleted',
			value: 'peer.attributeDeleted',
			action: 'On attribute deleted',
			description: 'A peer has deleted something it had shared, or what you had shared with it',
		},
		{
			name: 'Incoming Request Received',
			value: 'consumption.incomingRequestReceived',
			action: 'On incoming request received',
			description: 'A peer asks for something, with a message or a template that was loaded',
		},
		{
			name: 'Message Received',
			value: messageReceived,
			action: 'On message received',
			description:
				'A peer has sent a mail or content of a kind of its own. An option adds requests, responses and notifications, which have events of their own.',
		},
		{
			name: 'Incoming Request Status Changed',
			value: 'consumption.incomingRequestStatusChanged',
			action: 'On incoming request status changed',
			description:
				'A request of a peer waits for a decision, was decided, answered, or has expired',
		},
		{
			name: 'Answer Refused',
			value: 'gateway.answerRefused',
			action: 'On answer refused',
			description:
				'A peer gave an answer that does not count, for example a second one. The data says why.',
		},
		{
			name: 'Template Used Up',
			value: 'transport.relationshipTemplateAllocationsExhausted',
			action: 'On template used up',
			description:
				'A template of this account was used as often as it allows. A filter by peer always excludes this event.',
		},
		{
			name: 'Peer Deletion',
			value: 'peer.deletion',
			action: 'On peer deletion',
			description:
				'A peer has announced that its identity will be deleted, has decided to keep it after all, or is gone',
		},
		{
			name: 'Relationship Reactivation',
			value: 'relationship.reactivation',
			action: 'On relationship reactivation',
			description:
				'A terminated relationship may become active again: this account or the peer has requested it, or the request was accepted, rejected or revoked',
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
			name: 'Any Event',
			value: anyEvent,
			action: 'On any event',
			description: 'Everything that happens in this account, including actions of workflows',
		},
	],
	description: 'What starts the workflow',
} satisfies INodeProperties;

/** Names of the choices, by their values. */
export const eventNames: Readonly<Record<string, string>> = Object.fromEntries(
	events.options.map(({ name, value }) => [value, name]),
);

/** Labels of the events in lower case, by their names, for the line under the node. */
export const eventLabels: Readonly<Record<string, string>> = Object.fromEntries(
	events.options.map(({ name, value }) => [value, name.toLowerCase()]),
);

/**
 * Name of an event for people: of the choice that selects it, the narrowest one, or else the words
 * of its technical name.
 */
export function eventNameOf(
	event: AnyEvent,
	fits: (event: AnyEvent, filter: EventFilter) => boolean,
): string {
	const choice = Object.entries(eventChoices).find(([, { isCollective, ...selected }]) => {
		if (isCollective === true) return false;
		const { names, only, relationshipChange } = selected;
		const filter = {
			names,
			...(only === undefined ? {} : { only: [only] }),
			...(relationshipChange === undefined ? {} : { relationshipChanges: [relationshipChange] }),
		};
		return fits(event, filter);
	});
	return eventNames[choice?.[0] ?? event.event] ?? wordsOf(event.event);
}

/** 'transport.peerDeleted' as 'Peer Deleted'. */
function wordsOf(technicalName: string): string {
	const name = technicalName.replace(/^.*\./, '').replace(/([A-Z])/g, ' $1');
	return name.charAt(0).toUpperCase() + name.slice(1);
}
