import * as z from 'zod';
import { defineErrors } from './base/errors';
import { additionalHeadersSchema } from './model/additional-headers';
import { automationConfigSchema } from './model/automation';

/** Errors of configurations. */
export const configErrors = defineErrors({
	invalid: {
		code: 'error.gateway.configuration.invalid',
		kind: 'invalid',
		meaning: 'A value of the credential or configuration is missing or not valid.',
		remedy: 'Correct the named field of the credential or configuration.',
	},
});

const accountNameRule =
	'expected at most 64 letters, digits, dots, dashes and underscores, a letter or digit first';

const schemaNameRule =
	'expected at most 40 letters, digits and underscores, not beginning with a digit';

/** Store in SQLite files. The default folder is `<n8n folder>/enmeshed`. */
export const sqliteStoreConfigSchema = z.object({
	kind: z.literal('sqlite'),
	/** absolute path */
	folder: z.string().min(1).optional(),
});

export const postgresStoreConfigSchema = z.object({
	kind: z.literal('postgres'),
	host: z.string().min(1),
	port: z.number().int().min(1).max(65535).default(5432),
	database: z.string().min(1),
	user: z.string().min(1),
	password: z.string().default(''),
	/** schema of the default account; other accounts have schemas of their own: `<schema>:<account>` */
	schema: z
		.string()
		.regex(/^[A-Za-z_][A-Za-z0-9_]{0,39}$/, schemaNameRule)
		.default('enmeshed'),
	/** encrypts the connection and checks the server's certificate */
	tls: z.boolean().default(false),
	/** accepts a certificate that is not signed by a trusted authority */
	tlsAllowUnauthorized: z.boolean().default(false),
	/** PEM text of the authority that signed the server's certificate */
	tlsCa: z.string().includes('-----BEGIN CERTIFICATE-----').optional(),
});

export const storeConfigSchema = z.discriminatedUnion('kind', [
	sqliteStoreConfigSchema,
	postgresStoreConfigSchema,
]);
export type StoreConfig = z.infer<typeof storeConfigSchema>;

/** Complete configuration of a gateway; errors never contain its secrets. */
export const gatewayConfigSchema = z.object({
	backbone: z.object({
		baseUrl: z.string(),
		clientId: z.string(),
		clientSecret: z.string(),
		/** host name for addresses, if the Backbone is reached under another name */
		addressHostname: z.string().optional(),
		/** accepts an address without TLS for an account that was created over https */
		allowPlainHttp: z.boolean().default(false),
		/** address of the push service, if it differs from `baseUrl` */
		pushUrl: z.string().optional(),
		/** milliseconds per call, including the body */
		timeoutMs: z.number().int().min(1).default(60_000),
		/** sent with every call, for example for a proxy in front of the Backbone */
		additionalHeaders: additionalHeadersSchema.optional(),
	}),
	/** name of the account, because a store can hold several identities; empty means `default` */
	account: z
		.string()
		.trim()
		.transform((name) => (name === '' ? 'default' : name))
		.pipe(z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, accountNameRule))
		.default('default'),
	store: storeConfigSchema.default({ kind: 'sqlite' }),
	/** encrypts the stored secrets; without it, a key file beside the SQLite file is used */
	passphrase: z.string().min(1).optional(),
	/**
	 * Encrypts contents in addition to secrets, in an account that this configuration creates;
	 * existing accounts do not change (docs/adr/0005).
	 */
	sealContents: z.boolean().default(false),
	/** proves ownership once after a change of the client secret */
	previousClientSecret: z.string().min(1).optional(),
	allowIdentityCreation: z.boolean().default(true),
	/** rules that decide about peers' requests without a person (consumption 10.2) */
	automation: automationConfigSchema.default([]),
	/** makes the first attribute of each type its default attribute (consumption 8.3) */
	defaultAttributes: z.boolean().default(false),
	/** days for which acknowledged events are kept */
	eventRetentionDays: z.number().min(0).default(14),
});
export type GatewayConfig = z.infer<typeof gatewayConfigSchema>;
export type GatewayConfigInput = z.input<typeof gatewayConfigSchema>;

/** @throws `error.gateway.configuration.invalid` with the name of the field, never its value */
export function parseGatewayConfig(input: unknown): GatewayConfig {
	const result = gatewayConfigSchema.safeParse(input);
	if (result.success) return result.data;
	const issue = result.error.issues[0];
	const field = issue?.path.map(String).join('.') ?? '';
	throw configErrors.create('invalid', {
		message: `The setting '${field}' is not valid: ${issue?.message ?? 'unexpected value'}.`,
		facts: { field },
	});
}
