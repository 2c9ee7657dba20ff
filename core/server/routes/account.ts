import { identityDtoSchema } from '../../model/record/identity';
import { reconcileInputSchema, reconciliationDtoSchema } from '../../model/record/reconciliation';
import { syncInfoDtoSchema, syncStatusDtoSchema } from '../../model/record/sync';
import { route, type RouteGroup } from './route';

/** @see docs/protocol/http-api.md 8.1 */
export const account: RouteGroup = {
	name: 'Account',
	roles: ['admin', 'core:*', 'core:account'],
	routes: [
		route({
			method: 'GET',
			path: '/Account/IdentityInfo',
			summary: 'The address and public key of this gateway.',
			parameters: {},
			status: 200,
			result: identityDtoSchema,
			handle: ({ facade, options }) => facade.account.getIdentity(options),
		}),
		route({
			method: 'POST',
			path: '/Account/Sync',
			summary: 'Synchronises with the Backbone; changes are published as events.',
			parameters: {},
			status: 204,
			handle: ({ facade, options }) => facade.account.sync(options),
		}),
		route({
			method: 'POST',
			path: '/Account/Reconcile',
			summary:
				'Compares with the lists of the Backbone, as the daily comparison does, and fetches objects without an external event.',
			parameters: {},
			body: reconcileInputSchema,
			status: 200,
			result: reconciliationDtoSchema,
			handle: ({ facade, body, options }) => facade.account.reconcile(body, options),
		}),
		route({
			method: 'GET',
			path: '/Account/SyncInfo',
			summary: 'Time of the last synchronisation.',
			parameters: {},
			status: 200,
			result: syncInfoDtoSchema,
			handle: async ({ facade, options }) => {
				const { lastSyncRun } = await facade.account.getSyncStatus(options);
				return lastSyncRun === undefined ? {} : { lastSyncRun };
			},
		}),
		route({
			method: 'GET',
			path: '/Account/SyncStatus',
			summary: 'Work that waits to be synchronised, and the state of push.',
			parameters: {},
			status: 200,
			result: syncStatusDtoSchema,
			handle: ({ facade, options }) => facade.account.getSyncStatus(options),
		}),
	],
};
