import * as z from 'zod';
import { jsonObjectSchema, type JsonObject } from '../json';

/** How an attribute came to be shared; exactly one of the two references is there. */
const shareInfoSchema = z.object({
	/** the other side of the sharing */
	peer: z.string(),
	/** REQ id */
	requestReference: z.string().optional(),
	/** NOT id */
	notificationReference: z.string().optional(),
	/** what we have made a copy of, until that is deleted */
	sourceAttribute: z.string().optional(),
	/** the peer of the other relationship that a relationship attribute comes from */
	thirdPartyAddress: z.string().optional(),
});
export type ShareInfo = z.infer<typeof shareInfoSchema>;

const deletionInfoSchema = z.object({ deletionStatus: z.string(), deletionDate: z.string() });
export type DeletionInfo = z.infer<typeof deletionInfoSchema>;

/** A stored attribute: our own (repository), or a copy shared with or by a peer (consumption 7.1). */
export const attributeRecordSchema = z.object({
	id: z.string(),
	createdAt: z.string(),
	/** IdentityAttribute or RelationshipAttribute JSON with `@type`, `owner`, `value` */
	content: jsonObjectSchema,
	/** the composite attribute that it is a part of */
	parentId: z.string().optional(),
	isDefault: z.literal(true).optional(),
	succeeds: z.string().optional(),
	succeededBy: z.string().optional(),
	wasViewedAt: z.string().optional(),
	shareInfo: shareInfoSchema.optional(),
	deletionInfo: deletionInfoSchema.optional(),
});
export type AttributeRecord = z.infer<typeof attributeRecordSchema>;

/**
 * What callers of the library and the nodes get. Over HTTP the answer to a creation alone has `owner`
 * (interface-summary 2.1); other answers and events are the record itself (http-api 10.4, 18.4).
 */
export const attributeDtoSchema = attributeRecordSchema.extend({ owner: z.string() });
export type AttributeDto = z.infer<typeof attributeDtoSchema>;

/** Both versions in their state after the succession (consumption 13). */
export const successionDtoSchema = z.object({
	predecessor: attributeDtoSchema,
	successor: attributeDtoSchema,
});
export type SuccessionDto = z.infer<typeof successionDtoSchema>;

/** The same without `owner`: of events and answers over HTTP. */
export const successionRecordsSchema = z.object({
	predecessor: attributeRecordSchema,
	successor: attributeRecordSchema,
});
export type SuccessionRecords = z.infer<typeof successionRecordsSchema>;

/** Of a succession that a peer was told of. */
export const notifiedSuccessionDtoSchema = successionDtoSchema.extend({
	notificationId: z.string(),
});
export type NotifiedSuccessionDto = z.infer<typeof notifiedSuccessionDtoSchema>;

/** A peer that wants to be offered attributes that fit a query, as soon as there are some. */
export const attributeListenerSchema = z.object({
	id: z.string(),
	/** IdentityAttributeQuery or ThirdPartyRelationshipAttributeQuery */
	query: jsonObjectSchema,
	peer: z.string(),
});
export type AttributeListenerRecord = z.infer<typeof attributeListenerSchema>;
export type AttributeListenerDto = AttributeListenerRecord;

/** What a query of a listener is about; attributes about something else need not be compared. */
export function askedOf(query: JsonObject): string {
	const { '@type': kind, valueType, key } = query;
	return JSON.stringify([kind ?? '', (kind === 'IdentityAttributeQuery' ? valueType : key) ?? '']);
}
