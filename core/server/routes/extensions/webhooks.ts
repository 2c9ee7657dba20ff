import * as z from 'zod';
import { parkedDeliverySchema } from '../../../events/delivery/parked-deliveries';
import { createWebhookSchema, updateWebhookSchema } from '../../../model/input/webhook';
import {
	createdWebhookDtoSchema,
	webhookDtoSchema,
	webhookTestDtoSchema,
} from '../../../model/record/http/webhook';
import { body } from '../inputs';
import { repeatedBy, route, type RouteGroup } from '../route';

const parameters = { id: z.string().max(100) };
const choice = body({ ids: z.array(z.string().max(300)).max(1_000).optional() });
const chosen = z.object({ ids: z.array(z.string()) });

/** Routes for webhooks that clients register; an extension of this gateway (docs/adr/0049). */
export const webhooks: RouteGroup = {
	name: 'Webhooks',
	roles: ['admin', 'core:*', 'core:webhooks'],
	record: 'Webhook',
	routes: [
		route.post('/Webhooks', {
			summary:
				'Registers a webhook, which gets every event from now on. Without a secret, one is generated and shown in this answer only.',
			body: createWebhookSchema,
			status: 201,
			result: createdWebhookDtoSchema,
			handle: ({ facade, body: input, server, options }) =>
				facade.webhooks.create(input, { ...options, server }),
			repeated: repeatedBy('webhooks'),
		}),
		route.get('/Webhooks', {
			summary: 'All registered webhooks with the progress of their deliveries, oldest first.',
			result: z.array(webhookDtoSchema),
			handle: ({ facade, options }) => facade.webhooks.list(options),
		}),
		route.get('/Webhooks/:id', {
			summary: 'One webhook with the progress of its deliveries.',
			parameters,
			result: webhookDtoSchema,
			handle: ({ facade, parameters: { id }, options }) => facade.webhooks.get(id, options),
		}),
		route.patch('/Webhooks/:id', {
			summary: 'Replaces members of a webhook. Events that are not delivered yet follow them.',
			parameters,
			body: updateWebhookSchema,
			result: webhookDtoSchema,
			handle: ({ facade, parameters: { id }, body: input, server, options }) =>
				facade.webhooks.update(id, input, { ...options, server }),
		}),
		route.delete('/Webhooks/:id', {
			summary: 'Deletes a webhook with its parked deliveries.',
			parameters,
			handle: ({ facade, parameters: { id }, options }) => facade.webhooks.delete(id, options),
		}),
		route.post('/Webhooks/:id/Test', {
			summary: 'Posts a signed test event to the target, once.',
			parameters,
			result: webhookTestDtoSchema,
			handle: ({ facade, parameters: { id }, options }) => facade.webhooks.test(id, options),
		}),
		route.get('/Webhooks/:id/Parked', {
			summary: 'Events that the target did not accept, oldest first.',
			parameters,
			result: z.array(parkedDeliverySchema),
			handle: ({ facade, parameters: { id }, options }) => facade.webhooks.parked(id, options),
		}),
		route.post('/Webhooks/:id/Parked/Retry', {
			summary: 'Delivers the named parked events again, or all.',
			parameters,
			body: choice,
			result: chosen,
			handle: async ({ facade, parameters: { id }, body: input, options }) => ({
				ids: await facade.webhooks.retryParked(id, input, options),
			}),
		}),
		route.post('/Webhooks/:id/Parked/Discard', {
			summary: 'Discards the named parked events permanently, or all.',
			parameters,
			body: choice,
			result: chosen,
			handle: async ({ facade, parameters: { id }, body: input, options }) => ({
				ids: await facade.webhooks.discardParked(id, input, options),
			}),
		}),
	],
};
