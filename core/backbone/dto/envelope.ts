import * as z from 'zod';

/** `docs/protocol/backbone-api.md` 3. Codes need not start with `error.platform.`. */
export const wireErrorSchema = z.object({
	id: z.string().max(100).nullish(),
	code: z
		.string()
		.min(1)
		.max(200)
		.regex(/^[\w.-]+$/),
	message: z.string().max(20_000).nullish(),
	docs: z.string().max(2_000).nullish(),
	time: z.string().max(60).nullish(),
	data: z.unknown().optional(),
});
export type WireError = z.infer<typeof wireErrorSchema>;

export const errorEnvelopeSchema = z.object({ error: wireErrorSchema });

/** `data` of `error.platform.quotaExhausted` (backbone-api 18.4). */
export const quotaDataSchema = z
	.array(z.object({ metricKey: z.string().max(100), isExhaustedUntil: z.string().max(40) }))
	.max(50);
export type QuotaData = z.infer<typeof quotaDataSchema>;

/** Present only when there is more than one page (`docs/protocol/backbone-api.md` 2.8). */
export const paginationSchema = z.object({
	pageNumber: z.number().int().min(1),
	pageSize: z.number().int().min(1),
	totalPages: z.number().int().min(0),
	totalRecords: z.number().int().min(0),
});
export type Pagination = z.infer<typeof paginationSchema>;
