import * as z from 'zod';
import { configErrors } from './gateway-config-errors';
import { additionalHeadersSchema } from './model/additional-headers';
import { automationConfigSchema } from './model/automation';

const accountNameRule =
	'expected at most 64 letters, digits, dots, dashes and underscores, a letter or digit first';

const schemaNameRule =
	'expected at most 40 letters, digits and underscores, not beginning with a digit';

/** Where an account keeps its data. An absent folder means `<n8n folder>/enmeshed`. */
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
	/** accounts other than the default one have schemas beside it: `<schema>:<account>` */
	schema: z
		.string()
		.regex(/^[A-Za-z_][A-Za-z0-9_]{0,39}$/, schemaNameRule)
		.default('enmeshed'),
	/** encrypted, and the server's certificate is checked */
	tls: z.boolean().default(false),
	/** takes a certificate that nobody vouches for */
	tlsAllowUnauthorized: z.boolean().default(false),
	/** authority that signed the server's certificate, as PEM text */
	tlsCa: z.string().includes('-----BEGIN CERTIFICATE-----').optional(),
});

export const storeConfigSchema = z.discriminatedUnion('kind', [
	sqliteStoreConfigSchema,
	postgresStoreConfigSchema,
]);
export type StoreConfig = z.infer<typeof storeConfigSchema>;

/** Everything a gateway needs to know; secrets are never echoed in errors. */
export const gatewayConfigSchema = z.object({
	backbone: z.object({
		baseUrl: z.string(),
		clientId: z.string(),
		clientSecret: z.string(),
		/** host name used in addresses when the Backbone is reached under another name */
		addressHostname: z.string().optional(),
		/** takes an address without TLS for an account that was created over https */
		allowPlainHttp: z.boolean().default(false),
		/** address of the push service where it is not behind `baseUrl` */
		pushUrl: z.string().optional(),
		/** milliseconds for one call, body included */
		timeoutMs: z.number().int().min(1).default(60_000),
		/** sent with every call, for example to a proxy before the Backbone */
		additionalHeaders: additionalHeadersSchema.optional(),
	}),
	/** several identities can live side by side; empty means `default` */
	account: z
		.string()
		.trim()
		.transform((name) => (name === '' ? 'default' : name))
		.pipe(z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, accountNameRule))
		.default('default'),
	store: storeConfigSchema.default({ kind: 'sqlite' }),
	/** seals the secrets at rest; without it a key file beside the SQLite file does */
	passphrase: z.string().min(1).optional(),
	/**
	 * Whether contents are sealed besides what opens something, in an account that this configuration makes; one
	 * that exists stays as it was made (docs/adr/0005).
	 */
	sealContents: z.boolean().default(false),
	/** proves ownership once after the client secret was changed */
	previousClientSecret: z.string().min(1).optional(),
	allowIdentityCreation: z.boolean().default(true),
	/** rules that decide about requests of peers without a person (consumption 10.2) */
	automation: automationConfigSchema.default([]),
	/** whether the first attribute of each type is its default one (consumption 8.3) */
	defaultAttributes: z.boolean().default(false),
	/** days that acknowledged events are kept */
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
