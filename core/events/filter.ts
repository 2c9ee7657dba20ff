import { ownMember, ownText, type JsonObject } from '../model/json';
import type { OutboxEvent } from '../model/record/event';
import { carriedRecord } from './carried-record';
import { eventIn, eventNamesIn } from './event-names';
import { unknownName } from './event-pattern';
import type { AnyEvent, EventFilter, RelationshipChange } from './event-types';

/**
 * Tests whether an event passes a filter. `names` and `peers` apply to every event. The other
 * conditions narrow only the kinds of events they concern and let other kinds pass, so that one
 * consumer can ask for pending relationships and for all mails. `selectEvents` compares the purposes,
 * which are not written in all events.
 */
export function fitsFilter(event: OutboxEvent, filter: EventFilter): boolean {
	const shown = eventIn(filter.version ?? 6, event);
	if (shown === undefined) return false;
	if (filter.names?.some((name) => name === shown.name) === false) return false;
	if (filter.peers !== undefined && !anyOf(filter.peers, peersOf(event))) return false;
	if (filter.only?.includes('answers') === true && isOtherChange(event)) return false;
	if (filter.only?.includes('sharedByPeers') === true && isOwnAttribute(event)) return false;
	if (filter.only?.includes('mails') === true && isOtherMessage(event, (type) => type === 'Mail')) {
		return false;
	}
	if (filter.only?.includes('contents') === true && isOtherMessage(event, isContent)) return false;
	const { relationshipChanges } = filter;
	if (relationshipChanges !== undefined && isOtherRelationshipChange(event, relationshipChanges)) {
		return false;
	}
	return fitsRecord(event, filter);
}

/** Tests whether an event, as consumers get it, passes a filter. */
export function passesFilter({ event: name, ...event }: AnyEvent, filter: EventFilter): boolean {
	return fitsFilter({ ...event, name }, filter);
}

/**
 * Refuses names that no event has: a consumer would wait for them without end.
 *
 * @throws `error.gateway.events.unknownName`
 */
export function requireKnownNames({ names, version = 6 }: EventFilter): void {
	const known = eventNamesIn(version);
	const unknown = names?.find((name) => !known.includes(name));
	if (unknown !== undefined) throw unknownName(unknown, version, 'names');
}

/** Checks the conditions on the kind of record that the event carries. */
function fitsRecord({ name, data }: OutboxEvent, filter: EventFilter): boolean {
	const { about, member } = carriedRecord(name);
	const recordText = (...path: string[]): string | undefined =>
		text(data, ...(member === undefined ? path : [member, ...path]));
	switch (about) {
		case 'relationship':
			return (
				fits(filter.relationshipStatuses, recordText('status')) &&
				fits(filter.templateIds, recordText('template', 'id'))
			);
		case 'message':
			return fits(filter.messageTypes, recordText('content', '@type'));
		case 'template':
			return fits(filter.templateIds, recordText('id'));
		case 'incomingRequest':
		case 'outgoingRequest':
			return fits(filter.requestStatuses, text(data, 'newStatus') ?? recordText('status'));
		default:
			return true;
	}
}

/** Detects a status change of an own request other than the arrival of its answer. */
function isOtherChange({ name, data }: OutboxEvent): boolean {
	const isChange = name === 'consumption.outgoingRequestStatusChanged';
	return isChange && text(data, 'newStatus') !== 'Completed';
}

/** Detects a change of a relationship of another kind than the wanted ones. */
function isOtherRelationshipChange(
	{ name, data }: OutboxEvent,
	wanted: readonly RelationshipChange[],
): boolean {
	if (name !== 'transport.relationshipChanged') return false;
	const kind = changeOf(data);
	return kind === undefined || !wanted.includes(kind);
}

function changeOf(relationship: JsonObject): RelationshipChange | undefined {
	const { auditLog } = relationship;
	const last: unknown = Array.isArray(auditLog) ? auditLog.at(-1) : undefined;
	const entry = (part: string): string | undefined => ownText(last, part);
	if (entry('reason') === 'AcceptanceOfCreation') return 'accepted';
	if (entry('oldStatus') === 'Active' && entry('newStatus') !== 'Active') return 'ended';
	const isByPeer = entry('createdBy') === text(relationship, 'peer');
	return entry('reason') === 'Creation' && isByPeer ? 'requested' : undefined;
}

/** Detects the creation of an attribute by this account. */
function isOwnAttribute({ name, data }: OutboxEvent): boolean {
	if (name !== 'consumption.attributeCreated') return false;
	const peer = text(data, 'shareInfo', 'peer');
	return peer === undefined || peer !== text(data, 'content', 'owner');
}

/** Detects a received message of another type than the wanted ones. */
function isOtherMessage(
	{ name, data }: OutboxEvent,
	isWanted: (type: string | undefined) => boolean,
): boolean {
	return name === 'transport.messageReceived' && !isWanted(text(data, 'content', '@type'));
}

/** True for content that people or programs write, and not for a part of the protocol. */
function isContent(type: string | undefined): boolean {
	return type !== 'Request' && type !== 'ResponseWrapper' && type !== 'Notification';
}

/** Peers that an event concerns; for messages, the sender and all recipients. */
export function peersOf(event: OutboxEvent): string[] {
	const { data } = event;
	const recipients = Array.isArray(data['recipients']) ? data['recipients'] : [];
	const named = [
		event.peer,
		text(data, 'peer'),
		text(data, 'createdBy'),
		text(data, 'request', 'peer'),
		text(data, 'shareInfo', 'peer'),
		text(data, 'successor', 'shareInfo', 'peer'),
	];
	for (const recipient of recipients) {
		named.push(text({ recipient }, 'recipient'), text({ recipient }, 'recipient', 'address'));
	}
	return named.filter((peer) => peer !== undefined);
}

function anyOf(wanted: readonly string[], found: readonly string[]): boolean {
	return found.some((value) => wanted.includes(value));
}

function fits(wanted: readonly string[] | undefined, found: string | undefined): boolean {
	return wanted === undefined || (found !== undefined && wanted.includes(found));
}

function text(data: JsonObject, ...path: string[]): string | undefined {
	const value = path.reduce<unknown>(ownMember, data);
	return typeof value === 'string' ? value : undefined;
}
