import * as z from 'zod';
import type { AttributeListInput } from '../../facade/attributes';
import { facadePages } from '../../facade/list-pages';
import { isId } from '../../model/ids';
import { attributeValueSchema } from '../../model/input/attribute';
import { attributeDtoSchema, successionWithoutOwnerDtoSchema } from '../../model/record/attribute';
import { serverErrors } from '../server-errors';
import { attributesOfBothVersions } from './attributes-of-both-versions';
import { attributeFilters } from './filter-fields';
import { address, body, flag, id } from './inputs';
import {
	canCreateResult,
	deletionResult,
	notifiedSuccessionResult,
	successionAnswer,
} from './results';
import { repeatedBy, route, type Route, type RouteGroup } from './route';

const attributeId = id('attribute');

/** Callers give neither `@type` nor `owner`. */
const content = z.strictObject({
	value: attributeValueSchema,
	tags: z.array(z.string().max(1_000)).max(1_000).optional(),
	validFrom: z.string().max(100).optional(),
	validTo: z.string().max(100).optional(),
});

const sharedView = z.object({
	peer: address,
	hideTechnical: flag(false),
	onlyLatestVersions: flag(true),
	onlyValid: flag(false),
});

const latestView = z.object({ onlyLatestVersions: flag(true) });

const sharedVersionsView = z.object({
	peers: z
		.union([address.transform((one) => [one]), z.array(address).min(1).max(1_000)])
		.optional(),
	onlyLatestVersions: flag(true),
});

/** @see docs/protocol/http-api.md 8.3 */
export const attributes: RouteGroup = {
	name: 'Attributes',
	roles: ['admin', 'core:*', 'core:attributes'],
	record: 'LocalAttribute',
	routes: [
		route.put('/Attributes/CanCreate', {
			summary: 'Checks whether an own attribute can be created.',
			body: body({ content }),
			result: canCreateResult,
			handle: ({ facade, body: input, options }) => facade.attributes.canCreate(input, options),
		}),
		route.post('/Attributes', {
			summary: 'Creates an own attribute.',
			body: body({ content }),
			status: 201,
			result: attributeDtoSchema,
			handle: ({ facade, body: input, options }) => facade.attributes.create(input, options),
			repeated: repeatedBy('attributes'),
		}),
		route.post('/Attributes/:predecessorId/Succeed', {
			summary: 'Creates a new version of an own attribute.',
			parameters: { predecessorId: z.string().max(1_000) },
			body: body({ successorContent: content }),
			status: 201,
			result: z.union([notifiedSuccessionResult, successionWithoutOwnerDtoSchema]),
			handle: async ({ facade, parameters, body: input, options }) => {
				const predecessorId = existing(parameters.predecessorId);
				// A missing predecessor is answered with 404, even if the successor is invalid.
				await facade.attributes.get(predecessorId, options);
				return successionAnswer(await facade.attributes.succeed(predecessorId, input, options));
			},
			repeated: {
				collection: 'attributes',
				answer: async ({ facade: { attributes: known }, parameters, options }, id) =>
					successionAnswer({
						predecessor: await known.get(parameters.predecessorId, options),
						successor: await known.get(id, options),
					}),
			},
		}),
		route.post('/Attributes/:attributeId/NotifyPeer', {
			summary: 'Sends this version to a peer that has an earlier one.',
			parameters: { attributeId },
			body: body({ peer: address }),
			status: 201,
			result: notifiedSuccessionResult,
			handle: ({ facade, parameters, body: input, options }) =>
				facade.attributes.notifyPeer(parameters.attributeId, input, options).then(successionAnswer),
		}),
		...lists(),
		route.get('/Attributes/:attributeId/Versions/Shared', {
			summary: 'Copies of any version that peers have.',
			parameters: { attributeId },
			query: sharedVersionsView,
			result: z.array(attributeDtoSchema),
			handle: ({ facade, parameters, query, options }) =>
				facade.attributes.sharedVersions(parameters.attributeId, query, options),
		}),
		...attributesOfBothVersions((facade) => facade.attributes, attributeDtoSchema),
		...deletions(),
	],
};

/** Text that is not an id is answered with 404 here (docs/protocol/http-api.md 8.3). */
function existing(predecessorId: string): string {
	if (isId('attribute', predecessorId)) return predecessorId;
	throw serverErrors.create('recordNotFound', { message: 'There is no such attribute.' });
}

function lists(): Route[] {
	const shared = (side: 'Own' | 'Peer', summary: string): Route =>
		route.get(`/Attributes/${side}/Shared/Identity`, {
			summary,
			query: sharedView,
			filters: side === 'Own' ? attributeFilters.ownShared : attributeFilters.peerShared,
			result: z.array(attributeDtoSchema),
			handle: ({ facade, query, filters, options }) =>
				side === 'Own'
					? facade.attributes.listOwnShared({ ...query, query: filters }, options)
					: facade.attributes.listPeerShared({ ...query, query: filters }, options),
		});
	return [
		...[false, true].map((onlyValid) =>
			route.list(onlyValid ? '/Attributes/Valid' : '/Attributes', {
				summary: onlyValid ? 'Attributes that are valid now.' : 'All attributes.',
				filters: attributeFilters.all,
				result: z.array(attributeDtoSchema),
				pages: ({ facade, filters, options }) =>
					facadePages(
						{
							list: (input: AttributeListInput, given) =>
								facade.attributes.list({ ...input, onlyValid }, given),
						},
						{ query: filters },
						options,
					),
			}),
		),
		route.get('/Attributes/Own/Repository', {
			summary: 'Own attributes, without shared copies.',
			query: latestView,
			filters: attributeFilters.repository,
			result: z.array(attributeDtoSchema),
			handle: ({ facade, query, filters, options }) =>
				facade.attributes.listRepository({ ...query, query: filters }, options),
		}),
		shared('Own', 'Own attributes that were shared with a peer.'),
		shared('Peer', 'Attributes that a peer shared.'),
	];
}

function deletions(): Route[] {
	const deletion = (
		path: string,
		summary: string,
		remove: 'deleteOwnShared' | 'deletePeerShared' | 'deleteThirdParty',
	): Route =>
		route.delete(`/Attributes/${path}/:attributeId`, {
			summary,
			parameters: { attributeId },
			result: deletionResult,
			anyAccept: true,
			handle: ({ facade, parameters, options }) =>
				facade.attributes[remove](parameters.attributeId, options),
		});
	return [
		route.delete('/Attributes/:attributeId', {
			summary: 'Deletes an own attribute; copies of peers remain.',
			parameters: { attributeId },
			anyAccept: true,
			handle: ({ facade, parameters, options }) =>
				facade.attributes.delete(parameters.attributeId, options),
		}),
		deletion(
			'Own/Shared',
			'Deletes an attribute shared with a peer, and notifies the peer.',
			'deleteOwnShared',
		),
		deletion(
			'Peer/Shared',
			'Deletes an attribute that a peer shared, and notifies the peer.',
			'deletePeerShared',
		),
		deletion('ThirdParty', 'Deletes an attribute of another relationship.', 'deleteThirdParty'),
	];
}
