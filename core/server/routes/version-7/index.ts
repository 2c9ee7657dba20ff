import { routeGroups } from '..';
import { attributes } from '../attributes';
import { challenges } from '../challenges';
import { events } from '../extensions/events';
import { files } from '../files';
import { identityDeletion } from '../identity-deletion';
import { incomingRequests } from '../incoming-requests';
import { filterSchema } from '../inputs';
import { messages } from '../messages';
import { outgoingRequests } from '../outgoing-requests';
import { relationships } from '../relationships';
import type { RouteGroup } from '../route';
import { templates } from '../templates';
import { tokens } from '../tokens';
import { attributesOfVersion7, relationshipAttributes } from './attributes';
import { requireTagsOfFile } from './file-tags';
import { inVersion7 } from './in-version-7';
import { withCreatedRequest } from './sent-requests';

/** Groups that differ, by the groups of version 6 (docs/protocol/connector-7.md 5 to 7). */
const changedGroups: ReadonlyMap<RouteGroup, RouteGroup> = new Map([
	[attributes, attributesOfVersion7],
	[challenges, inVersion7(challenges)],
	[events[6], events[7]],
	[
		files,
		inVersion7(files, {
			routes: {
				'POST /Files/Own': ({ handle }) => ({
					handle: async (call) => {
						await requireTagsOfFile(call);
						return await handle(call);
					},
				}),
			},
		}),
	],
	[
		identityDeletion,
		inVersion7(identityDeletion, {
			routes: {
				// Without a deletion in progress, both methods fail with the same code.
				'DELETE /IdentityDeletionProcess': ({ handle }) => ({
					handle: async (call) => {
						await call.facade.identityDeletion.getActive(call.options);
						return await handle(call);
					},
				}),
			},
		}),
	],
	[incomingRequests, inVersion7(incomingRequests, { hasContents: true })],
	[
		messages,
		inVersion7(messages, {
			hasContents: true,
			routes: {
				'POST /Messages': ({ handle }) => ({
					handle: async (call) => await handle({ ...call, body: await withCreatedRequest(call) }),
				}),
			},
		}),
	],
	[outgoingRequests, inVersion7(outgoingRequests, { hasContents: true })],
	[
		relationships,
		inVersion7(relationships, {
			hasContents: true,
			routes: {
				'GET /Relationships/:id/Attributes': () => relationshipAttributes,
				'GET /Relationships': () => ({
					filters: filterSchema(['peer', 'status', 'templateId', 'purpose']),
				}),
			},
		}),
	],
	[templates, inVersion7(templates, { hasContents: true })],
	[tokens, inVersion7(tokens)],
]);

/**
 * Table of the routes of version 7; the routes of the debug mode are included in it only.
 *
 * @see docs/protocol/connector-7.md
 */
export function routeGroupsOfVersion7(debug: boolean): readonly RouteGroup[] {
	return routeGroups(debug).map((group) => changedGroups.get(group) ?? group);
}
