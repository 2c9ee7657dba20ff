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

const shape = {
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
		.literal(true, 'no route of the API can be used without authentication; leave the setting out')
		.optional(),
};

type Options = Pick<
	z.infer<z.ZodObject<typeof shape>>,
	'issuerBaseURL' | 'issuer' | 'jwksUri' | 'secret' | 'tokenSigningAlg'
>;

const hasKey = ({ issuerBaseURL, issuer, jwksUri, secret }: Options): boolean =>
	issuerBaseURL !== undefined ||
	(issuer !== undefined && (jwksUri !== undefined || secret !== undefined));
const keyRule = 'needs issuerBaseURL, or issuer with jwksUri or secret';

const fitsKey = ({ secret, tokenSigningAlg }: Options): boolean =>
	tokenSigningAlg === undefined || tokenSigningAlg.startsWith('HS') === (secret !== undefined);
const algorithmRule = 'needs a secret for the algorithms HS256 to HS512, and for no other';

/** Settings for the validation of bearer tokens (docs/protocol/http-api.md 4). */
export const jwtBearerSchema = z
	.strictObject(shape)
	.refine(hasKey, keyRule)
	.refine(fitsKey, algorithmRule);
export type JwtBearerConfig = z.infer<typeof jwtBearerSchema>;

/** Tells whether a method of authentication is switched on: by default if it has settings. */
export function isSwitchedOn(method: unknown): boolean {
	if (!isSettings(method)) return method !== undefined;
	return method.enabled === undefined ? Object.keys(method).length > 0 : method.enabled !== false;
}

/**
 * The same settings with `enabled`, as version 7 has them (docs/protocol/connector-7.md 2); of
 * settings that are switched off only the names are checked.
 */
export const switchedJwtBearerSchema = z.preprocess(
	(value) => {
		if (!isSettings(value)) return value;
		return isSwitchedOn(value)
			? { enabled: true, ...value }
			: { ...without(value, shape), enabled: false };
	},
	z.discriminatedUnion('enabled', [
		z.strictObject({ enabled: z.literal(false) }),
		z
			.strictObject({ enabled: z.literal(true), ...shape })
			.refine(hasKey, keyRule)
			.refine(fitsKey, algorithmRule),
	]),
);
