import * as z from 'zod';

export const accessKeyDtoSchema = z.object({
	/** id of the key, generated here */
	id: z.string(),
	/** name that tells people which program uses the key */
	name: z.string(),
	/** patterns of the roles that the key has */
	scopes: z.array(z.string()),
	/** ISO time of the creation */
	createdAt: z.string(),
	/** ISO time from which on the key is refused; absent: never */
	expiresAt: z.string().optional(),
	/** ISO time of the latest rotation */
	rotatedAt: z.string().optional(),
	/** ISO time until which the text before the rotation is also accepted */
	previousValidUntil: z.string().optional(),
});
/** Key of a program for the HTTP gateway, without its text. */
export type AccessKeyDto = z.infer<typeof accessKeyDtoSchema>;

/** Key of a program for the HTTP gateway; its text is not stored, only the hash of it. */
export const accessKeyRecordSchema = accessKeyDtoSchema.omit({ previousValidUntil: true }).extend({
	/** SHA-256 of the key's text in base64url */
	digest: z.string(),
	/** hash of the key before the rotation, and until when it is accepted */
	previous: z.object({ digest: z.string(), validUntil: z.string() }).optional(),
});
export type AccessKeyRecord = z.infer<typeof accessKeyRecordSchema>;

export const newAccessKeyDtoSchema = accessKeyDtoSchema.extend({
	/** text that the program sends; it cannot be shown again */
	key: z.string(),
});
/** Key of a program for the HTTP gateway, with its text, which is shown once. */
export type NewAccessKeyDto = z.infer<typeof newAccessKeyDtoSchema>;
