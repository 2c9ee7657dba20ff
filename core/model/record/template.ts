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
	/** content as sent, with `@type` (or the peer's plain object) */
	content: jsonObjectSchema,
	/** address and public key of the templator, from the signed wrapper */
	identity: z.object({ address: z.string(), publicKey: z.string() }),
	templateKey: z.object({ id: z.string(), publicKey: z.string() }),
	/**
	 * own templates only: time of deletion, from which on it is hidden. The record is kept until its
	 * expiry, because a relationship created from it may still arrive.
	 */
	deletedAt: z.string().optional(),
	/** own templates only: set when the exhaustion was published, so that it is published once */
	allocationsExhausted: z.literal(true).optional(),
	/** generation of the peer's wallet, if the content shows it (docs/protocol/content.md 13) */
	generation: generationSchema.optional(),
});
export type TemplateRecord = z.infer<typeof templateRecordSchema>;

export const templateSecretsSchema = z.object({
	/** base64url of the 32 byte key in the reference */
	secretKey: z.string(),
	/** own templates only: base64url of the exchange private key */
	templatePrivateKey: z.string().optional(),
	passwordProtection: storedPasswordProtectionSchema.optional(),
});
export type TemplateSecrets = z.infer<typeof templateSecretsSchema>;

/** @see docs/protocol/transport.md 16.2 */
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
