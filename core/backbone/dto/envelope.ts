import * as z from 'zod';
import { numberSchema, shownTextSchema, textSchema } from './wire';

/** `docs/protocol/backbone-api.md` 3. Codes do not always begin with `error.platform.`. */
export const wireErrorSchema = z.object({
	id: shownTextSchema,
	/** one plain word, because it becomes the code of the error that logs and answers contain */
	code: z
		.string()
		.min(1)
		.max(200)
		.regex(/^[\w.-]+$/),
	message: z.string().nullish().catch(undefined),
	data: z.unknown().optional(),
});
export type WireError = z.infer<typeof wireErrorSchema>;

export const errorEnvelopeSchema = z.object({ error: wireErrorSchema });

/**
 * `data` of `error.platform.quotaExhausted` (backbone-api 18.4); copied into
 * facts, which appear in logs.
 */
export const quotaDataSchema = z
	.array(z.object({ metricKey: textSchema, isExhaustedUntil: textSchema }))
	.max(50);

const countSchema = numberSchema(0, Number.MAX_SAFE_INTEGER).nullish().catch(undefined);

/**
 * Present only if there is more than one page (`docs/protocol/backbone-api.md` 2.8). Unreadable
 * members become undefined, so that the items of the page stay readable.
 */
export const paginationSchema = z
	.object({ pageNumber: countSchema, totalPages: countSchema, totalRecords: countSchema })
	.catch({ pageNumber: undefined, totalPages: undefined, totalRecords: undefined });
export type Pagination = z.infer<typeof paginationSchema>;
