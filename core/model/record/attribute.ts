import * as z from 'zod';
import type { Attribute } from '../content/attributes';
import type {
	IdentityAttributeQuery,
	ThirdPartyRelationshipAttributeQuery,
} from '../content/requests/queries';
import { objectOf } from '../json';

/* `ShareInfo` and `DeletionInfo` are public, and parts of the stored attribute. */

/** Origin of a shared attribute; exactly one of the two references is present. */
export const shareInfoSchema = z.object({
	/** other party of the sharing */
	peer: z.string(),
	/** REQ id */
	requestReference: z.string().optional(),
	/** NOT id */
	notificationReference: z.string().optional(),
	/** own attribute of which this is a copy; absent once that is deleted */
	sourceAttribute: z.string().optional(),
	/** peer of the other relationship from which a relationship attribute originates */
	thirdPartyAddress: z.string().optional(),
});
/** Origin of a shared attribute. */
export type ShareInfo = z.infer<typeof shareInfoSchema>;

/** Origin of a shared attribute as it is stored. */
const storedShareInfoSchema = shareInfoSchema.extend({
	/** id under which the other party knows the attribute; absent if it is the id of this record */
	sharedId: z.string().optional(),
	/** set for a copy whose source was deleted */
	sourceIsDeleted: z.literal(true).optional(),
});
export type StoredShareInfo = z.infer<typeof storedShareInfoSchema>;

const deletionInfoSchema = z.object({
	/** who deletes, and whether it is done, for example `DeletedByPeer` */
	deletionStatus: z.string(),
	/** ISO time of the deletion, planned or done */
	deletionDate: z.string(),
});
/** State of an attribute that one of the sides has deleted. */
export type DeletionInfo = z.infer<typeof deletionInfoSchema>;

/**
 * Attribute in events and in HTTP answers about successions, which have no `owner` beside the
 * content (docs/protocol/http-api.md 10.4, 18.2).
 */
export const attributeWithoutOwnerDtoSchema = z.object({
	/** `ATT` id */
	id: z.string(),
	/** ISO time at which this account stored it */
	createdAt: z.string(),
	/** IdentityAttribute or RelationshipAttribute JSON with `@type`, `owner`, `value` */
	content: objectOf<Attribute>(),
	/** composite attribute of which this is a part */
	parentId: z.string().optional(),
	/** set for the default attribute of its type, if the gateway has default attributes */
	isDefault: z.literal(true).optional(),
	/** id of the version before */
	succeeds: z.string().optional(),
	/** id of the next version; absent for the latest one */
	succeededBy: z.string().optional(),
	/** ISO time at which it was first marked as viewed */
	wasViewedAt: z.string().optional(),
	/** origin of a copy; absent for an own attribute that is not shared */
	shareInfo: shareInfoSchema.optional(),
	/** set when a side has deleted its copy, or the relationship has ended */
	deletionInfo: deletionInfoSchema.optional(),
});
/** Attribute without `owner`, as in events. */
export type AttributeWithoutOwnerDto = z.infer<typeof attributeWithoutOwnerDtoSchema>;

/**
 * Stored attribute: an own one (repository), or a copy shared with or by a peer
 * (docs/protocol/consumption.md 7.1).
 */
export const attributeRecordSchema = attributeWithoutOwnerDtoSchema.extend({
	shareInfo: storedShareInfoSchema.optional(),
});
export type AttributeRecord = z.infer<typeof attributeRecordSchema>;

/** Attribute as callers receive it otherwise (docs/protocol/interface-summary.md 2.1). */
export const attributeDtoSchema = attributeWithoutOwnerDtoSchema.extend({
	/**
	 * address of the identity that the attribute describes, or that owns the relationship attribute
	 */
	owner: z.string(),
});
/** Attribute with its owner. */
export type AttributeDto = z.infer<typeof attributeDtoSchema>;

/** Both versions in their state after the succession (docs/protocol/consumption.md 13). */
export const successionDtoSchema = z.object({
	/** version before, which now has `succeededBy` */
	predecessor: attributeDtoSchema,
	/** new version */
	successor: attributeDtoSchema,
});
/** Both versions of an attribute that got a new one. */
export type SuccessionDto = z.infer<typeof successionDtoSchema>;

/** Both versions without `owner`, as in events and HTTP answers. */
export const successionWithoutOwnerDtoSchema = z.object({
	/** version before, which now has `succeededBy` */
	predecessor: attributeWithoutOwnerDtoSchema,
	/** new version */
	successor: attributeWithoutOwnerDtoSchema,
});
/** Both versions of an attribute, without `owner`. */
export type SuccessionWithoutOwnerDto = z.infer<typeof successionWithoutOwnerDtoSchema>;

/** Succession of which a peer was notified. */
export const notifiedSuccessionDtoSchema = successionDtoSchema.extend({
	/** `NOT` id of the notification to the peer */
	notificationId: z.string(),
});
/** Both versions, and the notification to the peer. */
export type NotifiedSuccessionDto = z.infer<typeof notifiedSuccessionDtoSchema>;

/** Query whose matches a peer can wait for. */
export type ListenerQuery = IdentityAttributeQuery | ThirdPartyRelationshipAttributeQuery;

/** Peer that wants to be offered attributes that match a query, as soon as some exist. */
export const attributeListenerDtoSchema = z.object({
	/** id of the listener, generated here */
	id: z.string(),
	/** IdentityAttributeQuery or ThirdPartyRelationshipAttributeQuery */
	query: objectOf<ListenerQuery>(),
	/** address of the peer that waits */
	peer: z.string(),
});
/** Peer that wants to be offered attributes that match a query. */
export type AttributeListenerDto = z.infer<typeof attributeListenerDtoSchema>;

export const attributeListenerRecordSchema = attributeListenerDtoSchema;
export type AttributeListenerRecord = AttributeListenerDto;

/** Subject of a listener's query; attributes about other subjects need no comparison. */
export function subjectOfQuery(query: ListenerQuery): string {
	const { '@type': kind } = query;
	return querySubject(kind, kind === 'IdentityAttributeQuery' ? query.valueType : query.key);
}

/** @param asked value type of an identity attribute, or key of a relationship attribute */
export function querySubject(kind: ListenerQuery['@type'], asked: string): string {
	return JSON.stringify([kind, asked]);
}
