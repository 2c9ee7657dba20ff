import * as z from 'zod';
import { facadePages } from '../../../facade/list-pages';
import { attributeValueSchema } from '../../../model/input/attribute';
import {
	forwardingDetailsDtoSchema,
	localAttributeDtoSchema,
	localDeletionDtoSchema,
	localSuccessionDtoSchema,
	notifiedVersionDtoSchema,
	ownIdentityAttributeDtoSchema,
} from '../../../model/record/local-attribute';
import { attributesOfBothVersions } from '../attributes-of-both-versions';
import { address, body, flag, id } from '../inputs';
import { canCreateResult } from '../results';
import { repeatedBy, route, type Route, type RouteGroup } from '../route';
import { localAttributeFilters } from './attribute-filters';

const attributeId = id('attribute');
/** text that is answered like an unknown id if it is none */
const anyId = z.string().max(1_000);

/** Callers give neither `@type` nor `owner`. */
const content = z.strictObject({
	value: attributeValueSchema,
	tags: z.array(z.string().max(1_000)).max(1_000).optional(),
});

const latestView = z.object({ onlyLatestVersions: flag(true) });
const peerView = latestView.extend({ hideTechnical: flag(false) });
const sharedVersionsView = latestView.extend({ peer: address });

const manyAttributes = z.array(localAttributeDtoSchema);

/** @see docs/protocol/connector-7.md 4 */
export const attributesOfVersion7: RouteGroup = {
	name: 'Attributes',
	roles: ['admin', 'core:*', 'core:attributes'],
	routes: [
		...changes(),
		...lists(),
		...attributesOfBothVersions(({ localAttributes }) => localAttributes, localAttributeDtoSchema),
	],
};

/** Attributes of both sides, which replaces the route of version 6. */
export const relationshipAttributes: Route = route.get('/Relationships/:id/Attributes', {
	summary: 'Attributes that both sides of a relationship have.',
	parameters: { id: id('relationship') },
	result: manyAttributes,
	handle: ({ facade, parameters, options }) =>
		facade.localAttributes.listOfRelationship(parameters.id, options),
});

function changes(): Route[] {
	return [
		route.put('/Attributes/CanCreate', {
			summary: 'Checks whether an own identity attribute can be created.',
			body: body({ content }),
			result: canCreateResult,
			handle: ({ facade, body: input, options }) =>
				facade.localAttributes.canCreate(input, options),
		}),
		route.post('/Attributes', {
			summary: 'Creates an own identity attribute.',
			body: body({ content }),
			status: 201,
			result: ownIdentityAttributeDtoSchema,
			handle: ({ facade, body: input, options }) => facade.localAttributes.create(input, options),
			repeated: repeatedBy('localAttributes', 'attributes'),
		}),
		route.post('/Attributes/:predecessorId/Succeed', {
			summary: 'Creates a new version of an own attribute.',
			parameters: { predecessorId: anyId },
			body: body({ successorContent: content }),
			status: 201,
			result: localSuccessionDtoSchema,
			handle: ({ facade, parameters, body: input, options }) =>
				facade.localAttributes.succeed(parameters.predecessorId, input, options),
			repeated: {
				collection: 'attributes',
				answer: async ({ facade: { localAttributes: known }, parameters, options }, id) => ({
					predecessor: await known.get(parameters.predecessorId, options),
					successor: await known.get(id, options),
				}),
			},
		}),
		route.post('/Attributes/:attributeId/NotifyPeer', {
			summary: 'Sends this version to a peer that has an earlier one.',
			parameters: { attributeId },
			body: z.object({ peer: address }),
			status: 201,
			result: notifiedVersionDtoSchema,
			handle: ({ facade, parameters, body: input, options }) =>
				facade.localAttributes.notifyPeer(parameters.attributeId, input, options),
		}),
		route.delete('/Attributes/:attributeId', {
			summary: 'Deletes an attribute with its earlier versions, and tells who has them.',
			parameters: { attributeId },
			result: localDeletionDtoSchema,
			anyAccept: true,
			handle: ({ facade, parameters, options }) =>
				facade.localAttributes.delete(parameters.attributeId, options),
		}),
	];
}

function lists(): Route[] {
	return [
		route.list('/Attributes', {
			summary: 'All attributes, oldest first.',
			filters: localAttributeFilters.all,
			result: manyAttributes,
			pages: ({ facade, filters, options }) =>
				facadePages(facade.localAttributes, { query: filters }, options),
		}),
		route.get('/Attributes/Own/Identity', {
			summary: 'Own identity attributes, oldest first.',
			query: latestView,
			filters: localAttributeFilters.ownIdentity,
			result: z.array(ownIdentityAttributeDtoSchema),
			handle: ({ facade, query, filters, options }) =>
				facade.localAttributes.listOwnIdentity({ ...query, query: filters }, options),
		}),
		route.get('/Attributes/Own/Shared/:peer', {
			summary: 'Own attributes that a peer has.',
			parameters: { peer: address },
			query: peerView,
			filters: localAttributeFilters.ownShared,
			result: manyAttributes,
			handle: ({ facade, parameters: { peer }, query, filters, options }) =>
				facade.localAttributes.listOwnShared({ ...query, peer, query: filters }, options),
		}),
		route.get('/Attributes/Peer/:peer', {
			summary: 'Attributes that a peer has shared, oldest first.',
			parameters: { peer: address },
			query: peerView,
			filters: localAttributeFilters.peer,
			result: manyAttributes,
			handle: ({ facade, parameters: { peer }, query, filters, options }) =>
				facade.localAttributes.listPeer({ ...query, peer, query: filters }, options),
		}),
		route.get('/Attributes/:attributeId/ForwardingDetails', {
			summary: 'Sharings of an attribute, one for each peer.',
			parameters: { attributeId: anyId },
			filters: localAttributeFilters.forwardingDetails,
			result: z.array(forwardingDetailsDtoSchema),
			handle: ({ facade, parameters, filters, options }) =>
				facade.localAttributes.forwardingDetails(
					parameters.attributeId,
					{ query: filters },
					options,
				),
		}),
		route.get('/Attributes/:attributeId/Versions/Shared', {
			summary: 'Versions of an attribute that a peer has, newest first.',
			parameters: { attributeId },
			query: sharedVersionsView,
			result: manyAttributes,
			handle: ({ facade, parameters, query, options }) =>
				facade.localAttributes.sharedVersions(parameters.attributeId, query, options),
		}),
	];
}
