import * as z from 'zod';
import type { TemplateContentInput } from '../../facade/gateway-facade';
import { facadePages } from '../../facade/list-pages';
import { purposeSchema } from '../../model/input/template';
import { templateDtoSchema } from '../../model/record/template';
import { body, content, filterSchema, id, instant, referenceBody, sharing } from './inputs';
import { listSummary, owned, protectionFields } from './filter-fields';
import { shownAnswers, tokenAnswers } from './pictures';
import { repeatedBy, route, type RouteGroup } from './route';

const templateId = id('template');
const filterFields = filterSchema(['maxNumberOfAllocations', 'purpose', ...protectionFields]);

/** @see docs/protocol/http-api.md 8.12, 19.3 */
export const templates: RouteGroup = {
	name: 'RelationshipTemplates',
	roles: ['admin', 'core:*', 'core:relationshipTemplates'],
	record: 'RelationshipTemplate',
	routes: [
		route.post('/RelationshipTemplates/Own', {
			summary: 'Creates a template, which people scan to connect with this gateway.',
			body: body({
				content: content<TemplateContentInput>(),
				expiresAt: instant,
				maxNumberOfAllocations: z.number().min(1).optional(),
				purpose: purposeSchema.optional(),
				...sharing,
			}),
			status: 201,
			result: templateDtoSchema,
			handle: ({ facade, body: input, options }) => facade.templates.create(input, options),
			repeated: repeatedBy('templates'),
		}),
		route.post('/RelationshipTemplates/Peer', {
			summary: 'Loads the template of a reference, directly or through a token.',
			body: referenceBody('template', {}),
			inputMessage: 'token / relationship template reference invalid',
			status: 201,
			result: templateDtoSchema,
			handle: ({ facade, body: input, options }) => facade.templates.loadPeer(input, options),
		}),
		...([undefined, 'Own', 'Peer'] as const).map((side) =>
			route.list(side === undefined ? '/RelationshipTemplates' : `/RelationshipTemplates/${side}`, {
				summary: listSummary('templates', side),
				filters: filterFields,
				result: z.array(templateDtoSchema),
				anyAccept: side === undefined,
				pages: ({ facade, filters, options }) =>
					facadePages(facade.templates, { where: owned(side), query: filters }, options),
			}),
		),
		route.get('/RelationshipTemplates/:id', {
			summary: 'One template, also as QR code.',
			parameters: { id: templateId },
			...shownAnswers((facade) => facade.templates),
			result: templateDtoSchema,
		}),
		route.post('/RelationshipTemplates/Own/:id/Token', {
			summary: 'Creates a token for an own template.',
			parameters: { id: templateId },
			...tokenAnswers(({ facade, parameters, options }, input) =>
				facade.templates.createToken(parameters.id, input, options),
			),
		}),
		route.delete('/RelationshipTemplates/:id', {
			summary: 'Deletes a template; relationships created from it remain.',
			parameters: { id: templateId },
			handle: ({ facade, parameters, options }) => facade.templates.delete(parameters.id, options),
		}),
	],
};
