import * as z from 'zod';
import type { CreationContentInput } from '../../facade/gateway-facade';
import { facadePages } from '../../facade/list-pages';
import type { Cancellable } from '../../base/abort';
import type { GatewayFacade } from '../../facade/gateway-facade';
import { attributeDtoSchema } from '../../model/record/attribute';
import { relationshipDtoSchema, type RelationshipDto } from '../../model/record/relationship';
import { body, content, filterSchema, id } from './inputs';
import { canCreateResult } from './results';
import { repeatedBy, listRoute, route, type Route, type RouteGroup } from './route';

const relationshipId = id('relationship');

type Change = (
	relationships: GatewayFacade['relationships'],
	id: string,
	options: Cancellable,
) => Promise<RelationshipDto>;

/** Route that changes the status of a relationship and takes no body. */
function change(tail: string, summary: string, take: Change): Route {
	return route({
		method: 'PUT',
		path: `/Relationships/:id/${tail}`,
		summary,
		parameters: { id: relationshipId },
		result: relationshipDtoSchema,
		handle: ({ facade, parameters, options }) => take(facade.relationships, parameters.id, options),
	});
}

/** @see docs/protocol/http-api.md 8.11 */
export const relationships: RouteGroup = {
	name: 'Relationships',
	roles: ['admin', 'core:*', 'core:relationships'],
	record: 'Relationship',
	routes: [
		route({
			method: 'PUT',
			path: '/Relationships/CanCreate',
			summary: 'Checks whether a relationship can be created from a template.',
			body: body({
				templateId: id('template'),
				creationContent: content<CreationContentInput>().optional(),
			}),
			result: canCreateResult,
			handle: ({ facade, body: input, options }) => facade.relationships.canCreate(input, options),
		}),
		route({
			method: 'POST',
			path: '/Relationships',
			summary: 'Creates a relationship from a template of a peer.',
			body: body({ templateId: id('template'), creationContent: content<CreationContentInput>() }),
			record: 'RelationshipTemplate',
			status: 201,
			result: relationshipDtoSchema,
			handle: ({ facade, body: input, options }) => facade.relationships.create(input, options),
			repeated: repeatedBy('relationships'),
		}),
		listRoute({
			path: '/Relationships',
			summary: 'All relationships.',
			filters: filterSchema(['peer', 'status', 'template.id', 'templateId', 'purpose']),
			result: z.array(relationshipDtoSchema),
			pages: ({ facade, filters, options }) =>
				facadePages(facade.relationships, { query: filters }, options),
		}),
		route({
			path: '/Relationships/:id',
			summary: 'One relationship.',
			parameters: { id: relationshipId },
			result: relationshipDtoSchema,
			handle: ({ facade, parameters, options }) => facade.relationships.get(parameters.id, options),
		}),
		route({
			path: '/Relationships/:id/Attributes',
			summary: 'Attributes shared with or by the peer, in their latest versions.',
			parameters: { id: relationshipId },
			result: z.array(attributeDtoSchema),
			handle: ({ facade, parameters, options }) =>
				facade.relationships.attributes(parameters.id, {}, options),
		}),
		change('Accept', 'Accepts a relationship that a peer has created.', (all, one, options) =>
			all.accept(one, options),
		),
		change('Reject', 'Rejects a relationship that a peer has created.', (all, one, options) =>
			all.reject(one, options),
		),
		change(
			'Revoke',
			'Revokes a relationship of this gateway that is not accepted yet.',
			(all, one, options) => all.revoke(one, options),
		),
		change('Terminate', 'Terminates an active relationship.', (all, one, options) =>
			all.terminate(one, options),
		),
		change(
			'Reactivate',
			'Requests the reactivation of a terminated relationship.',
			(all, one, options) => all.requestReactivation(one, options),
		),
		change(
			'Reactivate/Accept',
			'Accepts the reactivation that the peer requested.',
			(all, one, options) => all.acceptReactivation(one, options),
		),
		change(
			'Reactivate/Reject',
			'Rejects the reactivation that the peer requested.',
			(all, one, options) => all.rejectReactivation(one, options),
		),
		change(
			'Reactivate/Revoke',
			'Revokes the reactivation that this gateway requested.',
			(all, one, options) => all.revokeReactivation(one, options),
		),
		route({
			method: 'DELETE',
			path: '/Relationships/:id',
			summary: 'Removes a terminated relationship with all its data.',
			parameters: { id: relationshipId },
			handle: ({ facade, parameters, options }) =>
				facade.relationships.decompose(parameters.id, options),
		}),
	],
};
