import * as z from 'zod';
import { identityMetadataDtoSchema } from '../../model/record/identity-metadata';
import { address, anyJson, body } from './inputs';
import { route, type RouteGroup } from './route';

const slot = z.object({ reference: address, key: z.string().max(1_000).optional() });

/** @see docs/protocol/http-api.md 8.7 */
export const identityMetadata: RouteGroup = {
	name: 'IdentityMetadata',
	roles: ['admin', 'core:*', 'core:identityMetadata'],
	routes: [
		route.put('/IdentityMetadata', {
			summary: 'Stores a value for an identity.',
			body: body({ ...slot.shape, value: anyJson }),
			result: identityMetadataDtoSchema,
			handle: ({ facade, body: input, options }) => facade.identityMetadata.upsert(input, options),
		}),
		route.get('/IdentityMetadata', {
			summary: 'Values that are stored for an identity.',
			query: slot,
			result: identityMetadataDtoSchema,
			anyAccept: true,
			handle: ({ facade, query, options }) => facade.identityMetadata.get(query, options),
		}),
		route.delete('/IdentityMetadata', {
			summary: 'Forgets a value.',
			query: slot,
			anyAccept: true,
			handle: ({ facade, query, options }) => facade.identityMetadata.delete(query, options),
		}),
	],
};
