import * as z from 'zod';
import { instantSchema } from '../instant';
import { listInput } from './schemas';

/** Kinds of entries in the history of a contact. */
export const historyKinds = ['relationship', 'request', 'message', 'file', 'attribute'] as const;

export const contactHistoryInputSchema = z.strictObject({
	/** only entries of these kinds; absent or empty: all */
	kinds: listInput(z.array(z.enum(historyKinds)).max(100)).default([]),
	/** only entries at this time or later, ISO text */
	after: instantSchema.optional(),
	/** only entries before this time, ISO text */
	before: instantSchema.optional(),
	/** greatest number of entries; absent: all */
	limit: z.int().min(1).optional(),
	/** `position` of the entry after which the list continues; absent: from the newest one */
	position: z.string().max(1_000).optional(),
});
/** Which entries of the history of a contact are listed. */
export type ContactHistoryInput = z.input<typeof contactHistoryInputSchema>;

export const contactExportInputSchema = z.strictObject({
	/** greatest number of records on a page; the default is 200 */
	limit: z.int().min(1).max(1_000).default(200),
	/** `position` of the page before; absent: the first page */
	position: z.string().max(1_000).optional(),
});
/** Which page of the export of a contact is read. */
export type ContactExportInput = z.input<typeof contactExportInputSchema>;

export const contactErasureInputSchema = z.strictObject({
	/** decompose a relationship that was terminated, rejected or revoked; the default is false */
	decomposeIfEnded: z.boolean().default(false),
	/**
	 * also delete own files that were attached to messages to this person only, here and at the
	 * Backbone; the default is false
	 */
	deleteSentFiles: z.boolean().default(false),
});
/** How far the erasure of a contact goes. */
export type ContactErasureInput = z.input<typeof contactErasureInputSchema>;
