import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { GatewayEvent, GatewayFacade } from '../../../core';
import { PeerProfiles } from '../helpers/peers';
import { optional, textMember } from '../helpers/simplify';
import type { EventOutput } from '../schemas/output-schemas';

/**
 * Events as items: what workflows need most stands flat in front, the whole record in `data`. The id
 * is the same whenever an event is delivered again.
 */
export async function toEventItems(
	events: readonly GatewayEvent[],
	gateway: GatewayFacade,
	options: { readonly signal: AbortSignal },
): Promise<INodeExecutionData[]> {
	const profiles = new PeerProfiles(gateway, options);
	const items: INodeExecutionData[] = [];
	for (const event of events) {
		items.push({ json: (await describeEvent(event, profiles)) as unknown as IDataObject });
	}
	return items;
}

async function describeEvent(event: GatewayEvent, profiles: PeerProfiles): Promise<EventOutput> {
	const { data } = event;
	const isRelationship = Array.isArray(data['auditLog']);
	const profile = event.peer === undefined ? undefined : await profiles.ofAddress(event.peer);
	return {
		event: event.event,
		id: event.id,
		createdAt: event.createdAt,
		...optional('peer', event.peer),
		...optional('peerName', profile?.name),
		...optional('relationshipId', textMember(data, 'relationshipId')),
		...(isRelationship ? relationshipMembers(data) : {}),
		...(isRelationship ? optional('sharedAttributes', profile?.sharedAttributes) : {}),
		...(event.event.startsWith('transport.message') ? messageMembers(data) : {}),
		data,
	};
}

function relationshipMembers(data: GatewayEvent['data']) {
	const template = objectMember(data, 'template');
	return {
		...optional('relationshipId', textMember(data, 'id')),
		...optional('status', textMember(data, 'status')),
		...optional('templateId', textMember(template, 'id')),
		...optional('templateTitle', textMember(objectMember(template, 'content'), 'title')),
	};
}

function messageMembers(data: GatewayEvent['data']) {
	const content = objectMember(data, 'content');
	return {
		...optional('messageId', textMember(data, 'id')),
		...optional('messageType', textMember(content, '@type')),
		...optional('subject', textMember(content, 'subject')),
		...optional('body', textMember(content, 'body')),
	};
}

function objectMember(object: object, name: string): object {
	const value: unknown = Object.hasOwn(object, name)
		? (object as Record<string, unknown>)[name]
		: undefined;
	return typeof value === 'object' && value !== null ? value : {};
}
