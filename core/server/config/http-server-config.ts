import * as z from 'zod';
import { isSettings, without } from './config-sources';

const text = z.string().min(1);

const secretAlgorithms = ['HS256', 'HS384', 'HS512'] as const;
/** Algorithms of asymmetric keys; never mixed with symmetric ones. */
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

/** Settings for the validation of bearer tokens (docs/protocol/http-api.md 4). */
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
		/** accepts access tokens in the form of RFC 9068 only */
		strict: z.boolean().default(false),
		/** milliseconds between two fetches of the provider's keys */
		cooldownDuration: z.number().min(0).default(30_000),
		/** milliseconds for one call to the provider */
		timeoutDuration: z.number().min(1).default(5_000),
		/** milliseconds for which fetched keys are cached */
		cacheMaxAge: z.number().min(0).default(600_000),
		authRequired: z
			.literal(
				true,
				'no route of the API can be used without authentication; leave the setting out',
			)
			.optional(),
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

const statusRule = 'expected a status from 200 to 299';

const corsSchema = z.strictObject({
	origin: z.union([z.boolean(), z.string(), z.array(z.string())]).default(false),
	methods: z.union([z.string(), z.array(z.string())]).optional(),
	allowedHeaders: z.union([z.string(), z.array(z.string())]).optional(),
	exposedHeaders: z.union([z.string(), z.array(z.string())]).optional(),
	credentials: z.boolean().optional(),
	/** seconds */
	maxAge: z.number().optional(),
	/** status of the answer to a preflight request; default: 204 */
	optionsSuccessStatus: z
		.number(statusRule)
		.int(statusRule)
		.min(200, statusRule)
		.max(299, statusRule)
		.optional(),
	preflightContinue: z
		.literal(false, 'preflight requests are always answered here; leave the setting out')
		.optional(),
});
export type CorsConfig = z.infer<typeof corsSchema>;

const portRule = 'expected a number from 0 to 65535';
const port = z.preprocess(
	(value) => (typeof value === 'string' && /^\d{1,5}$/.test(value) ? Number(value) : value),
	z.number(portRule).int(portRule).min(0, portRule).max(65_535, portRule),
);

const shape = {
	/** local by default: other machines reach the gateway only if the operator configures it */
	host: text.default('127.0.0.1'),
	port: port.default(80),
	apiKey: text.optional(),
	jwtBearer: jwtBearerSchema.optional(),
	cors: corsSchema.default({ origin: false }),
	helmetOptions: z
		.record(z.string(), z.unknown())
		.refine(
			(options) => Object.keys(options).length === 0,
			'the security headers are always the same; a proxy in front of the gateway can set others',
		)
		.optional(),
};

/** Settings below `infrastructure.httpServer` (docs/protocol/http-api.md 14.2). */
export const httpServerSchema = z.preprocess(
	(value) => (isSettings(value) && value.enabled === false ? without(value, shape) : value),
	z
		.strictObject({ enabled: z.boolean().default(true), ...shape })
		.refine(
			({ enabled, apiKey, jwtBearer }) =>
				!enabled || apiKey !== undefined || jwtBearer !== undefined,
			'needs apiKey or jwtBearer: without them the API would be open to everyone',
		),
);
