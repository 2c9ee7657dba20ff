import type { Json, JsonObject } from '../model/json';
import type { OutboxEvent } from '../model/record/event';
import type { EventFilter } from './event-types';

/** Whether the event fits: every condition that is given must hold for events it speaks about. */
export function fitsFilter(event: OutboxEvent, filter: EventFilter): boolean {
	if (filter.names !== undefined && !filter.names.includes(event.name)) return false;
	const { data } = event;
	if (filter.peers !== undefined && !anyOf(filter.peers, peersOf(event))) return false;
	if (isRelationship(data)) {
		if (!fits(filter.relationshipStatuses, text(data, 'status'))) return false;
		return fits(filter.templateIds, text(data, 'template', 'id'));
	}
	if (event.name.startsWith('transport.message')) {
		return fits(filter.messageTypes, text(data, 'content', '@type'));
	}
	if (event.name.includes('Request')) {
		return fits(filter.requestStatuses, text(data, 'status'));
	}
	return true;
}

function isRelationship(data: JsonObject): boolean {
	return Object.hasOwn(data, 'auditLog') && Object.hasOwn(data, 'peer');
}

/** The peer an event is about; for messages everybody who takes part. */
function peersOf(event: OutboxEvent): string[] {
	const { data } = event;
	const recipients = Array.isArray(data['recipients']) ? data['recipients'] : [];
	const named = [event.peer, text(data, 'peer'), text(data, 'createdBy')];
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
