import * as z from 'zod';
import type {
	ExecuteIdentityAttributeQueryInput,
	ExecuteRelationshipAttributeQueryInput,
	ExecuteThirdPartyRelationshipAttributeQueryInput,
	IqlQueryInput,
} from '../../facade/attributes';
import type { GatewayFacade } from '../../facade/gateway-facade';
import { unchecked } from './inputs';
import { iqlValidationResult } from './results';
import { route, type CallOptions, type Route } from './route';

type Queried = GatewayFacade['attributes'] | GatewayFacade['localAttributes'];

/**
 * Routes that execute queries; they create nothing and answer with 200.
 *
 * @param queried attributes in the form of the version that the routes belong to
 * @param attribute schema of one of them
 */
export function attributeQueries(
	queried: (facade: GatewayFacade) => Queried,
	attribute: z.ZodType,
): Route[] {
	const query = <Input extends { readonly query: object }>(
		path: string,
		summary: string,
		result: z.ZodType,
		execute: (attributes: Queried, input: Input, options: CallOptions) => unknown,
	): Route =>
		route({
			method: 'POST',
			path: `/Attributes/${path}`,
			summary,
			body: unchecked<Input>('query'),
			result,
			handle: async ({ facade, body: input, options }) =>
				await execute(queried(facade), input, options),
		});
	const found = z.array(attribute);
	return [
		query(
			'ExecuteIdentityAttributeQuery',
			'Own attributes that match a query.',
			found,
			(all, input: ExecuteIdentityAttributeQueryInput, options) =>
				all.executeIdentityAttributeQuery(input, options),
		),
		query(
			'ExecuteRelationshipAttributeQuery',
			'The relationship attribute that matches a query.',
			attribute,
			(all, input: ExecuteRelationshipAttributeQueryInput, options) =>
				all.executeRelationshipAttributeQuery(input, options),
		),
		query(
			'ExecuteThirdPartyRelationshipAttributeQuery',
			'Attributes of other relationships that match a query.',
			found,
			(all, input: ExecuteThirdPartyRelationshipAttributeQueryInput, options) =>
				all.executeThirdPartyRelationshipAttributeQuery(input, options),
		),
		query(
			'ExecuteIQLQuery',
			'Own attributes that match an IQL query.',
			found,
			(all, input: IqlQueryInput, options) => all.executeIqlQuery(input, options),
		),
		query(
			'ValidateIQLQuery',
			'Validates an IQL query.',
			iqlValidationResult,
			(all, input: IqlQueryInput) => all.validateIqlQuery(input),
		),
	];
}
