import * as z from 'zod';
import type { CreationContentInput } from '../../facade/gateway-facade';
import { facadePages } from '../../facade/list-pages';
import { attributeDtoSchema } from '../../model/record/attribute';
import { relationshipDtoSchema } from '../../model/record/relationship';
import { body, content, filterSchema, id } from './inputs';
import { canCreateResult } from './results';
import { repeatedBy, route, type RouteGroup } from './route';

const relationshipId = id('relationship');

/** Use cases that change the status of a relationship and take no body, by the end of the path. */
const changes = {
	Accept: ['accept', 'Accepts a relationship that a peer has created.'],
	Reject: ['reject', 'Rejects a relationship that a peer has created.'],
	Revoke: ['revoke', 'Revokes a relationship of this gateway that is not accepted yet.'],
	Terminate: ['terminate', 'Terminates an active relationship.'],
	Reactivate: ['requestReactivation', 'Requests the reactivation of a terminated relationship.'],
	'Reactivate/Accept': ['acceptReactivation', 'Accepts the reactivation that the peer requested.'],
	'Reactivate/Reject': ['rejectReactivation', 'Rejects the reactivation that the peer requested.'],
	'Reactivate/Revoke': [
		'revokeReactivation',
		'Revokes the reactivation that this gateway requested.',
	],
} as const;

/** @see docs/protocol/http-api.md 8.11 */
export const relationships: RouteGroup = {
	name: 'Relationships',
	roles: ['admin', 'core:*', 'core:relationships'],
	record: 'Relationship',
	routes: [
		route.put('/Relationships/CanCreate', {
			summary: 'Checks whether a relationship can be created from a template.',
			body: body({
				templateId: id('template'),
				creationContent: content<CreationContentInput>().optional(),
			}),
			result: canCreateResult,
			handle: ({ facade, body: input, options }) => facade.relationships.canCreate(input, options),
		}),
		route.post('/Relationships', {
			summary: 'Creates a relationship from a template of a peer.',
			body: body({ templateId: id('template'), creationContent: content<CreationContentInput>() }),
			record: 'RelationshipTemplate',
			status: 201,
			result: relationshipDtoSchema,
			handle: ({ facade, body: input, options }) => facade.relationships.create(input, options),
			repeated: repeatedBy('relationships'),
		}),
		route.list('/Relationships', {
			summary: 'All relationships.',
			filters: filterSchema(['peer', 'status', 'template.id', 'templateId', 'purpose']),
			result: z.array(relationshipDtoSchema),
			pages: ({ facade, filters, options }) =>
				facadePages(facade.relationships, { query: filters }, options),
		}),
		route.get('/Relationships/:id', {
			summary: 'One relationship.',
			parameters: { id: relationshipId },
			result: relationshipDtoSchema,
			handle: ({ facade, parameters, options }) => facade.relationships.get(parameters.id, options),
		}),
		route.get('/Relationships/:id/Attributes', {
			summary: 'Attributes shared with or by the peer, in their latest versions.',
			parameters: { id: relationshipId },
			result: z.array(attributeDtoSchema),
			handle: ({ facade, parameters, options }) =>
				facade.relationships.attributes(parameters.id, {}, options),
		}),
		...Object.entries(changes).map(([tail, [change, summary]]) =>
			route.put(`/Relationships/:id/${tail}`, {
				summary,
				parameters: { id: relationshipId },
				result: relationshipDtoSchema,
				handle: ({ facade, parameters, options }) =>
					facade.relationships[change](parameters.id, options),
			}),
		),
		route.delete('/Relationships/:id', {
			summary: 'Removes a terminated relationship with all its data.',
			parameters: { id: relationshipId },
			handle: ({ facade, parameters, options }) =>
				facade.relationships.decompose(parameters.id, options),
		}),
	],
};
