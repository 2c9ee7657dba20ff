import * as z from 'zod';
import { accessKeyDtoSchema, newAccessKeyDtoSchema } from '../../model/record/http/access-key';
import { id, unchecked } from './inputs';
import { route, type RouteGroup } from './route';
import type { CreateAccessKeyInput, RotateAccessKeyInput } from '../../model/input/access-key';

/** Routes for the keys of programs; an extension of this gateway (docs/adr/0050). */
export const keys: RouteGroup = {
	name: 'Keys',
	roles: ['admin'],
	record: 'Key',
	routes: [
		route.post('/Keys', {
			summary: 'Creates a key for a program; its text is in this answer only.',
			body: unchecked<CreateAccessKeyInput>('name', 'scopes', 'expiresAt'),
			status: 201,
			result: newAccessKeyDtoSchema,
			handle: ({ facade, body, options }) => facade.accessKeys.create(body, options),
		}),
		route.get('/Keys', {
			summary: 'Keys that the account has stored, without their texts.',
			result: z.array(accessKeyDtoSchema),
			handle: ({ facade, options }) => facade.accessKeys.list(options),
		}),
		route.post('/Keys/:id/Rotate', {
			summary: 'Gives a key a new text; the text before stays valid for the overlap.',
			parameters: { id: id('accessKey') },
			body: unchecked<RotateAccessKeyInput>('overlapHours', 'expiresAt'),
			result: newAccessKeyDtoSchema,
			handle: ({ facade, parameters, body, options }) =>
				facade.accessKeys.rotate(parameters.id, body, options),
		}),
		route.delete('/Keys/:id', {
			summary: 'Revokes a key.',
			parameters: { id: id('accessKey') },
			handle: ({ facade, parameters, options }) => facade.accessKeys.revoke(parameters.id, options),
		}),
	],
};
