import * as z from 'zod';
import { jsonSchema } from '../json';

/** What a client wants to remember of an identity; at most one value per reference and key. */
export const identityMetadataSchema = z.object({
	/** IDM id, never shown */
	id: z.string(),
	/** our own address, or that of a peer */
	reference: z.string(),
	key: z.string().optional(),
	value: jsonSchema,
});
export type IdentityMetadataRecord = z.infer<typeof identityMetadataSchema>;

/** Where a value stands: no key is a place of its own. */
export function identityMetadataSlot({
	reference,
	key,
}: Pick<IdentityMetadataRecord, 'reference' | 'key'>): string {
	return JSON.stringify(key === undefined ? [reference] : [reference, key]);
}

/** consumption 12 */
export const identityMetadataDtoSchema = identityMetadataSchema.omit({ id: true });
export type IdentityMetadataDto = z.infer<typeof identityMetadataDtoSchema>;
