import * as z from 'zod';
import type { AccountHost } from '../accounts/account-host';
import { hostedAccountViewSchema } from '../accounts/account-view';
import {
	hostedAccountNameSchema,
	hostedAccountSettingsSchema,
} from '../config/hosted-account-settings';
import { route, type RouteGroup } from './route';

const name = z.string().max(64, 'must be the name of an account');

const settings = hostedAccountSettingsSchema.shape;

export const accountGroup = { name: 'Accounts', roles: ['admin'], record: 'Account' } as const;

/**
 * Routes for the accounts besides the default one; an extension of this gateway that stands beside
 * the prefixes (docs/adr/0050).
 */
export const accountsOf = (host: AccountHost): RouteGroup => ({
	...accountGroup,
	routes: [
		route.get('/accounts', {
			summary: 'Accounts besides the default one, and whether they are open.',
			result: z.array(hostedAccountViewSchema),
			handle: ({ options }) => host.list(options),
		}),
		route.post('/accounts', {
			summary:
				'Creates an account and its identity. Absent settings are as in the default account, except for modules that send events or decide.',
			body: z.strictObject({
				name: hostedAccountNameSchema,
				openExisting: z.boolean().optional(),
				...settings,
			}),
			status: 201,
			result: hostedAccountViewSchema,
			handle: ({ body: { name: chosen, openExisting = false, ...own }, options }) =>
				host.create(chosen, own, { ...options, openExisting }),
		}),
		route.get('/accounts/:name', {
			summary: 'One account.',
			parameters: { name },
			result: hostedAccountViewSchema,
			handle: ({ parameters, options }) => host.get(parameters.name, options),
		}),
		route.patch('/accounts/:name', {
			summary: 'Pauses or resumes an account, or replaces groups of its settings.',
			parameters: { name },
			body: z.strictObject({ isPaused: z.boolean().optional(), ...settings }),
			result: hostedAccountViewSchema,
			handle: ({ parameters, body: { isPaused, ...own }, options }) =>
				host.change(parameters.name, { isPaused, settings: own }, options),
		}),
		route.delete('/accounts/:name', {
			summary:
				'Deletes what the store has of an account; its identity at the Backbone stays unless it was deleted before.',
			parameters: { name },
			query: z.strictObject({ confirm: z.string().default('') }),
			handle: ({ parameters, query, options }) =>
				host.delete(parameters.name, query.confirm, options),
		}),
	],
});
