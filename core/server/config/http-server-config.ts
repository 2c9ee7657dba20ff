import { isIP } from 'node:net';
import * as z from 'zod';
import { adminSchema } from './admin-config';
import { authenticationSchema } from './authentication-config';
import { isSettings, without, type Settings } from './config-sources';
import { jwtBearerSchema } from './jwt-bearer-config';

const text = z.string().min(1);

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

const network = z
	.string()
	.refine(isNetwork, "expected an IP address, or a network such as '10.0.0.0/8'");

function isNetwork(text: string): boolean {
	const [address = '', bits, ...rest] = text.split('/');
	const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
	const length = bits === undefined ? most : Number(/^\d{1,3}$/.test(bits) ? bits : -1);
	return rest.length === 0 && most > 0 && length >= 0 && length <= most;
}

const shape = {
	/** local by default: other machines reach the gateway only if the operator configures it */
	host: text.default('127.0.0.1'),
	port: port.default(80),
	apiKey: text.optional(),
	jwtBearer: jwtBearerSchema.optional(),
	/** replaces the two in version 7 */
	authentication: authenticationSchema.prefault({}),
	cors: corsSchema.default({ origin: false }),
	/**
	 * extension of this gateway: addresses or networks (`10.0.0.0/8`) of proxies whose
	 * X-Forwarded-For is believed, besides loopback
	 */
	trustedProxies: z.array(network).default([]),
	/** extension of this gateway: the page for operators */
	admin: adminSchema.prefault({}),
	helmetOptions: z
		.record(z.string(), z.unknown())
		.refine(
			(options) => Object.keys(options).length === 0,
			'the security headers are always the same; a proxy in front of the gateway can set others',
		)
		.optional(),
};

/** Version to serve, not checked yet; by default the one whose authentication is set. */
export function servedVersion(httpServer: Settings): unknown {
	const { connectorVersion, authentication } = httpServer;
	if (connectorVersion === undefined) return authentication === undefined ? 6 : 7;
	return typeof connectorVersion === 'string' ? Number(connectorVersion) : connectorVersion;
}

/**
 * Settings below `infrastructure.httpServer` (docs/protocol/http-api.md 14.2,
 * docs/protocol/connector-7.md 11).
 */
export const httpServerSchema = z.preprocess(
	(value) => {
		if (!isSettings(value)) return value;
		const connectorVersion = servedVersion(value);
		return { ...(value.enabled === false ? without(value, shape) : value), connectorVersion };
	},
	z
		.strictObject({
			enabled: z.boolean().default(true),
			connectorVersion: z.literal([6, 7], 'expected 6 or 7'),
			...shape,
		})
		.refine(
			({ enabled, connectorVersion, apiKey, jwtBearer, authentication }) =>
				!enabled ||
				connectorVersion === 7 ||
				apiKey !== undefined ||
				jwtBearer !== undefined ||
				authentication.apiKey.enabled,
			'needs apiKey or jwtBearer: without them the API would be open to everyone',
		),
);
