import * as z from 'zod';
import { instantSchema } from '../model/instant';

/**
 * Payloads of the external events that cause changes in this account (docs/protocol/backbone-api.md
 * 12.2).
 */
const relationshipPayload = z.object({ relationshipId: z.string() });
const deletionProcessPayload = z.object({ deletionProcessId: z.string() });
const peerDeletionPayload = relationshipPayload.extend({ deletionDate: instantSchema });

export const externalEventPayloads = {
	MessageReceived: z.object({ id: z.string() }),
	MessageDelivered: z.object({ id: z.string() }),
	RelationshipStatusChanged: relationshipPayload,
	RelationshipReactivationRequested: relationshipPayload,
	RelationshipReactivationCompleted: relationshipPayload,
	PeerToBeDeleted: peerDeletionPayload,
	PeerDeletionCancelled: relationshipPayload,
	PeerDeleted: peerDeletionPayload,
	FileOwnershipLocked: z.object({ fileId: z.string() }),
	FileOwnershipClaimed: z.object({ fileId: z.string(), newOwnerAddress: z.string() }),
	IdentityDeletionProcessStarted: deletionProcessPayload,
	IdentityDeletionProcessStatusChanged: deletionProcessPayload,
	RelationshipTemplateAllocationsExhausted: z.object({ relationshipTemplateId: z.string() }),
} as const satisfies Record<string, z.ZodType>;

export type ExternalEventType = keyof typeof externalEventPayloads;

export type ExternalEventPayload<Type extends ExternalEventType> = z.infer<
	(typeof externalEventPayloads)[Type]
>;

export function isExternalEventType(type: string): type is ExternalEventType {
	return Object.hasOwn(externalEventPayloads, type);
}
