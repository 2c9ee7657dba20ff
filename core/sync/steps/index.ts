import type { Cancellable } from '../../base/abort';
import type { WireMessage } from '../../backbone/dto';
import type { FileOwnership } from '../../domain/file/file-ownership';
import type { IdentityDeletionService } from '../../domain/identity/identity-deletion';
import type { MessageService } from '../../domain/message/message-service';
import type { RelationshipService } from '../../domain/relationship/relationship-service';
import type { TemplateService } from '../../domain/template/template-service';
import type { InboxEvent } from '../../model/record/sync';
import type { WriteTransaction } from '../../store/store';
import {
	externalEventPayloads,
	isExternalEventType,
	type ExternalEventPayload,
	type ExternalEventType,
} from '../external-events';
import { syncErrors } from '../sync-errors';
import { deletionProcessChanged } from './deletion-process';
import { fileOwnershipClaimed, fileOwnershipLocked } from './file-ownership';
import { messageDelivered } from './message-delivered';
import { messageReceived } from './message-received';
import { peerDeletionStep } from './peer-deletion';
import { relationshipChanged } from './relationship-changed';
import { templateAllocationsExhausted } from './template-allocations-exhausted';

export interface StepServices {
	readonly relationships: RelationshipService;
	readonly messages: MessageService;
	readonly templates: TemplateService;
	readonly fileOwnership: FileOwnership;
	readonly identityDeletion: IdentityDeletionService;
}

/** What an event changed, for the report of the sync. */
export interface Touched {
	readonly relationshipId?: string;
	readonly messageId?: string;
	readonly fileId?: string;
	readonly deletionProcessId?: string;
}

/** The second half of a step: runs inside the transaction that marks the event done. */
export type Apply = (tx: WriteTransaction) => Promise<Touched>;

export interface StepInput<Type extends ExternalEventType> {
	readonly payload: ExternalEventPayload<Type>;
	readonly services: StepServices;
	readonly messages: ReadonlyMap<string, WireMessage>;
	/** marks of the peers that we have left while the event waited */
	readonly leftPeers: readonly string[];
}

export type Step<Type extends ExternalEventType> = (
	input: StepInput<Type>,
	options: Cancellable,
) => Promise<Apply>;

/** Effects of docs/protocol/transport.md 14; a later noun adds its rows here. */
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

/** The first half of the event's step: everything that needs the network. */
export async function prepareStep(
	event: InboxEvent,
	services: StepServices,
	messages: ReadonlyMap<string, WireMessage>,
	options: Cancellable,
): Promise<Apply> {
	if (event.type === '') {
		throw syncErrors.create('malformedEvent', {
			message: 'The Backbone sent an event whose type cannot be read.',
			facts: { eventId: event.id },
		});
	}
	// Unknown types are acknowledged: newer Backbones send more than we know (transport 20.6).
	if (!isExternalEventType(event.type)) return () => Promise.resolve({});
	const parsed = externalEventPayloads[event.type].safeParse(event.payload);
	if (!parsed.success) {
		throw syncErrors.create('malformedEvent', {
			message: `The Backbone sent a '${event.type}' event with an unusable payload.`,
			facts: { eventId: event.id, type: event.type },
			cause: parsed.error,
		});
	}
	const step = steps[event.type] as Step<ExternalEventType>;
	const { leftPeers = [] } = event;
	return await step({ payload: parsed.data, services, messages, leftPeers } as never, options);
}
