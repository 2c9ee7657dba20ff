import type { EventSubject, MessageDto } from '../../../core';
import { describeAttribute } from '../gateway/peers';
import { defined, objectMember, textMember } from '../helpers/members';
import { mailMembers } from '../output/mail-members';
import type { EventOutput } from '../schemas/event-output';

/** Record that an event is about. */
export interface EventRecord {
	readonly about: EventSubject | undefined;
	readonly record: object;
}

/**
 * Members of a record that workflows need. Empty for records of which workflows need all members.
 *
 * @param data of the event, which may say more about the record
 */
export function recordMembers({ about, record }: EventRecord, data: object): Partial<EventOutput> {
	switch (about) {
		case 'relationship':
			return relationshipMembers(record);
		case 'template':
			return templateMembers(record);
		case 'message':
			return messageMembers(asDto(record));
		case 'incomingRequest':
			return { ...requestMembers(record), content: objectMember(record, 'content') };
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
			peerDeletionDate: textMember(objectMember(relationship, 'peerDeletionInfo'), 'deletionDate'),
		}),
		...templateMembers(objectMember(relationship, 'template')),
	};
}

function templateMembers(template: object) {
	return defined({
		templateId: textMember(template, 'id'),
		templateTitle: textMember(objectMember(template, 'content'), 'title'),
		purpose: textMember(template, 'purpose'),
	});
}

function messageMembers(message: MessageDto): Partial<EventOutput> {
	const { content, attachments } = message;
	return {
		// A message that was not sent has no id.
		...defined({ messageId: textMember(message, 'id') }),
		messageType: content['@type'],
		...mailMembers(content),
		...(attachments.length === 0 ? {} : { attachments }),
		...contentMembers(content),
	};
}

/** The request to which a message belongs, or else its whole content; nothing of a mail. */
function contentMembers(content: MessageDto['content']): Partial<EventOutput> {
	switch (content['@type']) {
		case 'Mail':
			return {};
		case 'Request':
			return defined({ requestId: content.id ?? undefined, requestTitle: content.title });
		case 'ResponseWrapper':
			return { requestId: content.requestId, result: content.response.result };
		case 'Notification':
		case 'ArbitraryMessageContent':
			return { content };
	}
}

function requestMembers(request: object) {
	const source = objectMember(request, 'source');
	const response = objectMember(request, 'response');
	const answeredBy = objectMember(response, 'source');
	const isTemplate = textMember(source, 'type') === 'RelationshipTemplate';
	// The answer to a template requests a relationship, which workflows usually accept next.
	const isByRelationship = textMember(answeredBy, 'type') === 'Relationship';
	const content = objectMember(request, 'content');
	return {
		...(isByRelationship ? defined({ relationshipId: textMember(answeredBy, 'reference') }) : {}),
		...defined({
			status: textMember(request, 'status'),
			[isTemplate ? 'templateId' : 'messageId']: textMember(source, 'reference'),
			requestId: textMember(request, 'id'),
			requestTitle: textMember(content, 'title'),
			expiresAt: textMember(content, 'expiresAt'),
			result: textMember(objectMember(response, 'content'), 'result'),
		}),
	};
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
	return describeAttribute(asDto({ content }));
}

function asDto<Dto>(record: object): Dto {
	// eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- the catalogue says which record an event carries
	return record as Dto;
}
