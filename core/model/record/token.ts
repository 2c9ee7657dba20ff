import * as z from 'zod';
import type { TokenContent } from '../content/token-content';
import { objectOf, type UnknownContent } from '../json';
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
	content: objectOf<TokenContent | UnknownContent>(),
	passwordProtection: storedPasswordProtectionSchema.optional(),
});
export type TokenSecrets = z.infer<typeof tokenSecretsSchema>;

/** @see docs/protocol/transport.md 16.5 */
export const tokenDtoSchema = z.object({
	/** `TOK` id */
	id: z.string(),
	/** true if this identity created the token */
	isOwn: z.boolean(),
	/** address of the creator */
	createdBy: z.string(),
	/** id of the device that created it */
	createdByDevice: z.string(),
	/** JSON with `@type`; for a file or template, with the key of that object */
	content: objectOf<TokenContent | UnknownContent>(),
	/** ISO time of the creation */
	createdAt: z.string(),
	/** ISO time from which on the Backbone no longer returns the token */
	expiresAt: z.string(),
	/** address that alone may load the token; absent: each holder of the reference may */
	forIdentity: z.string().optional(),
	/** password that a reader needs besides the reference; absent if it needs none */
	passwordProtection: passwordProtectionDtoSchema.optional(),
	/** same as `reference.truncated` */
	truncatedReference: z.string(),
	/** reference with the key of the token, for QR codes and links */
	reference: referenceDtoSchema,
	/** true if the token exists at the Backbone only */
	isEphemeral: z.boolean(),
});
/** Token, which carries an object behind a short reference. */
export type TokenDto = z.infer<typeof tokenDtoSchema>;
