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

/** `docs/protocol/backbone-api.md` 17.1. Content is absent in empty tokens only. */
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
 * `docs/protocol/backbone-api.md` 17.2. Creator and content are null in an empty token that nobody
 * has filled yet.
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

/** In lists the id is what an item is recognised by. */
export const wireListedTokenSchema = wireTokenSchema.extend({ id: idSchema('TOK') });
export type WireListedToken = z.infer<typeof wireListedTokenSchema>;

/** `docs/protocol/backbone-api.md` 17.3 */
export const updateTokenContentBodySchema = z.object({
	newContent: bytesSchema(1),
	password: passwordBytesSchema.nullish(),
});
export type UpdateTokenContentBody = z.infer<typeof updateTokenContentBodySchema>;

/** The answer to filling an empty token: all but the content, and who filled it is its creator. */
export const updatedTokenSchema = wireListedTokenSchema.omit({ content: true }).extend({
	createdBy: addressSchema,
	createdByDevice: deviceTextSchema,
});
export type UpdatedToken = z.infer<typeof updatedTokenSchema>;
