import * as z from 'zod';
import type { MessageContentInput } from '../../facade/gateway-facade';
import { facadePages } from '../../facade/list-pages';
import { fileDtoSchema } from '../../model/record/file';
import { messageDtoSchema, messageWithFilesDtoSchema } from '../../model/record/message';
import { address, body, content, filterSchema, id } from './inputs';
import { route, type RouteGroup } from './route';

const messageId = id('message');
const attachmentId = id('file');

const distinct = (values: readonly string[]): boolean => new Set(values).size === values.length;
const noDuplicates = 'must NOT have duplicate items';

const filterFields = filterSchema(
	[
		...['createdBy', 'createdByDevice', 'createdAt', 'content.@type', 'content.body'],
		...[
			'content.bodyFormat',
			'content.subject',
			'attachments',
			'recipients.address',
			'recipients.relationshipId',
		],
		...['wasReadAt', 'participant'],
	],
	['isOwn'],
);

/** @see docs/protocol/http-api.md 8.10 */
export const messages: RouteGroup = {
	name: 'Messages',
	roles: ['admin', 'core:*', 'core:messages'],
	record: 'Message',
	routes: [
		route.post('/Messages', {
			summary: 'Sends a message, encrypted for each recipient.',
			body: body({
				recipients: z.array(address).min(1).max(1_000).refine(distinct, noDuplicates),
				content: content<MessageContentInput>(),
				attachments: z.array(attachmentId).max(1_000).refine(distinct, noDuplicates).optional(),
			}),
			status: 201,
			result: messageDtoSchema,
			handle: ({ facade, body: input, options }) => facade.messages.send(input, options),
		}),
		route.list('/Messages', {
			summary: 'Sent and received messages.',
			filters: filterFields,
			result: z.array(messageDtoSchema),
			pages: ({ facade, filters, options }) =>
				facadePages(facade.messages, { query: filters }, options),
		}),
		route.get('/Messages/:id', {
			summary: 'One message with its attachments.',
			parameters: { id: messageId },
			result: messageWithFilesDtoSchema,
			handle: async ({ facade, parameters, options }) => {
				const message = await facade.messages.get(parameters.id, options);
				if (message.attachments.length === 0) return message;
				const attachments = await facade.messages.listAttachments(parameters.id, options);
				return { ...message, attachments };
			},
		}),
		route.get('/Messages/:id/Attachments/:attachmentId', {
			summary: 'One attachment of a message.',
			parameters: { id: messageId, attachmentId },
			result: fileDtoSchema,
			handle: ({ facade, parameters, options }) =>
				facade.messages.getAttachment(parameters.id, parameters.attachmentId, options),
		}),
		route.download('/Messages/:id/Attachments/:attachmentId/Download', {
			summary: 'The content of an attachment.',
			parameters: { id: messageId, attachmentId },
			download: ({ facade, parameters, options }) =>
				facade.messages.downloadAttachment(parameters.id, parameters.attachmentId, options),
		}),
	],
};
