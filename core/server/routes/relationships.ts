import * as z from 'zod';
import type { Cancellable } from '../../base/abort';
import type { GatewayFacade } from '../../facade';
import { attributeRecordSchema } from '../../model/record/attribute';
import { relationshipDtoSchema, type RelationshipDto } from '../../model/record/relationship';
import { anything, body, filterSchema, id } from './inputs';
import { allWithoutOwner, canCreateResult } from './results';
import { route, type Route, type RouteGroup } from './route';

const relationshipId = id('relationship');

type Change = (
	relationships: GatewayFacade['relationships'],
	id: string,
	options: Cancellable,
) => Promise<RelationshipDto>;

/** A step of a relationship's life, without any body. */
function change(tail: string, summary: string, take: Change): Route {
	return route<'/Relationships/:id'>({
		method: 'PUT',
		path: `/Relationships/:id/${tail}` as '/Relationships/:id',
		summary,
		parameters: { id: relationshipId },
		status: 200,
		result: relationshipDtoSchema,
		handle: ({ facade, parameters, options }) => take(facade.relationships, parameters.id, options),
	});
}

/** docs/protocol/http-api.md 8.11 */
export const relationships: RouteGroup = {
	name: 'Relationships',
	roles: ['admin', 'core:*', 'core:relationships'],
	record: 'Relationship',
	routes: [
		route({
			method: 'PUT',
			path: '/Relationships/CanCreate',
			summary: 'Whether a relationship can be created from a template.',
			parameters: {},
			body: body({ templateId: id('template'), creationContent: anything.optional() }),
			status: 200,
			result: canCreateResult,
			handle: ({ facade, body: input, options }) => facade.relationships.canCreate(input, options),
		}),
		route({
			method: 'POST',
			path: '/Relationships',
			summary: 'Answers a template of somebody else with a relationship.',
			parameters: {},
			body: body({ templateId: id('template'), creationContent: anything }),
			record: 'RelationshipTemplate',
			status: 201,
			result: relationshipDtoSchema,
			handle: ({ facade, body: input, options }) => facade.relationships.create(input, options),
		}),
		route({
			method: 'GET',
			path: '/Relationships',
			summary: 'All relationships.',
			parameters: {},
			filters: filterSchema(['peer', 'status', 'template.id', 'templateId']),
			status: 200,
			result: z.array(relationshipDtoSchema),
			handle: ({ facade, filters, options }) =>
				facade.relationships.list({ query: filters }, options),
		}),
		route({
			method: 'GET',
			path: '/Relationships/:id',
			summary: 'One relationship.',
			parameters: { id: relationshipId },
			status: 200,
			result: relationshipDtoSchema,
			handle: ({ facade, parameters, options }) => facade.relationships.get(parameters.id, options),
		}),
		route({
			method: 'GET',
			path: '/Relationships/:id/Attributes',
			summary: 'What is shared with or by the peer, in the latest versions.',
			parameters: { id: relationshipId },
			status: 200,
			result: z.array(attributeRecordSchema),
			handle: ({ facade, parameters, options }) =>
				facade.relationships.attributes(parameters.id, {}, options).then(allWithoutOwner),
		}),
		change('Accept', 'Accepts a relationship that a peer has created.', (all, one, options) =>
			all.accept(one, options),
		),
		change('Reject', 'Rejects a relationship that a peer has created.', (all, one, options) =>
			all.reject(one, options),
		),
		change('Revoke', 'Takes back an own creation that is not accepted.', (all, one, options) =>
			all.revoke(one, options),
		),
		change('Terminate', 'Ends an active relationship.', (all, one, options) =>
			all.terminate(one, options),
		),
		change('Reactivate', 'Asks to bring back a terminated relationship.', (all, one, options) =>
			all.requestReactivation(one, options),
		),
		change('Reactivate/Accept', 'Brings it back as the peer asked.', (all, one, options) =>
			all.acceptReactivation(one, options),
		),
		change('Reactivate/Reject', 'Leaves it terminated.', (all, one, options) =>
			all.rejectReactivation(one, options),
		),
		change('Reactivate/Revoke', 'Takes back the own question.', (all, one, options) =>
			all.revokeReactivation(one, options),
		),
		route({
			method: 'DELETE',
			path: '/Relationships/:id',
			summary: 'Removes a terminated relationship and all that belongs to it.',
			parameters: { id: relationshipId },
			status: 204,
			handle: ({ facade, parameters, options }) =>
				facade.relationships.decompose(parameters.id, options),
		}),
	],
};
