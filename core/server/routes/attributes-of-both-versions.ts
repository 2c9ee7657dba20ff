import * as z from 'zod';
import { judged } from '../../facade/judged';
import type { GatewayFacade } from '../../facade/gateway-facade';
import { id, unchecked } from './inputs';
import { iqlValidationResult, tagCollectionResult } from './results';
import { route, type Route } from './route';

type Attributes = GatewayFacade['attributes'] | GatewayFacade['localAttributes'];

type QueryUseCase = Extract<keyof Attributes, `${'execute' | 'validate'}${string}Query`>;

const attributeId = id('attribute');

/**
 * Routes that both versions have: for one attribute, and for queries, which create nothing and
 * answer with 200.
 *
 * @param attributesOf attributes in the form of the version that the routes belong to
 * @param attribute schema of one of them
 */
export function attributesOfBothVersions(
	attributesOf: (facade: GatewayFacade) => Attributes,
	attribute: z.ZodType,
): Route[] {
	const found = z.array(attribute);
	const query = (path: string, summary: string, result: z.ZodType, execute: QueryUseCase): Route =>
		route.post(`/Attributes/${path}`, {
			summary,
			body: unchecked<{ readonly query: unknown }>('query'),
			result,
			handle: async ({ facade, body, options }) =>
				await attributesOf(facade)[execute](judged(body), options),
		});
	return [
		route.get('/Attributes/TagCollection', {
			summary: 'Tags that the operator of the Backbone suggests.',
			result: tagCollectionResult,
			handle: ({ facade, options }) => facade.tags.collection(options),
		}),
		route.get('/Attributes/:id', {
			summary: 'One attribute.',
			parameters: { id: attributeId },
			result: attribute,
			handle: ({ facade, parameters, options }) => attributesOf(facade).get(parameters.id, options),
		}),
		route.get('/Attributes/:attributeId/Versions', {
			summary: 'All versions of an attribute, newest first.',
			parameters: { attributeId },
			result: found,
			handle: ({ facade, parameters, options }) =>
				attributesOf(facade).versions(parameters.attributeId, options),
		}),
		query(
			'ExecuteIdentityAttributeQuery',
			'Own attributes that match a query.',
			found,
			'executeIdentityAttributeQuery',
		),
		query(
			'ExecuteRelationshipAttributeQuery',
			'The relationship attribute that matches a query.',
			attribute,
			'executeRelationshipAttributeQuery',
		),
		query(
			'ExecuteThirdPartyRelationshipAttributeQuery',
			'Attributes of other relationships that match a query.',
			found,
			'executeThirdPartyRelationshipAttributeQuery',
		),
		query('ExecuteIQLQuery', 'Own attributes that match an IQL query.', found, 'executeIqlQuery'),
		query('ValidateIQLQuery', 'Validates an IQL query.', iqlValidationResult, 'validateIqlQuery'),
	];
}
