import * as z from 'zod';
import { identityDeletionProcessDtoSchema } from '../../model/record/deletion-process';
import { invalidPart } from '../server-errors';
import { route, type RouteGroup } from './route';

/** Routes of the debug mode only (docs/protocol/http-api.md 8.16). */
export const identityDeletion: RouteGroup = {
	name: 'IdentityDeletionProcess',
	roles: ['developer'],
	routes: [
		route.post('/IdentityDeletionProcess', {
			summary: 'Starts the deletion of the own identity, which can be cancelled for some days.',
			query: z.object({ lengthOfGracePeriodInDays: z.string().max(20).optional() }),
			result: identityDeletionProcessDtoSchema,
			handle: ({ facade, query, options }) =>
				facade.identityDeletion.initiate(gracePeriod(query.lengthOfGracePeriodInDays), options),
		}),
		route.get('/IdentityDeletionProcess', {
			summary: 'The deletion in progress.',
			result: identityDeletionProcessDtoSchema,
			handle: ({ facade, options }) => facade.identityDeletion.getActive(options),
		}),
		route.delete('/IdentityDeletionProcess', {
			summary: 'Cancels the deletion in progress.',
			result: identityDeletionProcessDtoSchema,
			handle: ({ facade, options }) => facade.identityDeletion.cancel(options),
		}),
	],
};

function gracePeriod(text: string | undefined): { lengthOfGracePeriodInDays?: number } {
	if (text === undefined) return {};
	const lengthOfGracePeriodInDays = Number(text);
	if (text.trim() !== '' && Number.isFinite(lengthOfGracePeriodInDays)) {
		return { lengthOfGracePeriodInDays };
	}
	const field = 'lengthOfGracePeriodInDays';
	throw invalidPart('invalidInput', field, `${field} must be number`);
}
