import { isGatewayError } from '../../base/errors';
import type { CallOptions, RelationshipResource } from '../port/backbone';
import { answerLimits, type BackboneCaller } from '../http/backbone-caller';
import { backboneErrors } from '../backbone-errors';
import {
	canCreateRelationshipSchema,
	wireRelationshipMetadataSchema,
	wireRelationshipSchema,
	type WireRelationshipMetadata,
} from '../dto/relationship';
import { get, listByIds, post, put } from './calls';
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
	return backboneErrors.create('deletedOwner', {
		message: `The Backbone does not know ${peer} (any more), so no relationship can be created.`,
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
	const transit = (id: string, suffix: string, json: object, options?: CallOptions) => {
		const call = put(`${root}/${pathId(id, 'REL')}/${suffix}`, json);
		return sameObject(id, caller.result(call, wireRelationshipMetadataSchema, options));
	};
	return {
		canCreate: async (peer, options) => {
			const call = get(`${root}/CanCreate`, { query: [['peer', peer]] });
			try {
				return await caller.result(call, canCreateRelationshipSchema, options);
			} catch (error) {
				throw asDeletedOwner(error, peer);
			}
		},
		create: (body, options) =>
			caller.result(post(root, body), wireRelationshipMetadataSchema, options),
		get: async (id, options) => {
			const call = get(`${root}/${pathId(id, 'REL')}`, {
				maxAnswerBytes: answerLimits.twoContents,
			});
			return await sameObject(id, caller.result(call, wireRelationshipSchema, options));
		},
		list: async (ids, options) =>
			listByIds(
				caller,
				{ path: root, prefix: 'REL', schema: wireRelationshipSchema },
				ids,
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
