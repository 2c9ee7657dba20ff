import * as z from 'zod';
import { jsonObjectSchema, type JsonObject } from '../json';

/** Origin of a shared attribute; exactly one of the two references is present. */
const shareInfoSchema = z.object({
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
export type ShareInfo = z.infer<typeof shareInfoSchema>;

const deletionInfoSchema = z.object({ deletionStatus: z.string(), deletionDate: z.string() });
export type DeletionInfo = z.infer<typeof deletionInfoSchema>;

/**
 * Stored attribute: an own one (repository), or a copy shared with or by a peer
 * (docs/protocol/consumption.md 7.1).
 */
export const attributeRecordSchema = z.object({
	id: z.string(),
	createdAt: z.string(),
	/** IdentityAttribute or RelationshipAttribute JSON with `@type`, `owner`, `value` */
	content: jsonObjectSchema,
	/** composite attribute of which this is a part */
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
 * Attribute as callers of the library and the nodes receive it. Over HTTP only the answer to a
 * creation has `owner` (docs/protocol/interface-summary.md 2.1); other answers and events contain
 * the record itself (docs/protocol/http-api.md 10.4, 18.4).
 */
export const attributeDtoSchema = attributeRecordSchema.extend({ owner: z.string() });
export type AttributeDto = z.infer<typeof attributeDtoSchema>;

/** Both versions in their state after the succession (docs/protocol/consumption.md 13). */
export const successionDtoSchema = z.object({
	predecessor: attributeDtoSchema,
	successor: attributeDtoSchema,
});
export type SuccessionDto = z.infer<typeof successionDtoSchema>;

/** Both versions without `owner`, as in events and HTTP answers. */
export const successionRecordsSchema = z.object({
	predecessor: attributeRecordSchema,
	successor: attributeRecordSchema,
});
export type SuccessionRecords = z.infer<typeof successionRecordsSchema>;

/** Succession of which a peer was notified. */
export const notifiedSuccessionDtoSchema = successionDtoSchema.extend({
	notificationId: z.string(),
});
export type NotifiedSuccessionDto = z.infer<typeof notifiedSuccessionDtoSchema>;

/** Peer that wants to be offered attributes that match a query, as soon as some exist. */
export const attributeListenerSchema = z.object({
	id: z.string(),
	/** IdentityAttributeQuery or ThirdPartyRelationshipAttributeQuery */
	query: jsonObjectSchema,
	peer: z.string(),
});
export type AttributeListenerRecord = z.infer<typeof attributeListenerSchema>;
export type AttributeListenerDto = AttributeListenerRecord;

/** Subject of a listener's query; attributes about other subjects need no comparison. */
export function querySubject(query: JsonObject): string {
	const { '@type': kind, valueType, key } = query;
	return JSON.stringify([kind ?? '', (kind === 'IdentityAttributeQuery' ? valueType : key) ?? '']);
}
