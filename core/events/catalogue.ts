import * as z from 'zod';
import {
	attributeListenerDtoSchema,
	attributeWithoutOwnerDtoSchema,
	successionWithoutOwnerDtoSchema,
} from '../model/record/attribute';
import { identityDeletionProcessDtoSchema } from '../model/record/deletion-process';
import { fileDtoSchema } from '../model/record/file';
import { messageDtoSchema, messageNotSentSchema } from '../model/record/message';
import { relationshipDtoSchema } from '../model/record/relationship';
import {
	refusalSchema,
	requestDtoSchema,
	requestStatusChangeSchema,
} from '../model/record/request';
import { unfinishedChangeSchema } from '../model/record/work';
import { externalEventFailureSchema } from '../model/record/sync';
import { templateDtoSchema } from '../model/record/template';
import type { EventDefinition } from './event-definition';

/** Payloads that several events have, and the record that they carry. */
const relationship = {
	payload: relationshipDtoSchema,
	about: 'relationship',
} as const;
const template = {
	payload: templateDtoSchema,
	about: 'template',
} as const;
const file = {
	payload: fileDtoSchema,
	about: 'file',
} as const;
const message = {
	payload: messageDtoSchema,
	about: 'message',
} as const;
const succession = {
	payload: successionWithoutOwnerDtoSchema,
	about: 'attribute',
	member: 'successor',
} as const;
const attribute = {
	payload: attributeWithoutOwnerDtoSchema,
	about: 'attribute',
} as const;
const outgoingRequest = {
	payload: requestDtoSchema,
	about: 'outgoingRequest',
} as const;

/** All events that this version publishes (docs/protocol/transport.md 15, consumption.md 13). */
export const eventCatalogue = {
	'runtime.modulesStarted': {
		payload: z.object({}),
		when: 'All modules of the HTTP gateway have started. It has no data.',
		source: 'http-api.md 10.2',
	},
	'transport.relationshipChanged': {
		...relationship,
		when: 'A relationship arrived, or its status or audit log changed, by this account or by the peer.',
		source: 'transport.md 15',
	},
	'transport.relationshipReactivationRequested': {
		...relationship,
		when: 'The reactivation of a terminated relationship was requested.',
		source: 'transport.md 15',
	},
	'transport.relationshipReactivationCompleted': {
		...relationship,
		when: 'A requested reactivation was accepted, rejected or revoked.',
		source: 'transport.md 15',
	},
	'transport.relationshipDecomposedBySelf': {
		payload: z.object({
			/** id of the removed relationship */
			relationshipId: z.string(),
		}),
		when: 'This account decomposed a relationship; the relationship and all of its data were removed.',
		source: 'transport.md 6.4',
	},
	'transport.peerToBeDeleted': {
		...relationship,
		when: 'The peer announced the deletion of its identity.',
		source: 'transport.md 14',
	},
	'transport.peerDeletionCancelled': {
		...relationship,
		when: 'The peer cancelled the deletion of its identity.',
		source: 'transport.md 14',
	},
	'transport.peerDeleted': {
		...relationship,
		when: 'The identity of the peer was deleted.',
		source: 'transport.md 14',
	},
	'transport.peerRelationshipTemplateLoaded': {
		...template,
		when: "A peer's relationship template was loaded, also again.",
		source: 'transport.md 4.2',
	},
	'transport.relationshipTemplateAllocationsExhausted': {
		...template,
		when: 'The last allocation of an own template was used.',
		source: 'transport.md 14',
	},
	'transport.fileOwnershipLocked': {
		...file,
		when: 'A wrong ownership token was given for an own file, which is locked now.',
		source: 'transport.md 14',
	},
	'transport.fileOwnershipClaimed': {
		...file,
		when: 'An own file was taken over by another identity.',
		source: 'transport.md 14',
	},
	'transport.identityDeletionProcessStatusChanged': {
		payload: identityDeletionProcessDtoSchema,
		about: 'identityDeletionProcess',
		when: 'The deletion of the own identity was started, approved, rejected, cancelled or carried out, here or by support.',
		source: 'transport.md 11',
	},
	'transport.messageSent': {
		...message,
		when: 'The Backbone accepted a message that was sent here.',
		source: 'transport.md 7.1',
	},
	'transport.messageReceived': {
		...message,
		when: 'A message arrived, was opened and stored.',
		source: 'transport.md 7.4',
	},
	'transport.messageDelivered': {
		...message,
		when: 'A recipient has fetched a message that was sent here. Current Backbones do not report this.',
		source: 'transport.md 7.5',
	},
	'transport.messageWasReadAtChanged': {
		...message,
		when: 'A message was marked as read or as unread.',
		source: 'transport.md 7.5',
	},
	'gateway.messageNotSent': {
		payload: messageNotSentSchema,
		when: 'A message whose sending was interrupted turned out never to have reached the Backbone.',
		source: 'this package',
	},
	'gateway.externalEventGivenUp': {
		payload: externalEventFailureSchema,
		when: 'A change from the Backbone or a peer could not be applied, or another copy of the account is in use; Get Problems lists it.',
		source: 'this package',
	},
	'gateway.changeUnfinished': {
		payload: unfinishedChangeSchema,
		when: 'A change made here has not been completed for an hour or for many attempts; it is tried again, and Get Problems lists it.',
		source: 'this package',
	},
	'gateway.answerRefused': {
		payload: refusalSchema,
		when: 'A peer gave an answer that does not count: a second answer, an answer that it may not give, or an answer that does not fit the question. The request lists it.',
		source: 'this package',
	},
	'consumption.attributeCreated': {
		...attribute,
		when: 'An own attribute was created, or a peer shared one.',
		source: 'consumption.md 13',
	},
	'consumption.attributeDeleted': {
		...attribute,
		when: 'An attribute, a version of one or a part of one was deleted here.',
		source: 'consumption.md 8.11',
	},
	'consumption.attributeWasViewedAtChanged': {
		...attribute,
		when: 'An attribute was marked as viewed for the first time.',
		source: 'consumption.md 8.13',
	},
	'consumption.repositoryAttributeSucceeded': {
		...succession,
		when: 'An own attribute that is not a shared copy got a new version.',
		source: 'consumption.md 8.6',
	},
	'consumption.ownSharedAttributeSucceeded': {
		...succession,
		when: 'A peer gets, or got, a new version of an own attribute that it has.',
		source: 'consumption.md 8.7, 8.8',
	},
	'consumption.peerSharedAttributeSucceeded': {
		...succession,
		when: 'A peer sent a new version of an attribute that it had shared.',
		source: 'consumption.md 9.2',
	},
	'consumption.thirdPartyRelationshipAttributeSucceeded': {
		...succession,
		when: 'A relationship attribute of another relationship got a new version, here or at a peer.',
		source: 'consumption.md 6.13',
	},
	'consumption.thirdPartyOwnedRelationshipAttributeSucceeded': {
		...succession,
		when: 'Same as `consumption.thirdPartyRelationshipAttributeSucceeded`, under its older name.',
		source: 'consumption.md 6.13',
	},
	'consumption.ownSharedAttributeDeletedByOwner': {
		...attribute,
		when: 'A peer deleted an attribute of its own that it had shared with this account.',
		source: 'consumption.md 9.2',
	},
	'consumption.peerSharedAttributeDeletedByPeer': {
		...attribute,
		when: 'A peer deleted its copy of an own attribute.',
		source: 'consumption.md 9.2',
	},
	'consumption.thirdPartyRelationshipAttributeDeletedByPeer': {
		...attribute,
		when: 'A peer deleted its copy of a relationship attribute of another relationship.',
		source: 'consumption.md 9.2',
	},
	'consumption.thirdPartyOwnedRelationshipAttributeDeletedByPeer': {
		...attribute,
		when: 'Same as `consumption.thirdPartyRelationshipAttributeDeletedByPeer`, under its older name.',
		source: 'consumption.md 9.2',
	},
	'consumption.attributeListenerCreated': {
		payload: attributeListenerDtoSchema,
		about: 'attributeListener',
		when: 'This account agreed to offer a peer attributes that fit a query as soon as there are some.',
		source: 'consumption.md 6.4',
	},
	'consumption.attributeListenerTriggered': {
		payload: z.object({
			/** query of the peer */
			attributeListener: attributeListenerDtoSchema,
			/** attribute that fits */
			attribute: attributeWithoutOwnerDtoSchema,
			/** draft that offers the attribute */
			request: requestDtoSchema,
		}),
		about: 'attributeListener',
		member: 'attributeListener',
		when: 'There is an attribute for which a peer waits; a draft of a request that offers it was created.',
		source: 'consumption.md 11',
	},
	'consumption.incomingRequestReceived': {
		payload: requestDtoSchema,
		about: 'incomingRequest',
		when: 'A peer asks for something, with a message or with a template that was loaded.',
		source: 'consumption.md 5.1',
	},
	'consumption.incomingRequestStatusChanged': {
		payload: requestStatusChangeSchema,
		about: 'incomingRequest',
		member: 'request',
		when: 'A request of a peer waits for a decision, was decided, answered, or has expired.',
		source: 'consumption.md 3.2',
	},
	'consumption.outgoingRequestCreated': {
		...outgoingRequest,
		when: 'A request to a peer was created; it is a draft until it is sent.',
		source: 'consumption.md 4.3',
	},
	'consumption.outgoingRequestStatusChanged': {
		payload: requestStatusChangeSchema,
		about: 'outgoingRequest',
		member: 'request',
		when: 'A request to a peer was sent, answered, or has expired.',
		source: 'consumption.md 3.2',
	},
	'consumption.messageProcessed': {
		payload: z.object({
			/** examined message */
			message: messageDtoSchema,
			/** what the examination found */
			result: z.enum([
				'RequestAutomaticallyDecided',
				'ManualRequestDecisionRequired',
				'NoRequest',
				'Error',
			]),
		}),
		about: 'message',
		member: 'message',
		when: 'A received message was examined: the result says whether it contains a request, and who decides about it.',
		source: 'consumption.md 10.1',
	},
	'consumption.relationshipTemplateProcessed': {
		payload: z.object({
			/** examined template */
			template: templateDtoSchema,
			/** what the examination found */
			result: z.enum([
				'RequestAutomaticallyDecided',
				'ManualRequestDecisionRequired',
				'NonCompletedRequestExists',
				'RelationshipExists',
				'NoRequest',
				'Error',
				'RequestExpired',
			]),
			/** id of the request in the template; absent if there is none */
			requestId: z.string().optional(),
			/** id of the relationship that exists already; absent otherwise */
			relationshipId: z.string().optional(),
		}),
		about: 'template',
		member: 'template',
		when: 'A loaded template of a peer was examined: the result says whether it contains a request, and who decides about it.',
		source: 'consumption.md 10.1',
	},
	'consumption.outgoingRequestCreatedAndCompleted': {
		...outgoingRequest,
		when: 'The answer to the request of an own template arrived.',
		source: 'consumption.md 4.6',
	},
	'consumption.outgoingRequestFromRelationshipCreationCreatedAndCompleted': {
		...outgoingRequest,
		when: 'Same as `consumption.outgoingRequestCreatedAndCompleted`, when the answer came with a new relationship.',
		source: 'consumption.md 4.6',
	},
	'consumption.shareCredentialOfferRequestItemProcessedByRecipient': {
		payload: z.object({
			/** link of the item */
			credentialOfferUrl: z.string(),
			/** false if the peer rejected the item */
			accepted: z.boolean(),
			/** address of the peer */
			peer: z.string(),
		}),
		when: 'A peer accepted or rejected an offer of credentials.',
		source: 'connector-7.md 9',
	},
} as const satisfies Record<string, EventDefinition>;

/** Name of an event of this version; docs/events.md lists when each is published. */
export type EventName = keyof typeof eventCatalogue;

/** Payloads of all events by name. */
export type EventPayloads = {
	readonly [Name in keyof typeof eventCatalogue]: z.output<
		(typeof eventCatalogue)[Name]['payload']
	>;
};

/** Payload of the event with this name. */
export type EventPayload<Name extends EventName> = EventPayloads[Name];
