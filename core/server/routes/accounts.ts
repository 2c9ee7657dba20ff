import * as z from 'zod';
import { accountErrors } from '../accounts/account-errors';
import { hostedStates, type HostedAccounts } from '../accounts/account-view';
import {
	hostedAccountNameSchema,
	hostedAccountSettingsSchema,
} from '../config/hosted-account-settings';
import { route, type RouteGroup } from './route';

const name = z.string().max(64, 'must be the name of an account');

const settings = hostedAccountSettingsSchema.shape;

const accountSchema = z.object({
	name: z.string(),
	state: z.enum(hostedStates),
	address: z.string().optional(),
	failure: z
		.object({
			code: z.string(),
			message: z.string(),
			remedy: z.string().optional(),
			at: z.string(),
		})
		.optional(),
	source: z.enum(['configuration', 'stored']),
});

/**
 * Routes for the accounts besides the default one; an extension of this gateway that stands beside
 * the prefixes (docs/adr/0050).
 */
export const accounts: RouteGroup = {
	name: 'Accounts',
	roles: ['admin'],
	record: 'Account',
	routes: [
		route({
			path: '/accounts',
			summary: 'Accounts besides the default one, and whether they are open.',
			result: z.array(accountSchema),
			handle: ({ accounts: host, options }) => required(host).list(options),
		}),
		route({
			method: 'POST',
			path: '/accounts',
			summary:
				'Creates an account and its identity. Absent settings are as in the default account, except for modules that send events or decide.',
			body: z.strictObject({
				name: hostedAccountNameSchema,
				openExisting: z.boolean().optional(),
				...settings,
			}),
			status: 201,
			result: accountSchema,
			handle: ({ accounts: host, body, options }) => {
				const { name: chosen, openExisting = false, ...own } = body;
				return required(host).create(chosen, own, { ...options, openExisting });
			},
		}),
		route({
			path: '/accounts/:name',
			summary: 'One account.',
			parameters: { name },
			result: accountSchema,
			handle: ({ accounts: host, parameters, options }) =>
				required(host).get(parameters.name, options),
		}),
		route({
			method: 'PATCH',
			path: '/accounts/:name',
			summary: 'Pauses or resumes an account, or replaces groups of its settings.',
			parameters: { name },
			body: z.strictObject({ isPaused: z.boolean().optional(), ...settings }),
			result: accountSchema,
			handle: ({ accounts: host, parameters, body, options }) => {
				const { isPaused, ...own } = body;
				const changes = { ...(isPaused === undefined ? {} : { isPaused }), settings: own };
				return required(host).change(parameters.name, changes, options);
			},
		}),
		route({
			method: 'DELETE',
			path: '/accounts/:name',
			summary:
				'Deletes what the store has of an account; its identity at the Backbone stays unless it was deleted before.',
			parameters: { name },
			query: z.strictObject({ confirm: z.string().default('') }),
			handle: ({ accounts: host, parameters, query, options }) =>
				required(host).delete(parameters.name, query.confirm, options),
		}),
	],
};

/** @throws `error.gateway.accounts.unknown` */
function required(host: HostedAccounts | undefined): HostedAccounts {
	if (host !== undefined) return host;
	throw accountErrors.create('unknown', { message: 'This gateway has one account only.' });
}
