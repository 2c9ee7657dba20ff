import * as z from 'zod';
import { jsonObjectSchema } from '../json';

const passwordProtectionSchema = z.object({
	/** `pw`, or `pin` and the number of digits */
	passwordType: z.string(),
	/** base64url of the 16 salt bytes */
	salt: z.string(),
	passwordLocationIndicator: z.number().int().optional(),
	/** clear text: callers get it back and the hash is recomputed for each load */
	password: z.string(),
});
export type StoredPasswordProtection = z.infer<typeof passwordProtectionSchema>;

export const templateRecordSchema = z.object({
	id: z.string(),
	isOwn: z.boolean(),
	createdBy: z.string(),
	createdByDevice: z.string(),
	createdAt: z.string(),
	expiresAt: z.string().optional(),
	maxNumberOfAllocations: z.number().int().optional(),
	forIdentity: z.string().optional(),
	/** as sent, with `@type` (or the peer's plain object) */
	content: jsonObjectSchema,
	/** identity and exchange key of the templator, from the signed wrapper */
	identity: z.object({ address: z.string(), publicKey: z.string() }),
	templateKey: z.object({ id: z.string(), publicKey: z.string() }),
});
export type TemplateRecord = z.infer<typeof templateRecordSchema>;

export const templateSecretsSchema = z.object({
	/** base64url of the 32 byte key that travels in the reference */
	secretKey: z.string(),
	/** own templates only: base64url of the exchange private key */
	templatePrivateKey: z.string().optional(),
	passwordProtection: passwordProtectionSchema.optional(),
});
export type TemplateSecrets = z.infer<typeof templateSecretsSchema>;

const referenceDtoSchema = z.object({ truncated: z.string(), url: z.string() });

/** transport 16.2 */
export const templateDtoSchema = z.object({
	id: z.string(),
	isOwn: z.boolean(),
	createdBy: z.string(),
	createdByDevice: z.string(),
	createdAt: z.string(),
	forIdentity: z.string().optional(),
	passwordProtection: z
		.object({
			password: z.string(),
			passwordIsPin: z.literal(true).optional(),
			passwordLocationIndicator: z.union([z.string(), z.number()]).optional(),
		})
		.optional(),
	content: jsonObjectSchema,
	expiresAt: z.string().optional(),
	maxNumberOfAllocations: z.number().int().optional(),
	truncatedReference: z.string(),
	reference: referenceDtoSchema,
});
export type TemplateDto = z.infer<typeof templateDtoSchema>;
