import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { GatewayEvent, GatewayFacade } from '../../../core';
import { isNotFound } from '../helpers/not-found';
import { describeAttribute, PeerProfiles } from '../helpers/peers';
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
		const described = await describeEvent(event, profiles);
		const answers = await answersIn(event, gateway, options);
		items.push({ json: { ...described, ...answers } as unknown as IDataObject });
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
		...(/relationshipTemplate/i.test(event.event) ? templateMembers(data) : {}),
		...(isAboutRequest(event) ? requestMembers(data) : {}),
		...(/Attribute(Created|Deleted|Succeeded)/i.test(event.event) ? attributeMembers(data) : {}),
		data,
	};
}

function relationshipMembers(data: GatewayEvent['data']) {
	return {
		...optional('relationshipId', textMember(data, 'id')),
		...optional('status', textMember(data, 'status')),
		...templateMembers(objectMember(data, 'template')),
	};
}

function templateMembers(template: object) {
	return {
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

function isAboutRequest({ event }: GatewayEvent): boolean {
	return /^consumption\.(incoming|outgoing)Request/.test(event);
}

/** Changes of status carry the request inside. */
function requestIn(data: GatewayEvent['data']): object {
	return Object.hasOwn(data, 'request') ? objectMember(data, 'request') : data;
}

function requestMembers(data: GatewayEvent['data']) {
	const request = requestIn(data);
	const source = objectMember(request, 'source');
	const response = objectMember(request, 'response');
	const answeredBy = objectMember(response, 'source');
	const isTemplate = textMember(source, 'type') === 'RelationshipTemplate';
	// The answer to a template asks for a relationship, which is usually accepted next.
	const isByRelationship = textMember(answeredBy, 'type') === 'Relationship';
	return {
		...(isByRelationship ? optional('relationshipId', textMember(answeredBy, 'reference')) : {}),
		...optional('requestId', textMember(request, 'id')),
		...optional('requestTitle', textMember(objectMember(request, 'content'), 'title')),
		...optional('status', textMember(request, 'status')),
		...optional('result', textMember(objectMember(response, 'content'), 'result')),
		...optional(isTemplate ? 'templateId' : 'messageId', textMember(source, 'reference')),
	};
}

/** What was answered to an own request, by what was asked for. Gone with it, when it was removed. */
async function answersIn(
	event: GatewayEvent,
	gateway: GatewayFacade,
	options: { readonly signal: AbortSignal },
): Promise<Pick<EventOutput, 'answers'>> {
	const request = requestIn(event.data);
	const id = textMember(request, 'id');
	const isAnswered = isAboutRequest(event) && Object.hasOwn(request, 'response');
	if (!isAnswered || id === undefined || event.event.includes('incoming')) return {};
	const answers = gateway.outgoingRequests.answers(id, options);
	return await answers.then(
		(found) => ({ answers: found }),
		(error: unknown) => (isNotFound(error) ? {} : Promise.reject(error)),
	);
}

/** Successions carry the attribute before and after. */
function attributeMembers(data: GatewayEvent['data']) {
	const isSuccession = Object.hasOwn(data, 'successor');
	const attribute = isSuccession ? objectMember(data, 'successor') : data;
	const { type, value } = describe(attribute);
	return {
		...optional('attributeId', textMember(attribute, 'id')),
		attributeType: type,
		value,
		...(isSuccession ? { previousValue: describe(objectMember(data, 'predecessor')).value } : {}),
	};
}

function describe(attribute: object): ReturnType<typeof describeAttribute> {
	const content = objectMember(attribute, 'content');
	return describeAttribute({ content } as Parameters<typeof describeAttribute>[0]);
}

function objectMember(object: object, name: string): object {
	const value: unknown = Object.hasOwn(object, name)
		? (object as Record<string, unknown>)[name]
		: undefined;
	return typeof value === 'object' && value !== null ? value : {};
}
