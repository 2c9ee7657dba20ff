import * as z from 'zod';
import { isOver, isStrongKey, strengthRule } from '../authentication/api-keys';
import type { ConfigProblem } from './config-problem';
import { isSwitchedOn, switchedJwtBearerSchema } from './jwt-bearer-config';

const instant = z
	.union(
		[z.iso.datetime({ offset: true, local: true }), z.iso.date()],
		'expected an instant such as 2030-12-31T23:59:59Z',
	)
	.transform((text) => Date.parse(text));

const keySchema = z
	.strictObject({
		key: z.string().min(1),
		/** without effect, for people who read the configuration */
		description: z.string().optional(),
		enabled: z.boolean().default(true),
		expiresAt: instant.optional(),
		/** patterns for the roles that routes require; absent: all */
		scopes: z.array(z.string()).default(['**']),
		/**
		 * extension of this gateway: names of the accounts that the key opens, '*' for all; absent: the
		 * default account
		 */
		accounts: z.array(z.string().min(1)).min(1).optional(),
	})
	.transform(({ expiresAt: expiresAtMs, ...rest }) => ({ ...rest, expiresAtMs }));

const apiKeySchema = z
	.strictObject({
		enabled: z.boolean().optional(),
		headerName: z
			.string()
			.regex(/^[\w!#$%&'*+.^`|~-]+$/, 'expected the name of a header')
			.default('X-API-KEY'),
		keys: z.record(z.string(), keySchema).default({}),
	})
	.transform(({ enabled, ...rest }) => ({
		...rest,
		enabled: enabled ?? Object.keys(rest.keys).length > 0,
	}));

/** Settings below `infrastructure.httpServer.authentication` (docs/protocol/connector-7.md 2). */
export const authenticationSchema = z.strictObject({
	apiKey: apiKeySchema.prefault({}),
	jwtBearer: switchedJwtBearerSchema.prefault({}),
	oidc: z
		.unknown()
		.refine(
			(value) => !isSwitchedOn(value),
			"browser sessions (OpenID Connect) open no route of the API here: programs send a key from 'apiKey.keys', or tokens of the same provider that 'jwtBearer' describes; people sign in on the page for operators, see 'infrastructure.httpServer.admin.openId'",
		)
		.optional(),
});
export type AuthenticationConfig = z.infer<typeof authenticationSchema>;

const group = 'infrastructure.httpServer.authentication';

/**
 * Problems that stop the start of version 7, which the schema cannot see; the texts of the official
 * gateway, with what to do (docs/protocol/connector-7.md 2).
 *
 * @param debug true to allow that everybody may do everything
 */
export function problemsOfAuthentication(
	authentication: AuthenticationConfig,
	debug: boolean,
): ConfigProblem[] {
	const { apiKey, jwtBearer } = authentication;
	if (!apiKey.enabled) {
		if (debug || jwtBearer.enabled) return [];
		const message =
			"No API key and OAuth config set in configuration. At least one is required in production mode. Add a key to 'apiKey.keys', or set 'jwtBearer'";
		return [{ setting: group, message }];
	}
	const setting = `${group}.apiKey.keys`;
	const keys = Object.entries(apiKey.keys);
	const problems: string[] = [];
	if (new Set(keys.map(([, { key }]) => key)).size < keys.length) {
		problems.push('Duplicate API keys found in configuration. Each API key must be unique.');
	}
	const usable = keys.filter(([, { enabled, expiresAtMs }]) => enabled && !isOver(expiresAtMs));
	if (usable.length === 0) {
		problems.push('No valid API keys found in configuration. At least one is required.');
	}
	const weak = usable.filter(([, { key }]) => !isStrongKey(key)).map(([name]) => name);
	if (weak.length > 0) {
		problems.push(
			`The API keys with the following key(s) does not meet the requirements: ${weak.join(', ')}. Use ${strengthRule}`,
		);
	}
	return problems.length === 0 ? [] : [{ setting, message: problems.join(' ') }];
}
