import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type {
	Condition,
	EventSubject,
	GatewayEvent,
	GatewayFacade,
	RequestField,
} from '../../../core';
import { loadCore } from '../helpers/core';
import { isNotFound } from '../helpers/not-found';
import { describeAttribute, PeerProfiles } from '../helpers/peers';
import { defined, objectMember, textMember } from '../helpers/members';
import type { EventOutput } from '../schemas/output-schemas';

/**
 * Converts events to items: the members that workflows need most come first, the whole record is in
 * `data`. An event that is delivered again has the same id.
 */
export async function toEventItems(
	events: readonly GatewayEvent[],
	gateway: GatewayFacade,
	options: { readonly signal: AbortSignal },
): Promise<INodeExecutionData[]> {
	const { carriedRecord } = await loadCore();
	const profiles = new PeerProfiles(gateway, options);
	const items: INodeExecutionData[] = [];
	for (const event of events) {
		const { about, member } = carriedRecord(event.event);
		const record = member === undefined ? event.data : objectMember(event.data, member);
		const described = await describeEvent(event, { about, record }, profiles);
		const answers = await answersIn({ about, record }, gateway, options);
		items.push({ json: { ...described, ...answers } as unknown as IDataObject });
	}
	return items;
}

/** Record that an event is about. */
interface EventRecord {
	readonly about: EventSubject | undefined;
	readonly record: object;
}

async function describeEvent(
	event: GatewayEvent,
	subject: EventRecord,
	profiles: PeerProfiles,
): Promise<EventOutput> {
	const { data } = event;
	const profile = event.peer === undefined ? undefined : await profiles.ofAddress(event.peer);
	return {
		event: event.event,
		id: event.id,
		createdAt: event.createdAt,
		...defined({
			peer: event.peer,
			peerName: profile?.name,
			relationshipId: textMember(data, 'relationshipId'),
		}),
		...recordMembers(subject, data),
		...(subject.about === 'relationship'
			? defined({ sharedAttributes: profile?.sharedAttributes })
			: {}),
		data,
	};
}

function recordMembers({ about, record }: EventRecord, data: object): Partial<EventOutput> {
	switch (about) {
		case 'relationship':
			return relationshipMembers(record);
		case 'template':
			return templateMembers(record);
		case 'message':
			return messageMembers(record);
		case 'incomingRequest':
		case 'outgoingRequest':
			return requestMembers(record);
		case 'attribute':
			return attributeMembers(record, data);
		default:
			return {};
	}
}

function relationshipMembers(relationship: object) {
	return {
		...defined({
			relationshipId: textMember(relationship, 'id'),
			status: textMember(relationship, 'status'),
		}),
		...templateMembers(objectMember(relationship, 'template')),
	};
}

function templateMembers(template: object) {
	return defined({
		templateId: textMember(template, 'id'),
		templateTitle: textMember(objectMember(template, 'content'), 'title'),
	});
}

function messageMembers(message: object) {
	const content = objectMember(message, 'content');
	return defined({
		messageId: textMember(message, 'id'),
		messageType: textMember(content, '@type'),
		subject: textMember(content, 'subject'),
		body: textMember(content, 'body'),
	});
}

function requestMembers(request: object) {
	const source = objectMember(request, 'source');
	const response = objectMember(request, 'response');
	const answeredBy = objectMember(response, 'source');
	const isTemplate = textMember(source, 'type') === 'RelationshipTemplate';
	// The answer to a template requests a relationship, which workflows usually accept next.
	const isByRelationship = textMember(answeredBy, 'type') === 'Relationship';
	return {
		...(isByRelationship ? defined({ relationshipId: textMember(answeredBy, 'reference') }) : {}),
		...defined({
			requestId: textMember(request, 'id'),
			requestTitle: textMember(objectMember(request, 'content'), 'title'),
			status: textMember(request, 'status'),
			result: textMember(objectMember(response, 'content'), 'result'),
			[isTemplate ? 'templateId' : 'messageId']: textMember(source, 'reference'),
		}),
	};
}

/**
 * Answers of a person by what was asked for: to an own request, and to the template with which a
 * relationship began. Empty if there was no request, or if it was deleted.
 */
async function answersIn(
	subject: EventRecord,
	gateway: GatewayFacade,
	options: { readonly signal: AbortSignal },
): Promise<Pick<EventOutput, 'answers'>> {
	const id = await answeredRequest(subject, gateway, options);
	if (id === undefined) return {};
	const answers = gateway.outgoingRequests.answers(id, options);
	return await answers.then(
		(found) => ({ answers: found }),
		(error: unknown) => (isNotFound(error) ? {} : Promise.reject(error)),
	);
}

async function answeredRequest(
	{ about, record }: EventRecord,
	gateway: GatewayFacade,
	options: { readonly signal: AbortSignal },
): Promise<string | undefined> {
	const id = textMember(record, 'id');
	if (about === 'outgoingRequest') return Object.hasOwn(record, 'response') ? id : undefined;
	const peer = textMember(record, 'peer');
	const templateId = textMember(objectMember(record, 'template'), 'id');
	if (about !== 'relationship' || peer === undefined || templateId === undefined) return undefined;
	const where: Array<Condition<RequestField>> = [
		{ field: 'peer', op: 'eq', value: peer },
		{ field: 'sourceReference', op: 'eq', value: templateId },
	];
	const [request] = await gateway.outgoingRequests.list({ where, limit: 1 }, options);
	return request?.id;
}

/** Members of an attribute; events about successions contain it before and after. */
function attributeMembers(attribute: object, data: object) {
	const isSuccession = Object.hasOwn(data, 'predecessor');
	const { type, value } = describe(attribute);
	return {
		...defined({ attributeId: textMember(attribute, 'id') }),
		attributeType: type,
		value,
		...(isSuccession ? { previousValue: describe(objectMember(data, 'predecessor')).value } : {}),
	};
}

function describe(attribute: object): ReturnType<typeof describeAttribute> {
	const content = objectMember(attribute, 'content');
	return describeAttribute({ content } as Parameters<typeof describeAttribute>[0]);
}
