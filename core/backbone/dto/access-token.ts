import * as z from 'zod';
import { numberSchema } from './wire';

export const tokenGrantSchema = z.object({
	/** visible ASCII because it is sent in a header, and no longer than servers accept */
	access_token: z
		.string()
		.min(1)
		.max(16_384)
		.regex(/^[\x21-\x7e]+$/),
	/** seconds; capped at one year, because timers hold no longer delay */
	expires_in: numberSchema(1, Number.MAX_SAFE_INTEGER).transform((seconds) =>
		Math.min(seconds, 31_536_000),
	),
});
export type TokenGrant = z.infer<typeof tokenGrantSchema>;

/** `invalid_grant`, `invalid_client`, `access_denied`, ... */
export const oauthErrorSchema = z.object({
	/** copied into the facts of the error, which appear in logs */
	error: z.string().min(1).max(100),
	error_description: z.string().nullish().catch(undefined),
});
