import * as z from 'zod';
import { referenceDtoSchema } from './reference';

/**
 * File as callers receive it (docs/protocol/transport.md 16.4), with the owner
 * (docs/protocol/http-api.md 7.1).
 */
export const fileDtoSchema = z.object({
	/** `FIL` id */
	id: z.string(),
	/** true if this identity owns the file */
	isOwn: z.boolean(),
	/** name for downloads, as its owner gave it */
	filename: z.string(),
	/** tags of the owner; absent if there are none */
	tags: z.array(z.string()).optional(),
	/** size of the plaintext in bytes, as stated by its owner */
	filesize: z.number(),
	/** ISO time of the upload */
	createdAt: z.string(),
	/** address of the identity that uploaded the file */
	createdBy: z.string(),
	/** id of the device that uploaded the file */
	createdByDevice: z.string(),
	/** ISO time from which on the Backbone no longer returns the file */
	expiresAt: z.string(),
	/** media type, as stated by its owner */
	mimetype: z.string(),
	/** title of the file; empty if there is none */
	title: z.string(),
	/** description by the owner; absent if there is none */
	description: z.string().optional(),
	/** address of the current owner, which may differ from the creator */
	owner: z.string(),
	/** secret with which another identity can take over the file; own files only */
	ownershipToken: z.string().optional(),
	/** set after a wrong ownership token was given: the file can no longer be taken over */
	ownershipIsLocked: z.literal(true).optional(),
	/** same as `reference.truncated` */
	truncatedReference: z.string(),
	/** reference with the key of the file: each holder can read it */
	reference: referenceDtoSchema,
});
/** Metadata of a file. */
export type FileDto = z.infer<typeof fileDtoSchema>;

/** File, as every holder of its reference can read it; its keys are secrets. */
export const fileRecordSchema = fileDtoSchema
	.omit({ ownershipToken: true, truncatedReference: true, reference: true })
	.extend({
		title: z.string().optional(),
		filemodified: z.string().optional(),
		/** base64url of SHA-512: of the bytes at the Backbone, and of the plaintext */
		cipherHash: z.string(),
		plaintextHash: z.string(),
		/** SHA-256 (base64url) of the ownership token; finds a file by its token */
		ownershipTokenHash: z.string().optional(),
		/** idempotency key of the uploading caller, unique: a repeated upload finds the file by it */
		idempotencyKey: z.string().optional(),
		deletedAt: z.string().optional(),
		deletedBy: z.string().optional(),
		deletedByDevice: z.string().optional(),
	});
export type FileRecord = z.infer<typeof fileRecordSchema>;

export const fileSecretsSchema = z.object({
	/** base64url of the metadata key, which travels in references */
	secretKey: z.string(),
	/** base64url of the content key, from the metadata */
	contentKey: z.string(),
	/** own files only: every holder of the token can take over ownership */
	ownershipToken: z.string().optional(),
});
export type FileSecrets = z.infer<typeof fileSecretsSchema>;

/** Content of a file, decrypted and verified. */
export interface DownloadedFile {
	/** decrypted bytes */
	readonly content: Uint8Array;
	/** name given by its owner; the id if there is none */
	readonly filename: string;
	/** media type, as stated by its owner */
	readonly mimetype: string;
}
