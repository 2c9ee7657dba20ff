import * as z from 'zod';
import {
	addressSchema,
	bytesSchema,
	contentBytesSchema,
	createdObjectSchema,
	deviceTextSchema,
	idSchema,
	instantSchema,
	optionalAddressSchema,
	passwordBytesSchema,
	shownTextSchema,
} from './wire';

/** `docs/protocol/backbone-api.md` 17.1. Only empty tokens have no content. */
export const createTokenBodySchema = z.object({
	content: contentBytesSchema.nullish(),
	expiresAt: instantSchema,
	forIdentity: optionalAddressSchema,
	password: passwordBytesSchema.nullish(),
});
export type CreateTokenBody = z.infer<typeof createTokenBodySchema>;

export const createdTokenSchema = createdObjectSchema('TOK');
export type CreatedToken = z.infer<typeof createdTokenSchema>;

/**
 * `docs/protocol/backbone-api.md` 17.2. Creator and content are null while an
 * empty token is not filled.
 */
export const wireTokenSchema = z.object({
	id: idSchema('TOK').nullish(),
	createdBy: optionalAddressSchema,
	createdByDevice: shownTextSchema,
	forIdentity: optionalAddressSchema,
	createdAt: instantSchema,
	expiresAt: instantSchema,
	content: contentBytesSchema.nullish(),
});
export type WireToken = z.infer<typeof wireTokenSchema>;

/** Item of a list, which has an id so that it can be matched with the requested ids. */
export const wireListedTokenSchema = wireTokenSchema.extend({ id: idSchema('TOK') });
export type WireListedToken = z.infer<typeof wireListedTokenSchema>;

/** `docs/protocol/backbone-api.md` 17.3 */
export const updateTokenContentBodySchema = z.object({
	newContent: bytesSchema(1),
	password: passwordBytesSchema.nullish(),
});
export type UpdateTokenContentBody = z.infer<typeof updateTokenContentBodySchema>;

/**
 * Answer to filling an empty token: the token without its content. Its creator is
 * the identity that filled it.
 */
export const updatedTokenSchema = wireListedTokenSchema.omit({ content: true }).extend({
	createdBy: addressSchema,
	createdByDevice: deviceTextSchema,
});
export type UpdatedToken = z.infer<typeof updatedTokenSchema>;
