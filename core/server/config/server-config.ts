import * as z from 'zod';
import { safeParse } from '../../base/schema-parse';
import { requireSupported } from '../../publish/brokers';
import { readWebhookTargets } from '../../publish/webhooks';
import { problemsOfAuthentication } from './authentication-config';
import { invalidSettings, type ConfigProblem } from './config-problem';
import { httpServerSchema, servedVersion } from './http-server-config';
import { modulesSchema } from './modules-config';
import { additionalHeadersSchema } from '../../model/additional-headers';
import { pinningSchema, problemsOfPinning } from './pinning-config';
import { findRetired } from './retired-settings';
import { isSettings, valueAt, type Settings } from './config-sources';

const text = z.string().min(1);
/**
 * Refuses a datawallet: the account has a single device, so there are no devices to synchronise.
 */
const noDatawallet = z
	.literal(false, 'this version has no datawallet; leave the setting out')
	.optional();

/**
 * Settings of `serve`, under the names of the official gateway (docs/protocol/http-api.md 14.2).
 */
export const serverConfigSchema = z.strictObject({
	/** for editors, which find the schema of the file there */
	$schema: z.string().optional(),
	debug: z.boolean().default(false),
	/** extension of this gateway: further accounts, read by `parseHostedAccounts` */
	accounts: z.unknown().optional(),
	transportLibrary: z.strictObject({
		baseUrl: z.string().regex(/^https?:\/\//, "must begin with 'http://' or 'https://'"),
		platformClientId: text,
		platformClientSecret: text,
		allowIdentityCreation: z.boolean().default(true),
		/**
		 * extension of this gateway: accepts an address without TLS for an account that was created
		 * over https
		 */
		allowPlainHttp: z.boolean().default(false),
		addressGenerationHostnameOverride: text.optional(),
		/** milliseconds */
		platformTimeout: z.number().min(1).default(60_000),
		platformAdditionalHeaders: additionalHeadersSchema.optional(),
		/** without effect, like the next two settings: see `ignoredSettings` */
		platformMaxRedirects: z.number().optional(),
		platformMaxContentLength: z.number().optional(),
		debug: z.boolean().optional(),
		datawalletEnabled: noDatawallet,
	}),
	/** extension of this gateway: location of the account; `dbName` is its name */
	database: z
		.strictObject({
			driver: z.enum(['sqlite', 'postgres']).default('sqlite'),
			folder: text.optional(),
			connectionString: text.optional(),
			dbName: text.default('default'),
			passphrase: text.optional(),
			/** whether contents are sealed when the account is created */
			sealContents: z.boolean().optional(),
			/** proves ownership once after a change of the client secret */
			previousClientSecret: text.optional(),
		})
		.prefault({}),
	infrastructure: z.strictObject({ httpServer: httpServerSchema }),
	/** extension of this gateway; settings of the official gateway's logger have no effect */
	logging: z.preprocess(
		(given) => (isSettings(given) ? given : {}),
		z.looseObject({ format: z.enum(['text', 'json']).default('text') }),
	),
	...pinningSchema,
	modules: modulesSchema.prefault({}),
});
export type ServerConfig = z.infer<typeof serverConfigSchema>;

/**
 * @throws `error.gateway.configuration.invalid` with one line per invalid setting (its name and the
 * expected value, never its own value); the codes of `readWebhookTargets`;
 * `error.gateway.brokers.notSupported`
 */
export function parseServerConfig(settings: Settings): ServerConfig {
	const retired = findRetired(settings);
	const parsed = safeParse(serverConfigSchema, withRequiredGroups(settings), { reportInput: true });
	const problems = [
		...retired,
		...(parsed.success ? problemsOf(parsed.data) : parsed.error.issues.flatMap(problemsOfIssue)),
	];
	const distinct = problems.filter(
		({ setting }, index) => problems.findIndex((one) => one.setting === setting) === index,
	);
	if (parsed.success && distinct.length === 0) {
		const { webhooks, messageBrokerPublisher } = parsed.data.modules;
		if (webhooks.enabled) readWebhookTargets(webhooks);
		if (messageBrokerPublisher.enabled) requireSupported(messageBrokerPublisher);
		return parsed.data;
	}
	throw invalidSettings(distinct);
}

/**
 * Like {@link parseServerConfig}, for commands that use the account and start neither server nor
 * modules: settings of those are not looked at.
 */
export function parseAccountConfig(settings: Settings): ServerConfig {
	const modules = isSettings(settings.modules) ? settings.modules : {};
	const { sse = {}, decider = {} } = modules;
	return parseServerConfig({
		...settings,
		logging: undefined,
		infrastructure: { httpServer: { ...versionOf(settings), enabled: false } },
		modules: { sse, decider },
	});
}

/** Version of the interface, which also decides about the account. */
function versionOf(settings: Settings): Settings {
	const httpServer = valueAt(settings, 'infrastructure.httpServer');
	return isSettings(httpServer) ? { connectorVersion: servedVersion(httpServer) } : {};
}

/**
 * Adds missing groups as empty objects, so that an error names each missing setting and not only
 * the group.
 */
function withRequiredGroups(settings: Settings): Settings {
	const { transportLibrary = {}, infrastructure = {} } = settings;
	return {
		...settings,
		transportLibrary,
		infrastructure: isSettings(infrastructure)
			? { ...infrastructure, httpServer: infrastructure.httpServer ?? {} }
			: infrastructure,
	};
}

/** Problems of settings that are valid one by one. */
function problemsOf(config: ServerConfig): ConfigProblem[] {
	const { enabled, connectorVersion, authentication } = config.infrastructure.httpServer;
	const isChecked = enabled && (connectorVersion === 7 || authentication.apiKey.enabled);
	return [
		...problemsOfPinning(config),
		...(isChecked ? problemsOfAuthentication(authentication, config.debug) : []),
	];
}

function problemsOfIssue(issue: z.core.$ZodIssue): ConfigProblem[] {
	const path = issue.path.map(String);
	const setting = path.join('.') || 'configuration';
	if (issue.code === 'unrecognized_keys') {
		return issue.keys.map((key) => ({
			setting: [...path, key].join('.'),
			message:
				setting === 'modules'
					? 'there is no such module, and custom modules are not supported'
					: 'there is no such setting',
		}));
	}
	return [{ setting, message: wordsOf(issue) }];
}

function wordsOf(issue: z.core.$ZodIssue): string {
	const { code, input, message } = issue;
	if (code !== 'invalid_type') return message;
	if (input === undefined) return 'is missing';
	if (issue.expected !== 'string' || typeof input !== 'number') return message;
	return `${message}; digits alone are a number, in quotes ("\\"123\\"" in the environment) they are a text`;
}
