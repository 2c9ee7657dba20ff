import * as z from 'zod';
import {
	addressSchema,
	bytesSchema,
	idSchema,
	instantSchema,
	optionalAddressSchema,
	optionalInstantSchema,
} from './wire';

/** The text parts of `POST Files` (`docs/protocol/backbone-api.md` 16.1); `content` is a file part. */
export const uploadFileFieldsSchema = z.object({
	cipherHash: bytesSchema(1, 128),
	ownerSignature: bytesSchema(1, 512),
	expiresAt: instantSchema,
	encryptedProperties: bytesSchema(0, 1024 * 1024),
	/** ignored by servers, sent by every client */
	owner: optionalAddressSchema,
});
export type UploadFileFields = z.infer<typeof uploadFileFieldsSchema>;

export const ownershipTokenSchema = z.string().regex(/^[A-Za-z0-9]{1,20}$/);

/** The token is told here and never again, except by regenerating or claiming. */
export const uploadedFileSchema = z.object({
	id: idSchema('FIL'),
	createdAt: instantSchema,
	createdBy: addressSchema,
	createdByDevice: idSchema('DVC'),
	owner: addressSchema,
	expiresAt: instantSchema,
	ownershipToken: ownershipTokenSchema.nullish(),
});
export type UploadedFile = z.infer<typeof uploadedFileSchema>;

/** `docs/protocol/backbone-api.md` 16.2 */
export const wireFileSchema = z.object({
	id: idSchema('FIL').nullish(),
	createdAt: instantSchema,
	createdBy: addressSchema,
	createdByDevice: idSchema('DVC'),
	modifiedAt: optionalInstantSchema,
	deletedAt: optionalInstantSchema,
	deletedBy: optionalAddressSchema,
	deletedByDevice: idSchema('DVC').nullish(),
	owner: addressSchema,
	ownerSignature: bytesSchema(0, 512),
	ownershipIsLocked: z.boolean().nullish(),
	cipherSize: z.number().int().min(0).nullish(),
	cipherHash: bytesSchema(1, 128),
	expiresAt: instantSchema,
	encryptedProperties: bytesSchema(0, 1024 * 1024),
});
export type WireFile = z.infer<typeof wireFileSchema>;

export const wireListedFileSchema = wireFileSchema.extend({ id: idSchema('FIL') });
export type WireListedFile = z.infer<typeof wireListedFileSchema>;

/** `docs/protocol/backbone-api.md` 16.3 */
export const ownershipTokenBodySchema = z.object({ ownershipToken: z.string().max(100) });
export type OwnershipTokenBody = z.infer<typeof ownershipTokenBodySchema>;

export const ownershipTokenValiditySchema = z.object({ isValid: z.boolean() });

export const newOwnershipTokenSchema = z.object({ newOwnershipToken: ownershipTokenSchema });
