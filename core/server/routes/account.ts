import { identityDtoSchema } from '../../model/record/identity';
import { reconcileInputSchema, reconciliationDtoSchema } from '../../model/record/reconciliation';
import { syncInfoDtoSchema, syncStatusDtoSchema } from '../../model/record/sync';
import { route, type RouteGroup } from './route';

/** @see docs/protocol/http-api.md 8.1 */
export const account: RouteGroup = {
	name: 'Account',
	roles: ['admin', 'core:*', 'core:account'],
	routes: [
		route.get('/Account/IdentityInfo', {
			summary: 'The address and public key of this gateway.',
			result: identityDtoSchema,
			handle: ({ facade, options }) => facade.account.getIdentity(options),
		}),
		route.post('/Account/Sync', {
			summary: 'Synchronises with the Backbone; changes are published as events.',
			handle: ({ facade, options }) => facade.account.sync(options),
		}),
		route.post('/Account/Reconcile', {
			summary:
				'Compares with the lists of the Backbone, as the daily comparison does, and fetches objects without an external event.',
			body: reconcileInputSchema,
			result: reconciliationDtoSchema,
			handle: ({ facade, body, options }) => facade.account.reconcile(body, options),
		}),
		route.get('/Account/SyncInfo', {
			summary: 'Time of the last synchronisation.',
			result: syncInfoDtoSchema,
			handle: async ({ facade, options }) => {
				const { lastSyncRun } = await facade.account.getSyncStatus(options);
				return lastSyncRun === undefined ? {} : { lastSyncRun };
			},
		}),
		route.get('/Account/SyncStatus', {
			summary: 'Work that waits to be synchronised, and the state of push.',
			result: syncStatusDtoSchema,
			handle: ({ facade, options }) => facade.account.getSyncStatus(options),
		}),
	],
};
