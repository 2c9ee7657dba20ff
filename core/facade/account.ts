import type { Cancellable } from '../base/abort';
import type { LoadReferenceInput } from '../model/input/token';
import type { IdentityDeletionProcessDto } from '../model/record/deletion-process';
import type { FileDto } from '../model/record/file';
import type { IdentityDto } from '../model/record/identity';
import type { LoadedItemDto } from '../model/record/loaded-item';
import type { MessageDto } from '../model/record/message';
import type { ReconcileInput, ReconciliationDto } from '../model/record/reconciliation';
import type { RelationshipDto } from '../model/record/relationship';
import type { ExternalEventFailure, SyncStatusDto } from '../model/record/sync';

/** The account as a whole: its identity, its sync with the Backbone, and its connection. */
export interface AccountUseCases {
	/** Returns address and public key of this identity. */
	getIdentity(options?: Cancellable): Promise<IdentityDto>;
	/** Fetches and applies all new events; joins a sync that is running in this process. */
	sync(options?: Cancellable): Promise<SyncOutcome>;
	/** Returns when the account last synced, what failed, and what still waits. */
	getSyncStatus(options?: Cancellable): Promise<SyncStatusDto>;
	/**
	 * Compares the account with the lists of the Backbone, as every day, and applies what no event
	 * announced. `full` reads every list from its beginning.
	 *
	 * @throws `error.gateway.sync.notReconciled`
	 */
	reconcile(input?: ReconcileInput, options?: Cancellable): Promise<ReconciliationDto>;
	/**
	 * Asks the Backbone for its version, whether it accepts the credentials of this
	 * identity, and for the clock skew.
	 */
	checkConnection(options?: Cancellable): Promise<ConnectionDto>;
	/** Loads the object behind a `reference` of any kind; `password` for a protected one. */
	loadItemFromReference(input: LoadReferenceInput, options?: Cancellable): Promise<LoadedItemDto>;
	/** Asks the Backbone anonymously whether this identity was deleted. */
	checkIfDeleted(options?: Cancellable): Promise<IdentityDeletionStateDto>;
}

/** `deletionDate`: the end of the grace period, or the time at which all data was erased. */
export interface IdentityDeletionStateDto {
	/** true once the grace period is over, or all data was erased */
	readonly isDeleted: boolean;
	/** ISO time; absent if the identity is not deleted */
	readonly deletionDate?: string;
}

/** Objects that a sync changed, in processing order, each once in its newest state. */
export interface SyncOutcome {
	/** relationships that are new or have changed */
	readonly relationships: RelationshipDto[];
	/** messages that arrived or were delivered */
	readonly messages: MessageDto[];
	/** own files that were locked or taken over */
	readonly files: FileDto[];
	/** processes of this identity whose status changed */
	readonly identityDeletionProcesses: IdentityDeletionProcessDto[];
	/** external events that could not be applied yet; they are kept and retried */
	readonly pendingFailures: ExternalEventFailure[];
}

/** Result of {@link AccountUseCases.checkConnection}. */
export interface ConnectionDto {
	/** major version that the Backbone reports */
	readonly backboneVersion: number;
	/** true if the Backbone accepts the credentials of this identity */
	readonly authenticated: boolean;
	/** Backbone clock minus local clock, in milliseconds */
	readonly clockSkewMs: number;
}

export type { ReconcileInput };
