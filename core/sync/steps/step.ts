import type { Cancellable } from '../../base/abort';
import type { WireMessage } from '../../backbone/dto';
import type { FileOwnership } from '../../domain/file/file-ownership';
import type { IdentityDeletionService } from '../../domain/identity/identity-deletion';
import type { MessageReceipt } from '../../domain/message/message-receipt';
import type { RelationshipService } from '../../domain/relationship/relationship-service';
import type { TemplateService } from '../../domain/template/template-service';
import type { WriteTransaction } from '../../store/store';
import type { ExternalEventPayload, ExternalEventType } from '../external-events';

export interface StepServices {
	readonly relationships: RelationshipService;
	readonly messageReceipt: MessageReceipt;
	readonly templates: TemplateService;
	readonly fileOwnership: FileOwnership;
	readonly identityDeletion: IdentityDeletionService;
}

/** Ids of the records that an event changed, for the report of the sync. */
export interface ChangedIds {
	readonly relationshipId?: string;
	readonly messageId?: string;
	readonly fileId?: string;
	readonly deletionProcessId?: string;
}

/** Second half of a step, which runs inside the transaction that marks the event done. */
export type Apply = (tx: WriteTransaction) => Promise<ChangedIds>;

/** Work of steps that was done for several events together. */
export interface Prefetched {
	/** messages by id */
	readonly messages: ReadonlyMap<string, WireMessage>;
	/** senders about whose planned deletion the Backbone was asked */
	readonly reviewedSenders: ReadonlySet<string>;
}

export interface StepInput<Type extends ExternalEventType> {
	readonly payload: ExternalEventPayload<Type>;
	readonly services: StepServices;
	readonly prefetched: Prefetched;
	/** hashed addresses of peers that were decomposed while the event waited */
	readonly leftPeers: readonly string[];
}

export type Step<Type extends ExternalEventType> = (
	input: StepInput<Type>,
	options: Cancellable,
) => Promise<Apply>;
