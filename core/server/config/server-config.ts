import * as z from 'zod';
import { requireSupported } from '../../brokers';
import { readWebhookTargets } from '../../webhooks';
import { serverErrors } from '../server-errors';
import { modulesSchema } from './modules-config';
import { additionalHeadersSchema } from '../../model/additional-headers';
import { pinningSchema, problemsOfPinning } from './pinning-config';
import { findRetired } from './retired-settings';
import { isSettings, type Settings } from './config-sources';

const text = z.string().min(1);
const never = z.literal(false).optional();

const secretAlgorithms = ['HS256', 'HS384', 'HS512'] as const;
/** Of tokens that are signed with a private key; never mixed with the others. */
export const publicKeyAlgorithms = [
	'RS256',
	'RS384',
	'RS512',
	'PS256',
	'ES256',
	'ES384',
	'ES512',
	'EdDSA',
] as const;

/** How bearer tokens are checked (docs/protocol/http-api.md 4). */
const jwtBearerSchema = z
	.strictObject({
		audience: z.union([text, z.array(text).min(1)]),
		issuerBaseURL: z.url().optional(),
		issuer: text.optional(),
		jwksUri: z.url().optional(),
		secret: z.string().min(32, 'must NOT have fewer than 32 characters').optional(),
		tokenSigningAlg: z.enum([...secretAlgorithms, ...publicKeyAlgorithms]).optional(),
		/** seconds */
		clockTolerance: z.number().min(0).default(5),
		/** seconds */
		maxTokenAge: z.number().min(1).optional(),
	})
	.refine(
		({ issuerBaseURL, issuer, jwksUri, secret }) =>
			issuerBaseURL !== undefined ||
			(issuer !== undefined && (jwksUri !== undefined || secret !== undefined)),
		'needs issuerBaseURL, or issuer with jwksUri or secret',
	)
	.refine(
		({ secret, tokenSigningAlg }) =>
			tokenSigningAlg === undefined || tokenSigningAlg.startsWith('HS') === (secret !== undefined),
		'needs a secret for the algorithms HS256 to HS512, and for no other',
	);
export type JwtBearerConfig = z.infer<typeof jwtBearerSchema>;

const corsSchema = z.strictObject({
	origin: z.union([z.boolean(), z.string(), z.array(z.string())]).default(false),
	methods: z.union([z.string(), z.array(z.string())]).optional(),
	allowedHeaders: z.union([z.string(), z.array(z.string())]).optional(),
	exposedHeaders: z.union([z.string(), z.array(z.string())]).optional(),
	credentials: z.boolean().optional(),
	/** seconds */
	maxAge: z.number().optional(),
});
export type CorsConfig = z.infer<typeof corsSchema>;

const httpServerSchema = z
	.strictObject({
		enabled: z.literal(true).default(true),
		/** ours: other machines reach the gateway only where the operator says so */
		host: text.default('127.0.0.1'),
		port: z.number().int().min(0).max(65_535).default(80),
		apiKey: text.optional(),
		jwtBearer: jwtBearerSchema.optional(),
		cors: corsSchema.default({ origin: false }),
	})
	.refine(
		({ apiKey, jwtBearer }) => apiKey !== undefined || jwtBearer !== undefined,
		'needs apiKey or jwtBearer: the API would be open to everybody otherwise',
	);

/** The settings of `serve`, under the names of the official gateway (docs/protocol/http-api.md 14.2). */
export const serverConfigSchema = z.strictObject({
	debug: z.boolean().default(false),
	transportLibrary: z.strictObject({
		baseUrl: z.string().regex(/^https?:\/\//, "must begin with 'http://' or 'https://'"),
		platformClientId: text,
		platformClientSecret: text,
		allowIdentityCreation: z.boolean().default(true),
		addressGenerationHostnameOverride: text.optional(),
		/** milliseconds */
		platformTimeout: z.number().int().min(1).default(60_000),
		platformAdditionalHeaders: additionalHeadersSchema.optional(),
		/** without effect: redirects of a Backbone are never followed */
		platformMaxRedirects: z.number().optional(),
		platformMaxContentLength: z.number().optional(),
		debug: z.boolean().optional(),
		datawalletEnabled: never,
	}),
	/** ours: where the account is kept; `dbName` is its name */
	database: z
		.strictObject({
			driver: z.enum(['sqlite', 'postgres']).default('sqlite'),
			folder: text.optional(),
			connectionString: text.optional(),
			dbName: text.default('default'),
			passphrase: text.optional(),
			/** proves ownership once after the client secret was changed */
			previousClientSecret: text.optional(),
		})
		.prefault({}),
	infrastructure: z.strictObject({ httpServer: httpServerSchema }),
	/** of the official gateway's logger; ours writes one line per event to the terminal */
	logging: z.unknown().optional(),
	...pinningSchema,
	modules: modulesSchema.prefault({}),
});
export type ServerConfig = z.infer<typeof serverConfigSchema>;

/**
 * @throws `error.gateway.configuration.invalid` with one line per setting that is wrong: its name and
 * what was expected, never its value; the codes of `readWebhookTargets`,
 * `error.gateway.brokers.notSupported`
 */
export function parseServerConfig(settings: Settings): ServerConfig {
	const retired = findRetired(settings);
	const parsed = serverConfigSchema.safeParse(withRequiredGroups(settings));
	const problems = [
		...retired,
		...(parsed.success ? problemsOfPinning(parsed.data) : parsed.error.issues.flatMap(problemsOf)),
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
	throw serverErrors.create('invalidConfiguration', {
		message: ['The configuration is not valid:', ...distinct.map(lineOf)].join('\n'),
		facts: { settings: distinct.map(({ setting }) => setting) },
	});
}

/** So that each setting in them that is missing is named, and not only the group. */
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

export interface ConfigProblem {
	/** path of the setting with dots */
	readonly setting: string;
	readonly message: string;
}

const lineOf = ({ setting, message }: ConfigProblem): string => `  ${setting}: ${message}`;

function problemsOf(issue: z.core.$ZodIssue): ConfigProblem[] {
	const path = issue.path.map(String);
	if (issue.code === 'unrecognized_keys') {
		return issue.keys.map((key) => ({
			setting: [...path, key].join('.'),
			message: 'there is no such setting',
		}));
	}
	const setting = path.join('.') || 'configuration';
	const isSwitch = path.at(-1) === 'enabled' || path.at(-1) === 'datawalletEnabled';
	if (isSwitch && issue.code === 'invalid_value') {
		return [{ setting, message: 'this version cannot do that; leave the setting out' }];
	}
	return [{ setting, message: wordsOf(issue.message) }];
}

function wordsOf(message: string): string {
	if (/received undefined$/.test(message)) return 'is missing';
	if (!/expected string, received number$/.test(message)) return message;
	return `${message}; digits alone are a number, in quotes ("\\"123\\"" in the environment) they are a text`;
}
