import * as z from 'zod';
import type { Flat } from '../content/content-type';
import type { IdentityAttribute, RelationshipAttribute } from '../content/attributes';
import { objectOf } from '../json';

/*
 * Attributes in the form of version 7 (docs/protocol/connector-7.md 3): five kinds, and details of
 * their forwarding. Both are made from the stored attributes and their copies.
 */

/** Kinds of attributes in version 7. */
export const localAttributeTypes = [
	'OwnIdentityAttribute',
	'PeerIdentityAttribute',
	'OwnRelationshipAttribute',
	'PeerRelationshipAttribute',
	'ThirdPartyRelationshipAttribute',
] as const;
/** Kind of an attribute in version 7. */
export type LocalAttributeType = (typeof localAttributeTypes)[number];

/** Deletion of what this account has given to another side. */
export const emittedDeletionStatuses = [
	'DeletionRequestSent',
	'DeletionRequestRejected',
	'ToBeDeletedByRecipient',
	'DeletedByRecipient',
] as const;
/** Deletion of what another side has given to this account. */
export const receivedDeletionStatuses = ['ToBeDeleted', 'DeletedByEmitter'] as const;
/** Deletion of what this account has given to another side. */
export type EmittedDeletionStatus = (typeof emittedDeletionStatuses)[number];
/** Deletion of what another side has given to this account. */
export type ReceivedDeletionStatus = (typeof receivedDeletionStatuses)[number];

const emittedDeletionInfo = z.object({
	/** how far the deletion at the other side is */
	deletionStatus: z.enum(emittedDeletionStatuses),
	/** ISO time of the deletion, planned or done */
	deletionDate: z.string(),
});
const receivedDeletionInfo = z.object({
	/** whether it is deleted there or about to be deleted here */
	deletionStatus: z.enum(receivedDeletionStatuses),
	/** ISO time of the deletion, planned or done */
	deletionDate: z.string(),
});

/** Identity attribute without a period of validity. */
type IdentityAttributeOf7 = Flat<Omit<IdentityAttribute, 'validFrom' | 'validTo'>>;
/** Relationship attribute without a period of validity. */
type RelationshipAttributeOf7 = Flat<Omit<RelationshipAttribute, 'validFrom' | 'validTo'>>;

const commonShape = {
	/** `ATT` id, the same at all who hold the attribute */
	id: z.string(),
	/** ISO time at which this account stored it */
	createdAt: z.string(),
	/** id of the version before */
	succeeds: z.string().optional(),
	/** id of the next version; absent for the latest one */
	succeededBy: z.string().optional(),
	/** ISO time at which it was first marked as viewed */
	wasViewedAt: z.string().optional(),
};

const sharedShape = {
	/** address of the other side, or of the peer that forwarded it */
	peer: z.string(),
	/** `REQ` or `NOT` id by which it came */
	sourceReference: z.string(),
};

const identityContent = objectOf<IdentityAttributeOf7>();
const relationshipContent = objectOf<RelationshipAttributeOf7>();

export const ownIdentityAttributeDtoSchema = z.object({
	/** tells the kind */
	'@type': z.literal('OwnIdentityAttribute'),
	...commonShape,
	/** IdentityAttribute JSON */
	content: identityContent,
	/** set for the default attribute of its type, if the gateway has default attributes */
	isDefault: z.literal(true).optional(),
	/** number of its forwarding details, for deleted copies too */
	numberOfForwards: z.number(),
});
const peerIdentityAttributeDtoSchema = z.object({
	/** tells the kind */
	'@type': z.literal('PeerIdentityAttribute'),
	...commonShape,
	/** IdentityAttribute JSON */
	content: identityContent,
	...sharedShape,
	/** set when the peer has deleted it, or this account is about to */
	deletionInfo: receivedDeletionInfo.optional(),
});

const ownRelationshipAttributeDtoSchema = z.object({
	/** tells the kind */
	'@type': z.literal('OwnRelationshipAttribute'),
	...commonShape,
	/** RelationshipAttribute JSON */
	content: relationshipContent,
	...sharedShape,
	/** set when the peer has deleted it, or was asked to */
	deletionInfo: emittedDeletionInfo.optional(),
	/** number of its forwarding details, for deleted copies too */
	numberOfForwards: z.number(),
});
const peerRelationshipAttributeDtoSchema = z.object({
	/** tells the kind */
	'@type': z.literal('PeerRelationshipAttribute'),
	...commonShape,
	/** RelationshipAttribute JSON */
	content: relationshipContent,
	...sharedShape,
	/** set when the peer has deleted it, or this account is about to */
	deletionInfo: receivedDeletionInfo.optional(),
	/** number of its forwarding details, for deleted copies too */
	numberOfForwards: z.number(),
});

const thirdPartyRelationshipAttributeDtoSchema = z.object({
	/** tells the kind */
	'@type': z.literal('ThirdPartyRelationshipAttribute'),
	...commonShape,
	/** RelationshipAttribute JSON */
	content: relationshipContent,
	...sharedShape,
	/** address of the other side of the relationship that it comes from */
	initialAttributePeer: z.string(),
	/** set when the peer has deleted it, or this account is about to */
	deletionInfo: receivedDeletionInfo.optional(),
});

export const localAttributeDtoSchema = z.discriminatedUnion('@type', [
	ownIdentityAttributeDtoSchema,
	peerIdentityAttributeDtoSchema,
	ownRelationshipAttributeDtoSchema,
	peerRelationshipAttributeDtoSchema,
	thirdPartyRelationshipAttributeDtoSchema,
]);
/** Attribute in the form of version 7; `@type` tells its kind. */
export type LocalAttributeDto = z.infer<typeof localAttributeDtoSchema>;

export const forwardingDetailsDtoSchema = z.object({
	/** address of the peer that got the attribute */
	peer: z.string(),
	/** `REQ` or `NOT` id with which the peer got it */
	sourceReference: z.string(),
	/** ISO time of the sharing */
	sharedAt: z.string(),
	/** set when the peer has deleted it, or was asked to */
	deletionInfo: emittedDeletionInfo.optional(),
});
/** Details of one sharing of an attribute with one peer. */
export type ForwardingDetailsDto = z.infer<typeof forwardingDetailsDtoSchema>;

/** Both versions in their state after the succession. */
export const localSuccessionDtoSchema = z.object({
	/** version before, which now has `succeededBy` */
	predecessor: localAttributeDtoSchema,
	/** new version */
	successor: localAttributeDtoSchema,
	/** `NOT` id of the notification, for a relationship attribute */
	notificationId: z.string().optional(),
});
/** Both versions of an attribute that got a new one. */
export type LocalSuccessionDto = z.infer<typeof localSuccessionDtoSchema>;

export const notifiedVersionDtoSchema = z.object({
	/** newest version that the peer had before */
	predecessor: ownIdentityAttributeDtoSchema,
	/** version that the peer gets */
	successor: ownIdentityAttributeDtoSchema,
	/** `NOT` id of the notification to the peer */
	notificationId: z.string(),
});
/** Version that a peer gets, and the version that it had. */
export type NotifiedVersionDto = z.infer<typeof notifiedVersionDtoSchema>;

export const localDeletionDtoSchema = z.object({
	/** `NOT` ids of the notifications to peers; empty if no peer is told */
	notificationIds: z.array(z.string()),
});
/** Notifications about a deletion. */
export type LocalDeletionDto = z.infer<typeof localDeletionDtoSchema>;
