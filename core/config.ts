import * as z from 'zod';
import { safeParse } from './base/schema-parse';
import { general } from './base/error-definitions';
import { defineErrors, type GatewayError } from './base/errors';
import { mostSimilar } from './base/similar-names';
import { additionalHeadersSchema } from './model/additional-headers';
import { automationConfigSchema } from './model/automation';

/** Errors of configurations. */
export const configErrors = defineErrors({
	invalid: general.invalidConfiguration,
});

const accountNameRule =
	'expected at most 64 letters, digits, dots, dashes and underscores, a letter or digit first';

const schemaNameRule =
	'expected at most 40 letters, digits and underscores, not beginning with a digit';

/** Store in SQLite files. The default folder is `<n8n folder>/enmeshed`. */
export const sqliteStoreConfigSchema = z.strictObject({
	/** SQLite files on this host */
	kind: z.literal('sqlite'),
	/** absolute path */
	folder: z.string().min(1).optional(),
});

/** Store in a PostgreSQL database, which several hosts can share. */
export const postgresStoreConfigSchema = z.strictObject({
	/** PostgreSQL database */
	kind: z.literal('postgres'),
	/** host name or address of the database server */
	host: z.string().min(1),
	/** TCP port; the default is 5432 */
	port: z.number().int().min(1).max(65535).default(5432),
	/** name of the database, which must exist */
	database: z.string().min(1),
	/** database user, which needs the right to create schemas */
	user: z.string().min(1),
	/** password of the user; the default is empty */
	password: z.string().default(''),
	/**
	 * schema of the default account; other accounts have schemas of their own: `<schema>:<account>`
	 */
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
/** Place of the accounts: SQLite files or a PostgreSQL database. */
export type StoreConfig = z.infer<typeof storeConfigSchema>;

const backboneConfigSchema = z.strictObject({
	/** address of the Backbone, for example `https://backbone.example.com` */
	baseUrl: z.string(),
	/** id of the client that the operator of the Backbone has given out */
	clientId: z.string(),
	/** secret of the client */
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
});

const webhooksConfigSchema = z.strictObject({
	/** allows targets on this host and in private networks; the default is false */
	allowPrivateTargets: z.boolean().default(false),
	/** milliseconds for one call */
	timeoutMs: z.number().int().min(1).max(300_000).default(10_000),
});

/** Complete configuration of a gateway; errors never contain its secrets. */
export const gatewayConfigSchema = z.strictObject({
	/** Backbone of the account, and the client for it */
	backbone: backboneConfigSchema,
	/** name of the account, because a store can hold several identities; empty means `default` */
	account: z
		.string()
		.trim()
		.transform((name) => (name === '' ? 'default' : name))
		.pipe(z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, accountNameRule))
		.default('default'),
	/** store of the account; the default is SQLite in the default folder */
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
	/**
	 * creates an identity if the account has none; without it opening such an account fails. The
	 * default is true
	 */
	allowIdentityCreation: z.boolean().default(true),
	/**
	 * rules that decide about peers' requests without a person (consumption 10.2); with
	 * `oneAttributeId` they have the keys of version 7 (generation-7 12)
	 */
	automation: automationConfigSchema.default([]),
	/** makes the first attribute of each type its default attribute (consumption 8.3) */
	defaultAttributes: z.boolean().default(false),
	/**
	 * gives an own attribute one id, here and at all its peers, as version 7 does; it stays so for the
	 * account. The default is what the account has, at first an id for each copy
	 */
	oneAttributeId: z.boolean().optional(),
	/**
	 * counts answers of connected peers to templates with a password or PIN, although a message
	 * cannot prove the password; a template can say otherwise
	 */
	acceptUnprovenAnswers: z.boolean().default(false),
	/** webhooks that clients register */
	webhooks: webhooksConfigSchema.prefault({}),
	/** days for which acknowledged events are kept */
	eventRetentionDays: z.number().min(0).default(14),
});
/** Complete configuration of a gateway, with all defaults. */
export type GatewayConfig = z.infer<typeof gatewayConfigSchema>;
/** Configuration as a program writes it: settings with a default may be absent. */
export type GatewayConfigInput = z.input<typeof gatewayConfigSchema>;

/** @throws `error.gateway.configuration.invalid` with the name of the field, never its value */
export function parseGatewayConfig(input: unknown): GatewayConfig {
	const result = safeParse(gatewayConfigSchema, input);
	if (result.success) return result.data;
	const { issues } = result.error;
	// A misspelled name also explains why another setting is missing.
	const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0];
	const path = issue?.path.map(String) ?? [];
	if (issue?.code === 'unrecognized_keys') throw unknownSetting(path, issue.keys[0] ?? '');
	const field = path.join('.');
	const what = field === '' ? 'The configuration' : `The setting '${field}'`;
	throw configErrors.create('invalid', {
		message: `${what} is not valid: ${issue?.message ?? 'unexpected value'}.`,
		facts: { field },
	});
}

/** Names of the settings by the group that contains them. */
const settingNames: Readonly<Record<string, readonly string[]>> = {
	'': Object.keys(gatewayConfigSchema.shape),
	backbone: Object.keys(backboneConfigSchema.shape),
	webhooks: Object.keys(webhooksConfigSchema.shape),
	store: [sqliteStoreConfigSchema, postgresStoreConfigSchema].flatMap(({ shape }) =>
		Object.keys(shape),
	),
};

/** A misspelled setting has no effect, so it is refused rather than ignored. */
function unknownSetting(path: readonly string[], name: string): GatewayError {
	const similar = mostSimilar(name, settingNames[path.join('.')] ?? []);
	const field = [...path, name].join('.');
	const advice = similar === undefined ? '' : ` Did you mean '${[...path, similar].join('.')}'?`;
	return configErrors.create('invalid', {
		message: `There is no setting '${field}'.${advice}`,
		facts: { field },
	});
}
