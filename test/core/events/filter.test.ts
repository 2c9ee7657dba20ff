import { fitsFilter } from '../../../core/events/filter';
import type { EventFilter } from '../../../core/events/event-types';
import type { JsonObject } from '../../../core/model/json';
import type { OutboxEvent } from '../../../core/model/record/event';

function event(name: string, data: JsonObject, peer?: string): OutboxEvent {
	const createdAt = '2030-01-01T00:00:00.000Z';
	return { sequence: 1, name, createdAt, data, ...(peer === undefined ? {} : { peer }) };
}

const relationship = event('transport.relationshipChanged', {
	id: 'REL1',
	peer: 'did:e:a',
	status: 'Pending',
	auditLog: [],
	template: { id: 'RLT1' },
});
const message = event('transport.messageReceived', {
	id: 'MSG1',
	createdBy: 'did:e:a',
	recipients: [{ address: 'did:e:own' }],
	content: { '@type': 'Mail' },
});
const messageOf = (type: string) =>
	event('transport.messageReceived', { id: 'MSG2', content: { '@type': type } });
const custom = messageOf('ArbitraryMessageContent');
const template = event('transport.peerRelationshipTemplateLoaded', { id: 'RLT1' }, 'did:e:a');
const processed = event('consumption.relationshipTemplateProcessed', {
	template: { id: 'RLT1' },
	result: 'NoRequest',
});
const request = event('consumption.outgoingRequestCreatedAndCompleted', {
	id: 'REQ1',
	peer: 'did:e:a',
	status: 'Completed',
});
const requestChange = event('consumption.incomingRequestStatusChanged', {
	request: { id: 'REQ1', status: 'Decided', peer: 'did:e:a' },
	oldStatus: 'Open',
	newStatus: 'Decided',
});
const sent = event('consumption.outgoingRequestStatusChanged', {
	request: { id: 'REQ1', status: 'Open', peer: 'did:e:a' },
	oldStatus: 'Draft',
	newStatus: 'Open',
});
const answered = event('consumption.outgoingRequestStatusChanged', {
	request: { id: 'REQ1', status: 'Completed', peer: 'did:e:a' },
	oldStatus: 'Open',
	newStatus: 'Completed',
});
const ownAttribute = event('consumption.attributeCreated', {
	id: 'ATT1',
	content: { owner: 'did:e:own' },
});
const sharedAttribute = event('consumption.attributeCreated', {
	id: 'ATT2',
	content: { owner: 'did:e:a' },
	shareInfo: { peer: 'did:e:a' },
});
const createdForPeer = event('consumption.attributeCreated', {
	id: 'ATT3',
	content: { owner: 'did:e:own' },
	shareInfo: { peer: 'did:e:a' },
});
const notSent = event('gateway.messageNotSent', { recipients: ['did:e:a', 'did:e:b'] });
const processedMessage = event('consumption.messageProcessed', {
	message: { id: 'MSG1', content: { '@type': 'Mail' } },
	result: 'NoRequest',
});
const unknown = event('transport.messageOfTheFuture', { id: 'MSG1' });
const hostile = event(
	'transport.messageReceived',
	JSON.parse('{"__proto__":{"content":{"@type":"Mail"}},"recipients":[null,7,"x"]}') as JsonObject,
);

/** A relationship with peer did:e:a after its last change. */
const changed = (
	reason: string,
	createdBy: string,
	[oldStatus, newStatus]: readonly [string | undefined, string],
): OutboxEvent =>
	event('transport.relationshipChanged', {
		id: 'REL1',
		peer: 'did:e:a',
		status: newStatus,
		auditLog: [
			{ reason: 'Creation', createdBy: 'did:e:a', newStatus: 'Pending' },
			{ reason, createdBy, newStatus, ...(oldStatus === undefined ? {} : { oldStatus }) },
		],
	});
const peer = 'did:e:a';
const own = 'did:e:own';

describe('changes of relationships, by their kind', () => {
	it.each<readonly [string, OutboxEvent, EventFilter['relationshipChanges']]>([
		['a peer wants to connect', changed('Creation', peer, [undefined, 'Pending']), ['requested']],
		['this account wants to connect', changed('Creation', own, [undefined, 'Pending']), []],
		[
			'this account accepts',
			changed('AcceptanceOfCreation', own, ['Pending', 'Active']),
			['accepted'],
		],
		['a peer accepts', changed('AcceptanceOfCreation', peer, ['Pending', 'Active']), ['accepted']],
		['a peer is rejected', changed('RejectionOfCreation', own, ['Pending', 'Rejected']), []],
		['a peer withdraws', changed('RevocationOfCreation', peer, ['Pending', 'Revoked']), []],
		['a peer leaves', changed('Termination', peer, ['Active', 'Terminated']), ['ended']],
		['this account leaves', changed('Termination', own, ['Active', 'Terminated']), ['ended']],
		[
			'a peer is deleted',
			changed('DecompositionDueToIdentityDeletion', peer, ['Active', 'DeletionProposed']),
			['ended'],
		],
		['a peer removes it', changed('Decomposition', peer, ['Terminated', 'DeletionProposed']), []],
		[
			'it becomes active again',
			changed('AcceptanceOfReactivation', peer, ['Terminated', 'Active']),
			[],
		],
		['reactivation is asked for', changed('ReactivationRequested', peer, ['Active', 'Active']), []],
		['nothing says why', relationship, []],
	])('%s', (_name, relationshipEvent, kinds) => {
		const all = ['requested', 'accepted', 'ended'] as const;
		const found = all.filter((kind) =>
			fitsFilter(relationshipEvent, { relationshipChanges: [kind] }),
		);
		expect(found).toEqual(kinds);
		expect(fitsFilter(relationshipEvent, { relationshipChanges: all })).toBe(found.length > 0);
	});

	it('say nothing of other events', () => {
		expect(fitsFilter(message, { relationshipChanges: ['ended'] })).toBe(true);
	});
});

describe('an event filter', () => {
	it.each<readonly [string, OutboxEvent, EventFilter, boolean]>([
		['without conditions takes everything', relationship, {}, true],
		[
			'takes a wanted name',
			message,
			{ names: ['transport.peerDeleted', 'transport.messageReceived'] },
			true,
		],
		['refuses another name', message, { names: ['transport.peerDeleted'] }, false],
		['takes nothing when it wants no name', message, { names: [] }, false],
		['takes a wanted status', relationship, { relationshipStatuses: ['Pending'] }, true],
		['refuses another status', relationship, { relationshipStatuses: ['Active'] }, false],
		['lets mails pass a condition on relationships', message, { relationshipStatuses: [] }, true],
		['takes the template of a relationship', relationship, { templateIds: ['RLT1'] }, true],
		['refuses another template', relationship, { templateIds: ['RLT2'] }, false],
		['knows the template of a template event', template, { templateIds: ['RLT2'] }, false],
		['knows the template inside an event', processed, { templateIds: ['RLT1'] }, true],
		['takes a wanted kind of message', message, { messageTypes: ['Mail'] }, true],
		['refuses another kind of message', message, { messageTypes: ['Request'] }, false],
		['knows the message inside an event', processedMessage, { messageTypes: ['Mail'] }, true],
		['refuses another kind inside an event', processedMessage, { messageTypes: ['x'] }, false],
		['lets events of unknown names pass', unknown, { messageTypes: ['Mail'] }, true],
		['takes a wanted request status', request, { requestStatuses: ['Completed'] }, true],
		['refuses another request status', request, { requestStatuses: ['Open'] }, false],
		['knows the peer of a changed request', answered, { peers: ['did:e:b'] }, false],
		['knows the peer of a shared attribute', sharedAttribute, { peers: ['did:e:a'] }, true],
		['takes an answer', answered, { only: ['answers'] }, true],
		['takes the answer to a template', request, { only: ['answers'] }, true],
		['refuses other changes of a request', sent, { only: ['answers'] }, false],
		['lets other events pass where answers are wanted', message, { only: ['answers'] }, true],
		['takes what a peer shared', sharedAttribute, { only: ['sharedByPeers'] }, true],
		['refuses attributes of our own', ownAttribute, { only: ['sharedByPeers'] }, false],
		['refuses what we gave to a peer', createdForPeer, { only: ['sharedByPeers'] }, false],
		['takes a mail where mails are wanted', message, { only: ['mails'] }, true],
		['refuses other content there', custom, { only: ['mails'] }, false],
		['takes content of its own kind', custom, { only: ['contents'] }, true],
		['takes a mail where contents are wanted', message, { only: ['contents'] }, true],
		['refuses a request there', messageOf('Request'), { only: ['contents'] }, false],
		['refuses a response there', messageOf('ResponseWrapper'), { only: ['contents'] }, false],
		['refuses a notification there', messageOf('Notification'), { only: ['contents'] }, false],
		['lets other events pass where mails are wanted', sent, { only: ['mails'] }, true],
		['judges a change by the new status', requestChange, { requestStatuses: ['Decided'] }, true],
		['and not by the old one', requestChange, { requestStatuses: ['Open'] }, false],
		['takes a relationship by its peer', relationship, { peers: ['did:e:a'] }, true],
		['takes a message by its creator', message, { peers: ['did:e:a'] }, true],
		['takes a message by its recipient', message, { peers: ['did:e:own'] }, true],
		['takes a mail that was given up by its recipient', notSent, { peers: ['did:e:b'] }, true],
		['takes any event by its peer', template, { peers: ['did:e:a'] }, true],
		['refuses another peer', message, { peers: ['did:e:b'] }, false],
		[
			'needs all conditions',
			message,
			{ names: ['transport.messageReceived'], messageTypes: ['x'] },
			false,
		],
		['reads no inherited members', hostile, { messageTypes: ['Mail'] }, false],
		['survives members of other shapes', hostile, { peers: ['did:e:a'] }, false],
	])('%s', (_name, given, filter, expected) => {
		expect(fitsFilter(given, filter)).toBe(expected);
	});
});
