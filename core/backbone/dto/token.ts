import { z } from 'zod';
import {
	addressSchema,
	contentBytesSchema,
	createdObjectSchema,
	idSchema,
	instantSchema,
	passwordBytesSchema,
} from './wire';

/** `docs/protocol/backbone-api.md` 17.1. Content is absent in empty tokens only. */
export const createTokenBodySchema = z.object({
	content: contentBytesSchema.nullish(),
	expiresAt: instantSchema,
	forIdentity: addressSchema.nullish(),
	password: passwordBytesSchema.nullish(),
});
export type CreateTokenBody = z.infer<typeof createTokenBodySchema>;

export const createdTokenSchema = createdObjectSchema('TOK');
export type CreatedToken = z.infer<typeof createdTokenSchema>;

/** `docs/protocol/backbone-api.md` 17.2 */
export const wireTokenSchema = z.object({
	id: idSchema('TOK').nullish(),
	createdBy: addressSchema.nullish(),
	createdByDevice: idSchema('DVC').nullish(),
	forIdentity: addressSchema.nullish(),
	createdAt: instantSchema,
	expiresAt: instantSchema,
	content: contentBytesSchema.nullish(),
	isPasswordProtected: z.boolean().nullish(),
});
export type WireToken = z.infer<typeof wireTokenSchema>;
