import { z } from 'zod';

/* Output of the operations about all data of a person. */

/** What happened between this account and a person, with the record in its simplified form. */
export const historyEntryOutputSchema = z.object({
	at: z.string(),
	kind: z.enum(['relationship', 'request', 'message', 'file', 'attribute']),
	what: z.string(),
	direction: z.enum(['sent', 'received']),
	summary: z.string(),
	id: z.string(),
	record: z.record(z.string(), z.unknown()),
});
export type HistoryEntryOutput = z.infer<typeof historyEntryOutputSchema>;

/** The document with all data, then one item for each file. */
export const contactExportOutputSchema = z.object({
	peer: z.string(),
	type: z.enum(['data', 'file']),
	exportedAt: z.string().optional(),
	/** number of records in each section of the document */
	records: z.record(z.string(), z.number()).optional(),
	/** files that are only listed in the document */
	filesLeftOut: z.number().optional(),
	id: z.string().optional(),
	filename: z.string().optional(),
	title: z.string().optional(),
	mimetype: z.string().optional(),
	filesize: z.number().optional(),
	/** code of the reason for which the file cannot be had */
	missing: z.string().optional(),
});

export const erasureReceiptOutputSchema = z.object({
	peer: z.string(),
	erasedAt: z.string(),
	erased: z.array(z.object({ kind: z.string(), count: z.number() })),
	remains: z.array(
		z.object({
			kind: z.string(),
			count: z.number(),
			reason: z.string(),
			until: z.string().optional(),
		}),
	),
});
