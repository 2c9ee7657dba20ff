import * as z from 'zod';
import { jsonObjectSchema } from '../model/json';
import { attributeDtoSchema } from '../model/record/attribute';
import { identityDeletionProcessDtoSchema } from '../model/record/deletion-process';
import { fileDtoSchema } from '../model/record/file';
import { messageDtoSchema } from '../model/record/message';
import { relationshipDtoSchema } from '../model/record/relationship';
import { requestDtoSchema } from '../model/record/request';
import { templateDtoSchema } from '../model/record/template';

export interface EventDefinition {
	readonly payload: z.ZodType;
	/** when it is published, for docs/events.md */
	readonly when: string;
	readonly source: string;
}

/** Every event that this version publishes (docs/protocol/transport.md 15, consumption.md 13). */
export const eventCatalogue = {
	'transport.relationshipChanged': {
		payload: relationshipDtoSchema,
		when: 'A relationship arrived, or its status or audit log changed, by us or by the peer.',
		source: 'transport.md 15',
	},
	'transport.relationshipReactivationRequested': {
		payload: relationshipDtoSchema,
		when: 'The reactivation of a terminated relationship was requested.',
		source: 'transport.md 15',
	},
	'transport.relationshipReactivationCompleted': {
		payload: relationshipDtoSchema,
		when: 'A requested reactivation was accepted, rejected or revoked.',
		source: 'transport.md 15',
	},
	'transport.relationshipDecomposedBySelf': {
		payload: z.object({ relationshipId: z.string() }),
		when: 'We decomposed a relationship; it and all that belonged to it is gone.',
		source: 'transport.md 6.4',
	},
	'transport.peerToBeDeleted': {
		payload: relationshipDtoSchema,
		when: 'The peer announced the deletion of its identity.',
		source: 'transport.md 14',
	},
	'transport.peerDeletionCancelled': {
		payload: relationshipDtoSchema,
		when: 'The peer cancelled the deletion of its identity.',
		source: 'transport.md 14',
	},
	'transport.peerDeleted': {
		payload: relationshipDtoSchema,
		when: 'The identity of the peer was deleted.',
		source: 'transport.md 14',
	},
	'transport.peerRelationshipTemplateLoaded': {
		payload: templateDtoSchema,
		when: "A peer's relationship template was loaded, also again.",
		source: 'transport.md 4.2',
	},
	'transport.relationshipTemplateAllocationsExhausted': {
		payload: templateDtoSchema,
		when: 'The last allocation of an own template was used.',
		source: 'transport.md 14',
	},
	'transport.fileOwnershipLocked': {
		payload: fileDtoSchema,
		when: 'Somebody gave a wrong ownership token for an own file, which is locked now.',
		source: 'transport.md 14',
	},
	'transport.fileOwnershipClaimed': {
		payload: fileDtoSchema,
		when: 'An own file was taken over by another identity.',
		source: 'transport.md 14',
	},
	'transport.identityDeletionProcessStatusChanged': {
		payload: identityDeletionProcessDtoSchema,
		when: 'The deletion of our own identity was started, approved, rejected or cancelled, by us or by support.',
		source: 'transport.md 11',
	},
	'transport.messageSent': {
		payload: messageDtoSchema,
		when: 'The Backbone took a message that we sent.',
		source: 'transport.md 7.1',
	},
	'transport.messageReceived': {
		payload: messageDtoSchema,
		when: 'A message arrived, was opened and stored.',
		source: 'transport.md 7.4',
	},
	'transport.messageDelivered': {
		payload: messageDtoSchema,
		when: 'A recipient has fetched a message that we sent. Backbones of today do not tell.',
		source: 'transport.md 7.5',
	},
	'transport.messageWasReadAtChanged': {
		payload: messageDtoSchema,
		when: 'A message was marked as read or as unread.',
		source: 'transport.md 7.5',
	},
	'consumption.attributeCreated': {
		payload: attributeDtoSchema,
		when: 'An own attribute was created, or a peer shared one.',
		source: 'consumption.md 13',
	},
	'consumption.outgoingRequestCreatedAndCompleted': {
		payload: requestDtoSchema,
		when: 'The answer to the request of one of our templates arrived.',
		source: 'consumption.md 4.6',
	},
	'consumption.outgoingRequestFromRelationshipCreationCreatedAndCompleted': {
		payload: requestDtoSchema,
		when: 'The same, when the answer came with a new relationship.',
		source: 'consumption.md 4.6',
	},
} as const satisfies Record<string, EventDefinition>;

export type EventName = keyof typeof eventCatalogue;

/** What every consumer receives per event. */
export const gatewayEventSchema = z.object({
	id: z.string(),
	sequence: z.number().int(),
	event: z.string(),
	createdAt: z.string(),
	peer: z.string().optional(),
	data: jsonObjectSchema,
});
