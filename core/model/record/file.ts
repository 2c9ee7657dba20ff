import * as z from 'zod';
import { referenceDtoSchema } from './reference';

/** What everybody who has the file's reference can read; its keys are secrets. */
export const fileRecordSchema = z.object({
	id: z.string(),
	isOwn: z.boolean(),
	/** can change, unlike the creator */
	owner: z.string(),
	createdAt: z.string(),
	createdBy: z.string(),
	createdByDevice: z.string(),
	expiresAt: z.string(),
	filename: z.string(),
	/** bytes of the plaintext, as its owner states them */
	filesize: z.number(),
	mimetype: z.string(),
	title: z.string().optional(),
	description: z.string().optional(),
	tags: z.array(z.string()).optional(),
	filemodified: z.string().optional(),
	/** base64url of SHA-512 over the bytes at the Backbone, and over the plaintext */
	cipherHash: z.string(),
	plaintextHash: z.string(),
	ownershipIsLocked: z.literal(true).optional(),
	/** SHA-256 (base64url) of the ownership token, to find a file by it */
	ownershipTokenHash: z.string().optional(),
	/** of whoever uploaded it, unique: a repetition finds the file by it */
	idempotencyKey: z.string().optional(),
	deletedAt: z.string().optional(),
	deletedBy: z.string().optional(),
	deletedByDevice: z.string().optional(),
});
export type FileRecord = z.infer<typeof fileRecordSchema>;

export const fileSecretsSchema = z.object({
	/** base64url of the metadata key, which travels in references */
	secretKey: z.string(),
	/** base64url of the key of the content, from the metadata */
	contentKey: z.string(),
	/** own files only: whoever knows it can become the owner */
	ownershipToken: z.string().optional(),
});
export type FileSecrets = z.infer<typeof fileSecretsSchema>;

/** transport 16.4, with the owner (http-api 7.1) */
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

/** The content of a file, decrypted and checked. */
export interface DownloadedFile {
	readonly content: Uint8Array;
	/** as its owner named it; the id where it has no name */
	readonly filename: string;
	readonly mimetype: string;
}
