import * as z from 'zod';
import {
	addressSchema,
	contentBytesSchema,
	createdObjectSchema,
	deviceTextSchema,
	idSchema,
	instantSchema,
	optionalAddressSchema,
	optionalInstantSchema,
	numberSchema,
	passwordBytesSchema,
} from './wire';

/** `docs/protocol/backbone-api.md` 13.1 */
export const createTemplateBodySchema = z.object({
	content: contentBytesSchema,
	expiresAt: optionalInstantSchema,
	maxNumberOfAllocations: z.number().int().min(1).nullish(),
	forIdentity: optionalAddressSchema,
	/** hash of the password, never its clear text */
	password: passwordBytesSchema.nullish(),
});
export type CreateTemplateBody = z.infer<typeof createTemplateBodySchema>;

export const createdTemplateSchema = createdObjectSchema('RLT');
export type CreatedTemplate = z.infer<typeof createdTemplateSchema>;

/** `docs/protocol/backbone-api.md` 13.2 */
export const wireTemplateSchema = z.object({
	id: idSchema('RLT').nullish(),
	createdBy: addressSchema,
	createdByDevice: deviceTextSchema,
	maxNumberOfAllocations: numberSchema(0, Number.MAX_SAFE_INTEGER).nullish(),
	expiresAt: optionalInstantSchema,
	content: contentBytesSchema,
	createdAt: instantSchema,
	forIdentity: optionalAddressSchema,
});
export type WireTemplate = z.infer<typeof wireTemplateSchema>;

/** Item of a list, which has an id so that it can be matched with the requested ids. */
export const wireListedTemplateSchema = wireTemplateSchema.extend({ id: idSchema('RLT') });
export type WireListedTemplate = z.infer<typeof wireListedTemplateSchema>;
