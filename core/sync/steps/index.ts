import { safeParse } from '../../base/schema-parse';
import type { Cancellable } from '../../base/abort';
import type { InboxEvent } from '../../model/record/sync';
import {
	externalEventPayloads,
	isExternalEventType,
	type ExternalEventType,
} from '../external-events';
import { syncErrors } from '../sync-errors';
import { deletionProcessChanged } from './deletion-process';
import { fileOwnershipClaimed, fileOwnershipLocked } from './file-ownership';
import { messageDelivered, messageReceived } from './messages';
import { peerDeletionStep } from './peer-deletion';
import { relationshipChanged } from './relationship-changed';
import type { Apply, Prefetched, Step, StepServices } from './step';

/**
 * Reports that the last allocation of an own template was used; unknown templates are ignored
 * (transport 14).
 */
const templateAllocationsExhausted: Step<'RelationshipTemplateAllocationsExhausted'> = ({
	payload,
	services,
}) =>
	Promise.resolve(async (tx) => {
		await services.templates.publishExhausted(tx, payload.relationshipTemplateId);
		return {};
	});

/**
 * Steps by type of external event (docs/protocol/transport.md 14); add rows for further types here.
 */
const steps: { [Type in ExternalEventType]: Step<Type> } = {
	MessageReceived: messageReceived,
	MessageDelivered: messageDelivered,
	RelationshipStatusChanged: relationshipChanged(undefined),
	RelationshipReactivationRequested: relationshipChanged(
		'transport.relationshipReactivationRequested',
	),
	RelationshipReactivationCompleted: relationshipChanged(
		'transport.relationshipReactivationCompleted',
	),
	PeerToBeDeleted: peerDeletionStep('ToBeDeleted'),
	PeerDeletionCancelled: peerDeletionStep(undefined),
	PeerDeleted: peerDeletionStep('Deleted'),
	FileOwnershipLocked: fileOwnershipLocked,
	FileOwnershipClaimed: fileOwnershipClaimed,
	IdentityDeletionProcessStarted: deletionProcessChanged,
	IdentityDeletionProcessStatusChanged: deletionProcessChanged,
	RelationshipTemplateAllocationsExhausted: templateAllocationsExhausted,
};

/** Prepares the step of an event: everything that needs the network. */
export async function prepareStep(
	event: InboxEvent,
	services: StepServices,
	prefetched: Prefetched,
	options: Cancellable,
): Promise<Apply> {
	if (event.type === '') {
		throw syncErrors.create('malformedEvent', {
			message: 'The Backbone sent an event whose type cannot be read.',
			facts: { eventId: event.id },
		});
	}
	// Unknown types are acknowledged, because newer Backbones send further types (transport 20.6).
	if (!isExternalEventType(event.type)) return () => Promise.resolve({});
	const parsed = safeParse(externalEventPayloads[event.type], event.payload);
	if (!parsed.success) {
		throw syncErrors.create('malformedEvent', {
			message: `The Backbone sent a '${event.type}' event with an unusable payload.`,
			facts: { eventId: event.id, type: event.type },
			cause: parsed.error,
		});
	}
	const step = steps[event.type] as Step<ExternalEventType>;
	const { leftPeers = [] } = event;
	// Step and payload have the same type of event, which is known at run time only.
	return await step({ payload: parsed.data, services, prefetched, leftPeers }, options);
}
