import type { Json, JsonObject } from '../model/json';
import type { OutboxEvent } from '../model/record/event';
import type { EventFilter } from './event-types';

/**
 * Whether the event fits. `names` and `peers` concern every event; the other conditions narrow the
 * kind of event they speak about and let other kinds pass, so that one consumer can ask for pending
 * relationships and for all mails.
 */
export function fitsFilter(event: OutboxEvent, filter: EventFilter): boolean {
	if (filter.names !== undefined && !filter.names.includes(event.name)) return false;
	if (filter.peers !== undefined && !anyOf(filter.peers, peersOf(event))) return false;
	if (filter.only?.includes('answers') === true && isOtherChange(event)) return false;
	if (filter.only?.includes('sharedByPeers') === true && isOwnAttribute(event)) return false;
	const { data } = event;
	if (isRelationship(data)) {
		if (!fits(filter.relationshipStatuses, text(data, 'status'))) return false;
		return fits(filter.templateIds, text(data, 'template', 'id'));
	}
	if (event.name.startsWith('transport.message')) {
		return fits(filter.messageTypes, text(data, 'content', '@type'));
	}
	if (isAboutTemplate(event.name)) {
		return fits(filter.templateIds, text(data, 'id') ?? text(data, 'template', 'id'));
	}
	if (event.name.includes('Request')) return fits(filter.requestStatuses, requestStatusOf(data));
	return true;
}

/** A change of an own request that is not its answer. */
function isOtherChange({ name, data }: OutboxEvent): boolean {
	const isChange = name === 'consumption.outgoingRequestStatusChanged';
	return isChange && text(data, 'newStatus') !== 'Completed';
}

/** An attribute that was created here. */
function isOwnAttribute({ name, data }: OutboxEvent): boolean {
	if (name !== 'consumption.attributeCreated') return false;
	const peer = text(data, 'shareInfo', 'peer');
	return peer === undefined || peer !== text(data, 'content', 'owner');
}

function isRelationship(data: JsonObject): boolean {
	return Object.hasOwn(data, 'auditLog') && Object.hasOwn(data, 'peer');
}

function isAboutTemplate(name: string): boolean {
	return /relationshipTemplate/i.test(name);
}

/** Changes of status carry `{request, oldStatus, newStatus}`, the other events the request itself. */
function requestStatusOf(data: JsonObject): string | undefined {
	return text(data, 'newStatus') ?? text(data, 'request', 'status') ?? text(data, 'status');
}

/** The peer an event is about; for messages everybody who takes part. */
function peersOf(event: OutboxEvent): string[] {
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
	for (const recipient of recipients) named.push(text({ recipient }, 'recipient', 'address'));
	return named.filter((peer) => peer !== undefined);
}

function anyOf(wanted: readonly string[], found: readonly string[]): boolean {
	return found.some((value) => wanted.includes(value));
}

function fits(wanted: readonly string[] | undefined, found: string | undefined): boolean {
	return wanted === undefined || (found !== undefined && wanted.includes(found));
}

function text(data: JsonObject, ...path: string[]): string | undefined {
	let value: Json | undefined = data;
	for (const name of path) {
		if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
		value = Object.hasOwn(value, name) ? value[name] : undefined;
	}
	return typeof value === 'string' ? value : undefined;
}
