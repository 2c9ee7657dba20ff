import * as z from 'zod';
import { jsonSchema } from '../json';

/** @see docs/protocol/consumption.md 12 */
export const identityMetadataDtoSchema = z.object({
	/** own address, or address of a peer */
	reference: z.string(),
	/** name of the value; absent: the one value without a name */
	key: z.string().optional(),
	/** any JSON value except null */
	value: jsonSchema,
});
/** Value that a client has stored about an identity. */
export type IdentityMetadataDto = z.infer<typeof identityMetadataDtoSchema>;

/** Metadata that a client stores about an identity; at most one value per reference and key. */
export const identityMetadataRecordSchema = identityMetadataDtoSchema.extend({
	/** IDM id, for internal use only */
	id: z.string(),
});
export type IdentityMetadataRecord = z.infer<typeof identityMetadataRecordSchema>;

/** Uniqueness key of a value; a missing key counts as a key of its own. */
export function identityMetadataSlot({
	reference,
	key,
}: Pick<IdentityMetadataRecord, 'reference' | 'key'>): string {
	return JSON.stringify(key === undefined ? [reference] : [reference, key]);
}
