import * as z from 'zod';
import { addressPatternSchema } from '../address';
import { instantSchema } from '../instant';
import type { PasswordProtectionInput } from '../password-protection';
import type { TokenContentInput } from './contents';
import { judgedLater } from './schemas';

const sharing = {
	/** address that alone may load the token; absent: each holder of the reference may */
	forIdentity: addressPatternSchema.optional(),
	/** validated by a reader of its own, which knows the exact codes */
	passwordProtection: z.custom<PasswordProtectionInput>().optional(),
};

/** Input for a new token (docs/protocol/http-api.md 8.13). */
export const createTokenInputSchema = z.strictObject({
	/** object to pass on */
	content: judgedLater<TokenContentInput>(),
	/** ISO time until which the token can be loaded */
	expiresAt: instantSchema,
	/** true to store no copy here; the default is false */
	ephemeral: z.boolean().default(false),
	...sharing,
});
/** Token to create. */
export type CreateTokenInput = z.input<typeof createTokenInputSchema>;

/** Input for a token that refers to a file or template, which determines the rest. */
export const tokenForObjectInputSchema = z.strictObject({
	/** ISO time until which the token can be loaded; absent: as long as the object */
	expiresAt: instantSchema.optional(),
	/** true (default) to store no copy here */
	ephemeral: z.boolean().default(true),
	...sharing,
});
/** Token for a file or template. */
export type CreateObjectTokenInput = z.input<typeof tokenForObjectInputSchema>;

const reference = {
	/** truncated reference or its URL form */
	reference: z.string().min(1).max(4_000),
	/** password or PIN of a protected object */
	password: z.string().min(1).max(1_000).optional(),
};

/** Input for whatever is loaded by its reference. */
export const loadReferenceInputSchema = z.strictObject(reference);
/** Reference of an object to load. */
export type LoadReferenceInput = z.input<typeof loadReferenceInputSchema>;

export const loadTokenInputSchema = z.strictObject({
	...reference,
	/** true to store no copy here; the default is false */
	ephemeral: z.boolean().default(false),
});
/** Reference of a token to load. */
export type LoadTokenInput = z.input<typeof loadTokenInputSchema>;

export const fillTokenInputSchema = z.strictObject({
	...reference,
	/** object to pass on */
	content: judgedLater<TokenContentInput>(),
	/** true (default) to store no copy here */
	ephemeral: z.boolean().default(true),
});
/** Empty token, and what to put into it. */
export type FillTokenInput = z.input<typeof fillTokenInputSchema>;
