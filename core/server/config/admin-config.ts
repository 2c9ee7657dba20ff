import * as z from 'zod';

const text = z.string().min(1);

const isLocal = (url: string): boolean =>
	/^http:\/\/(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?(\/|$)/i.test(url);

const secureUrl = z
	.url()
	.refine(
		(url) => /^https:/i.test(url) || isLocal(url),
		'expected an address with https: what it carries could be read on the way',
	);

const openIdSchema = z.strictObject({
	/** address of the provider, below which `/.well-known/openid-configuration` is */
	issuer: secureUrl,
	clientId: text,
	clientSecret: text,
	/**
	 * address of the page as browsers see it, for example `https://gateway.example.com/admin/`; the
	 * provider must know `openid-callback` below it
	 */
	address: secureUrl.transform((url) => (url.endsWith('/') ? url : `${url}/`)),
	/** text of the button */
	label: text.max(50).default('Sign in with your organisation'),
	/** scopes that are asked of the provider */
	scope: z
		.string()
		.regex(/(^| )openid( |$)/, "must contain 'openid'")
		.default('openid profile'),
	/** dots lead to the roles of a person: in the ID token, else in the user information */
	rolesPath: text.default('roles'),
	/** roles of this gateway by a role of the provider; absent: the provider names roles of this gateway */
	roles: z.record(z.string(), z.array(text)).optional(),
	/** accounts that people open; '*' for all */
	accounts: z.array(text).min(1).default(['*']),
});

/**
 * Settings below `infrastructure.httpServer.admin`: the page for operators, an extension of this
 * gateway (docs/adr/0052).
 */
export const adminSchema = z.strictObject({
	enabled: z.boolean().default(true),
	openId: openIdSchema.optional(),
});
export type AdminConfig = z.infer<typeof adminSchema>;
export type OpenIdConfig = z.infer<typeof openIdSchema>;
