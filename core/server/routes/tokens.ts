import * as z from 'zod';
import type { TokenContentInput } from '../../facade/gateway-facade';
import { facadePages } from '../../facade/list-pages';
import { tokenDtoSchema } from '../../model/record/token';
import { listSummary, owned, protectionFields } from './filter-fields';
import { body, content, filterSchema, id, instant, referenceBody, sharing } from './inputs';
import { shownAnswers } from './pictures';
import { repeatedBy, route, type RouteGroup } from './route';

const tokenId = id('token');
const filterFields = filterSchema(protectionFields);

/** @see docs/protocol/http-api.md 8.13, 19.3 */
export const tokens: RouteGroup = {
	name: 'Tokens',
	roles: ['admin', 'core:*', 'core:tokens'],
	record: 'Token',
	routes: [
		route.post('/Tokens/Own', {
			summary: 'Creates a token, whose reference gives access to JSON.',
			body: body({
				content: content<TokenContentInput>(),
				expiresAt: instant,
				ephemeral: z.boolean().optional(),
				...sharing,
			}),
			status: 201,
			result: tokenDtoSchema,
			handle: ({ facade, body: input, options }) => facade.tokens.create(input, options),
			repeated: repeatedBy('tokens'),
		}),
		route.post('/Tokens/Peer', {
			summary: 'Loads the token of a reference.',
			body: referenceBody('token', { ephemeral: z.boolean().optional() }),
			inputMessage: 'token reference invalid',
			status: 201,
			result: tokenDtoSchema,
			handle: ({ facade, body: input, options }) => facade.tokens.loadPeer(input, options),
		}),
		...(['Own', 'Peer'] as const).map((side) =>
			route.list(`/Tokens/${side}`, {
				summary: listSummary('tokens', side),
				filters: filterFields,
				result: z.array(tokenDtoSchema),
				pages: ({ facade, filters, options }) =>
					facadePages(facade.tokens, { where: owned(side), query: filters }, options),
			}),
		),
		route.get('/Tokens/:id', {
			summary: 'One token, also as QR code.',
			parameters: { id: tokenId },
			...shownAnswers((facade) => facade.tokens),
			result: tokenDtoSchema,
		}),
		route.delete('/Tokens/:id', {
			summary: 'Deletes an own token for everyone, a token of a peer only here.',
			parameters: { id: tokenId },
			handle: ({ facade, parameters, options }) => facade.tokens.delete(parameters.id, options),
		}),
	],
};
