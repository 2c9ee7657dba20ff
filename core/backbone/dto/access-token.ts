import * as z from 'zod';
import { numberSchema } from './wire';

export const tokenGrantSchema = z.object({
	/** goes into a header: visible ASCII, and no longer than servers take */
	access_token: z
		.string()
		.min(1)
		.max(16_384)
		.regex(/^[\x21-\x7e]+$/),
	/** seconds; a longer time than a year is taken as a year, because timers hold no more */
	expires_in: numberSchema(1, Number.MAX_SAFE_INTEGER).transform((seconds) =>
		Math.min(seconds, 31_536_000),
	),
});
export type TokenGrant = z.infer<typeof tokenGrantSchema>;

/** `invalid_grant`, `invalid_client`, `access_denied`, ... */
export const oauthErrorSchema = z.object({
	/** becomes a fact of our own error, which logs carry */
	error: z.string().min(1).max(100),
	error_description: z.string().nullish().catch(undefined),
});
