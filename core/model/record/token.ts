import * as z from 'zod';
import { jsonObjectSchema } from '../json';
import {
	passwordProtectionDtoSchema,
	storedPasswordProtectionSchema,
} from '../password-protection';
import { referenceDtoSchema } from './reference';

/** Stored token; its content refers to other objects and is a secret. */
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
	/** base64url of the key in the reference */
	secretKey: z.string(),
	content: jsonObjectSchema,
	passwordProtection: storedPasswordProtectionSchema.optional(),
});
export type TokenSecrets = z.infer<typeof tokenSecretsSchema>;

/** @see docs/protocol/transport.md 16.5 */
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
	/** true if the token exists at the Backbone only */
	isEphemeral: z.boolean(),
});
export type TokenDto = z.infer<typeof tokenDtoSchema>;
