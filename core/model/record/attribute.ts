import * as z from 'zod';
import { jsonObjectSchema } from '../json';

/** A stored attribute: our own (repository), or a copy shared with or by a peer (consumption 7.1). */
export const attributeRecordSchema = z.object({
	id: z.string(),
	createdAt: z.string(),
	/** IdentityAttribute or RelationshipAttribute JSON with `@type`, `owner`, `value` */
	content: jsonObjectSchema,
	parentId: z.string().optional(),
	isDefault: z.literal(true).optional(),
	succeeds: z.string().optional(),
	succeededBy: z.string().optional(),
	wasViewedAt: z.string().optional(),
	shareInfo: z
		.object({
			peer: z.string(),
			requestReference: z.string().optional(),
			notificationReference: z.string().optional(),
			sourceAttribute: z.string().optional(),
			thirdPartyAddress: z.string().optional(),
		})
		.optional(),
	deletionInfo: z.object({ deletionStatus: z.string(), deletionDate: z.string() }).optional(),
});
export type AttributeRecord = z.infer<typeof attributeRecordSchema>;

/** consumption 7.1; the interface summary additionally promises a top-level `owner` */
export const attributeDtoSchema = attributeRecordSchema.extend({ owner: z.string() });
export type AttributeDto = z.infer<typeof attributeDtoSchema>;
