import { GatewayError, isGatewayError } from '../../base/errors';
import type { CallOptions, RelationshipResource } from '../port/backbone';
import { answerLimits, type BackboneCaller } from '../http/backbone-caller';
import { backboneErrors } from '../backbone-errors';
import {
	canCreateRelationshipSchema,
	wireRelationshipMetadataSchema,
	wireRelationshipSchema,
	type WireRelationshipMetadata,
} from '../dto/relationship';
import { readListed } from '../http/paging';
import { sameObject } from './same-object';
import { pathId } from './wire-text';

const root = '/Relationships';

/**
 * Recognizes an unknown peer by the message, the only place that reads an error's text
 * (`docs/protocol/backbone-api.md` 14.2).
 */
function asDeletedOwner(error: unknown, peer: string): unknown {
	const isUnknownPeer =
		isGatewayError(error, backboneErrors.recordNotFound.code) &&
		error.message.includes('Identity not found.');
	if (!isUnknownPeer) return error;
	return new GatewayError({
		code: backboneErrors.deletedOwner.code,
		kind: backboneErrors.deletedOwner.kind,
		message: `The Backbone does not know ${peer} (any more), so no relationship can be created.`,
		remedy: backboneErrors.deletedOwner.remedy,
		facts: error.facts,
		cause: error,
	});
}

/**
 * `docs/protocol/backbone-api.md` 14. Transitions are never repeated, because the
 * Backbone refuses a second one.
 */
export function createRelationshipResource(caller: BackboneCaller): RelationshipResource {
	const transition =
		(suffix: string) =>
		async (id: string, options?: CallOptions): Promise<WireRelationshipMetadata> =>
			transit(id, suffix, {}, options);
	const transit = (id: string, suffix: string, json: object, options?: CallOptions) =>
		sameObject(
			id,
			caller.result(
				{ method: 'PUT', path: `${root}/${pathId(id, 'REL')}/${suffix}`, json },
				wireRelationshipMetadataSchema,
				options,
			),
		);
	return {
		canCreate: async (peer, options) => {
			try {
				return await caller.result(
					{ method: 'GET', path: `${root}/CanCreate`, query: [['peer', peer]] },
					canCreateRelationshipSchema,
					options,
				);
			} catch (error) {
				throw asDeletedOwner(error, peer);
			}
		},
		create: (body, options) =>
			caller.result(
				{ method: 'POST', path: root, json: body },
				wireRelationshipMetadataSchema,
				options,
			),
		get: async (id, options) =>
			sameObject(
				id,
				caller.result(
					{
						method: 'GET',
						path: `${root}/${pathId(id, 'REL')}`,
						maxAnswerBytes: answerLimits.twoContents,
					},
					wireRelationshipSchema,
					options,
				),
			),
		list: async (ids, options) =>
			readListed(
				caller,
				{ method: 'GET', path: root, maxAnswerBytes: answerLimits.page },
				wireRelationshipSchema,
				ids,
				(id) => [['ids', pathId(id, 'REL')]],
				options,
			),
		accept: async (id, creationResponseContent, options) =>
			transit(id, 'Accept', { creationResponseContent }, options),
		reject: transition('Reject'),
		revoke: transition('Revoke'),
		terminate: transition('Terminate'),
		requestReactivation: transition('Reactivate'),
		acceptReactivation: transition('Reactivate/Accept'),
		rejectReactivation: transition('Reactivate/Reject'),
		revokeReactivation: transition('Reactivate/Revoke'),
		decompose: transition('Decompose'),
	};
}
