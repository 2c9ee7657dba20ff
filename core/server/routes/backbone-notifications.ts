import * as z from 'zod';
import { address, body } from './inputs';
import { route, type RouteGroup } from './route';

/** @see docs/protocol/http-api.md 8.4 */
export const backboneNotifications: RouteGroup = {
	name: 'BackboneNotifications',
	roles: ['admin', 'core:*', 'core:backboneNotifications'],
	routes: [
		route.post('/BackboneNotifications', {
			summary:
				'Shows a text of the operator on the phones of peers. The operator of the Backbone configures the codes; the error about another code lists them.',
			body: body({ recipients: z.array(address).max(1_000), code: z.string().max(1_000) }),
			handle: ({ facade, body: input, options }) =>
				facade.backboneNotifications.send(input, options),
		}),
	],
};
