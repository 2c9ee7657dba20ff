import * as z from 'zod';
import { jsonObjectSchema } from '../json';
import {
	passwordProtectionDtoSchema,
	storedPasswordProtectionSchema,
} from '../password-protection';
import { referenceDtoSchema } from './reference';

/** A token that is kept; its content leads to other objects and is a secret. */
export const tokenRecordSchema = z.object({
	id: z.string(),
	isOwn: z.boolean(),
	createdBy: z.string(),
	createdByDevice: z.string(),
	createdAt: z.string(),
	expiresAt: z.string(),
	forIdentity: z.string().optional(),
});
export type TokenRecord = z.infer<typeof tokenRecordSchema>;

export const tokenSecretsSchema = z.object({
	/** base64url of the key of the reference */
	secretKey: z.string(),
	content: jsonObjectSchema,
	passwordProtection: storedPasswordProtectionSchema.optional(),
});
export type TokenSecrets = z.infer<typeof tokenSecretsSchema>;

/** transport 16.5 */
export const tokenDtoSchema = z.object({
	id: z.string(),
	isOwn: z.boolean(),
	createdBy: z.string(),
	createdByDevice: z.string(),
	content: jsonObjectSchema,
	createdAt: z.string(),
	expiresAt: z.string(),
	forIdentity: z.string().optional(),
	passwordProtection: passwordProtectionDtoSchema.optional(),
	truncatedReference: z.string(),
	reference: referenceDtoSchema,
	/** whether it is at the Backbone only, and not kept here */
	isEphemeral: z.boolean(),
});
export type TokenDto = z.infer<typeof tokenDtoSchema>;
