import * as z from 'zod';

/** Both forms of a reference, as callers receive them. */
export const referenceDtoSchema = z.object({ truncated: z.string(), url: z.string() });
