import * as z from 'zod';
import type { GatewayFacade, WaitDto } from '../../../facade/gateway-facade';
import { waitOutcomeSchema } from '../../../model/record/wait';
import { serverErrors } from '../../server-errors';
import { route, type CallOptions, type RouteGroup } from '../route';

const parameters = { id: z.string().max(500) };

/** Wait without its key, which is a part of the signed address that continues the execution. */
const wait = z.object({
	id: z.string(),
	kind: z.enum(['request', 'mail', 'template', 'group']),
	/** absent for a group of people */
	subject: z.string().optional(),
	peer: z.string().optional(),
	answersWanted: z.int().optional(),
	createdAt: z.string(),
	until: z.string().optional(),
	outcome: waitOutcomeSchema.optional(),
	isTaken: z.boolean(),
	answersSoFar: z.int().optional(),
});

/** Routes for executions of n8n that wait for a person; an extension of this gateway. */
export const waits: RouteGroup = {
	name: 'Waits',
	roles: ['admin', 'core:*', 'core:waits'],
	record: 'Wait',
	routes: [
		route.get('/Waits', {
			summary: 'Executions of n8n that wait for a person, oldest first.',
			result: z.array(wait),
			handle: async ({ facade, options }) => (await facade.waits.list(options)).map(shown),
		}),
		route.get('/Waits/:id', {
			summary: 'One wait, with its outcome once there is one.',
			parameters,
			result: wait,
			handle: async ({ facade, parameters: { id }, options }) => {
				const { key } = await find(facade, id, options);
				const found = await facade.waits.find(id, key, options);
				if (found === undefined) throw unknown();
				return shown(found);
			},
		}),
		route.get('/Waits/:id/Members', {
			summary: 'The questions to the people of a group, with their outcomes.',
			parameters,
			result: z.array(wait),
			handle: async ({ facade, parameters: { id }, options }) => {
				const { key } = await find(facade, id, options);
				return (await facade.waits.members(id, key, options)).map(shown);
			},
		}),
		route.delete('/Waits/:id', {
			summary: 'Cancels a wait: an answer no longer continues the execution.',
			parameters,
			handle: async ({ facade, parameters: { id }, options }) => {
				const { key } = await find(facade, id, options);
				await facade.waits.discard(id, key, options);
			},
		}),
	],
};

async function find(facade: GatewayFacade, id: string, options: CallOptions): Promise<WaitDto> {
	const found = (await facade.waits.list(options)).find((one) => one.id === id);
	if (found === undefined) throw unknown();
	return found;
}

function unknown(): Error {
	return serverErrors.create('recordNotFound', { message: 'There is no such wait.' });
}

/** The subject of a group is its key. */
function shown({ key: _key, note: _note, subject, ...rest }: WaitDto) {
	return rest.kind === 'group' ? rest : { ...rest, subject };
}
