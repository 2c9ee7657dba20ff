import * as z from 'zod';
import { jsonSchema } from '../json';

/** Metadata that a client stores about an identity; at most one value per reference and key. */
export const identityMetadataSchema = z.object({
	/** IDM id, for internal use only */
	id: z.string(),
	/** own address, or address of a peer */
	reference: z.string(),
	/** name of the value; absent: the one value without a name */
	key: z.string().optional(),
	/** any JSON value except null */
	value: jsonSchema,
});
export type IdentityMetadataRecord = z.infer<typeof identityMetadataSchema>;

/** Uniqueness key of a value; a missing key counts as a key of its own. */
export function identityMetadataSlot({
	reference,
	key,
}: Pick<IdentityMetadataRecord, 'reference' | 'key'>): string {
	return JSON.stringify(key === undefined ? [reference] : [reference, key]);
}

/** @see docs/protocol/consumption.md 12 */
export const identityMetadataDtoSchema = identityMetadataSchema.omit({ id: true });
/** Value that a client has stored about an identity. */
export type IdentityMetadataDto = z.infer<typeof identityMetadataDtoSchema>;
