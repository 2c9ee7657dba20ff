import * as z from 'zod';

/** Form fields of `POST /connect/token` (`docs/protocol/backbone-api.md` 4.1). */
export const tokenGrantFormSchema = z.object({
	grant_type: z.literal('password'),
	client_id: z.string(),
	client_secret: z.string(),
	username: z.string(),
	password: z.string(),
});
export type TokenGrantForm = z.infer<typeof tokenGrantFormSchema>;

export const tokenGrantSchema = z.object({
	/** opaque to us; goes into a header, so only visible ASCII */
	access_token: z
		.string()
		.min(1)
		.max(16_384)
		.regex(/^[\x21-\x7e]+$/),
	token_type: z.string().max(100).nullish(),
	/** seconds */
	expires_in: z.number().positive().max(31_536_000),
});
export type TokenGrant = z.infer<typeof tokenGrantSchema>;

/** `invalid_grant`, `invalid_client`, `access_denied`, ... */
export const oauthErrorSchema = z.object({
	error: z
		.string()
		.min(1)
		.max(100)
		.regex(/^[\w.-]+$/),
	error_description: z.string().max(2_000).nullish(),
});
export type OauthError = z.infer<typeof oauthErrorSchema>;
