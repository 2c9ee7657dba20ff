import * as z from 'zod';
import {
	addressSchema,
	bytesSchema,
	deviceTextSchema,
	idSchema,
	instantSchema,
	optionalAddressSchema,
	optionalInstantSchema,
	shownTextSchema,
	textSchema,
} from './wire';

/** Text parts of `POST Files` (`docs/protocol/backbone-api.md` 16.1); `content` is a file part. */
export const uploadFileFieldsSchema = z.object({
	cipherHash: bytesSchema(1),
	ownerSignature: bytesSchema(1),
	expiresAt: instantSchema,
	encryptedProperties: bytesSchema(0),
	/** sent by every client, ignored by servers */
	owner: optionalAddressSchema,
});
export type UploadFileFields = z.infer<typeof uploadFileFieldsSchema>;

/** Opaque text that is sent back unchanged; bounded, so that it can be stored. */
export const ownershipTokenSchema = textSchema.min(1);

/**
 * Answer to an upload. The ownership token is disclosed here and then only by regenerating or
 * claiming.
 */
export const uploadedFileSchema = z.object({
	id: idSchema('FIL'),
	createdAt: instantSchema,
	expiresAt: instantSchema,
	ownershipToken: ownershipTokenSchema.nullish(),
});
export type UploadedFile = z.infer<typeof uploadedFileSchema>;

/** `docs/protocol/backbone-api.md` 16.2 */
export const wireFileSchema = z.object({
	id: idSchema('FIL').nullish(),
	createdAt: instantSchema,
	createdBy: addressSchema,
	createdByDevice: deviceTextSchema,
	deletedAt: optionalInstantSchema,
	deletedBy: shownTextSchema,
	deletedByDevice: shownTextSchema,
	owner: addressSchema,
	ownershipIsLocked: z.boolean().nullish(),
	/** base64; decoded before it is compared with the hash of the content */
	cipherHash: bytesSchema(1),
	expiresAt: instantSchema,
	encryptedProperties: bytesSchema(0),
});
export type WireFile = z.infer<typeof wireFileSchema>;

export const wireListedFileSchema = wireFileSchema.extend({ id: idSchema('FIL') });
export type WireListedFile = z.infer<typeof wireListedFileSchema>;

/** `docs/protocol/backbone-api.md` 16.3 */
export const ownershipTokenValiditySchema = z.object({ isValid: z.boolean() });

export const newOwnershipTokenSchema = z.object({ newOwnershipToken: ownershipTokenSchema });
