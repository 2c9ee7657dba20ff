import * as z from 'zod';
import { referenceDtoSchema } from './reference';

/** File, as every holder of its reference can read it; its keys are secrets. */
export const fileRecordSchema = z.object({
	id: z.string(),
	isOwn: z.boolean(),
	/** may change, unlike the creator */
	owner: z.string(),
	createdAt: z.string(),
	createdBy: z.string(),
	createdByDevice: z.string(),
	expiresAt: z.string(),
	filename: z.string(),
	/** size of the plaintext in bytes, as stated by its owner */
	filesize: z.number(),
	mimetype: z.string(),
	title: z.string().optional(),
	description: z.string().optional(),
	tags: z.array(z.string()).optional(),
	filemodified: z.string().optional(),
	/** base64url of SHA-512: of the bytes at the Backbone, and of the plaintext */
	cipherHash: z.string(),
	plaintextHash: z.string(),
	ownershipIsLocked: z.literal(true).optional(),
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

/**
 * File as callers receive it (docs/protocol/transport.md 16.4), with the owner
 * (docs/protocol/http-api.md 7.1).
 */
export const fileDtoSchema = z.object({
	id: z.string(),
	isOwn: z.boolean(),
	filename: z.string(),
	tags: z.array(z.string()).optional(),
	filesize: z.number(),
	createdAt: z.string(),
	createdBy: z.string(),
	createdByDevice: z.string(),
	expiresAt: z.string(),
	mimetype: z.string(),
	title: z.string(),
	description: z.string().optional(),
	owner: z.string(),
	ownershipToken: z.string().optional(),
	ownershipIsLocked: z.literal(true).optional(),
	truncatedReference: z.string(),
	reference: referenceDtoSchema,
});
export type FileDto = z.infer<typeof fileDtoSchema>;

/** Content of a file, decrypted and verified. */
export interface DownloadedFile {
	readonly content: Uint8Array;
	/** name given by its owner; the id if there is none */
	readonly filename: string;
	readonly mimetype: string;
}
