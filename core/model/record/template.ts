import * as z from 'zod';
import { jsonObjectSchema } from '../json';
import { generationSchema } from './generation';
import {
	passwordProtectionDtoSchema,
	storedPasswordProtectionSchema,
} from '../password-protection';
import { referenceDtoSchema } from './reference';

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
	/**
	 * Own templates only: hidden from then on. Kept until it expires, because a relationship that was
	 * made from it before may still be on its way.
	 */
	deletedAt: z.string().optional(),
	/** own templates only: published, however often the Backbone says it */
	allocationsExhausted: z.literal(true).optional(),
	/** of the peer's wallet, where its content tells (content.md 13) */
	generation: generationSchema.optional(),
});
export type TemplateRecord = z.infer<typeof templateRecordSchema>;

export const templateSecretsSchema = z.object({
	/** base64url of the 32 byte key that travels in the reference */
	secretKey: z.string(),
	/** own templates only: base64url of the exchange private key */
	templatePrivateKey: z.string().optional(),
	passwordProtection: storedPasswordProtectionSchema.optional(),
});
export type TemplateSecrets = z.infer<typeof templateSecretsSchema>;

/** transport 16.2 */
export const templateDtoSchema = z.object({
	id: z.string(),
	isOwn: z.boolean(),
	createdBy: z.string(),
	createdByDevice: z.string(),
	createdAt: z.string(),
	forIdentity: z.string().optional(),
	passwordProtection: passwordProtectionDtoSchema.optional(),
	content: jsonObjectSchema,
	expiresAt: z.string().optional(),
	maxNumberOfAllocations: z.number().int().optional(),
	truncatedReference: z.string(),
	reference: referenceDtoSchema,
});
export type TemplateDto = z.infer<typeof templateDtoSchema>;
