import type { Cancellable } from '../base/abort';
import type { IdentityDeletionProcessDto } from '../model/record/deletion-process';
import type { FileDto } from '../model/record/file';
import type { IdentityDto } from '../model/record/identity';
import type { LoadedItemDto } from '../model/record/loaded-item';
import type { MessageDto } from '../model/record/message';
import type { ReconciliationDto } from '../model/record/reconciliation';
import type { RelationshipDto } from '../model/record/relationship';
import type { SyncStatusDto } from '../model/record/sync';

export interface AccountUseCases {
	getIdentity(options?: Cancellable): Promise<IdentityDto>;
	/** Fetches and applies all new events; joins a sync that is running in this process. */
	sync(options?: Cancellable): Promise<SyncOutcome>;
	getSyncStatus(options?: Cancellable): Promise<SyncStatusDto>;
	/**
	 * Compares the account with the lists of the Backbone, as every day, and applies what no event
	 * announced. `full` reads every list from its beginning.
	 *
	 * @throws `error.gateway.sync.notReconciled`
	 */
	reconcile(input?: unknown, options?: Cancellable): Promise<ReconciliationDto>;
	/**
	 * Asks the Backbone for its version, whether it accepts the credentials of this
	 * identity, and for the clock skew.
	 */
	checkConnection(options?: Cancellable): Promise<ConnectionDto>;
	/** Loads the object behind a `reference` of any kind; `password` for a protected one. */
	loadItemFromReference(input: unknown, options?: Cancellable): Promise<LoadedItemDto>;
	/** Asks the Backbone anonymously whether this identity was deleted. */
	checkIfDeleted(options?: Cancellable): Promise<IdentityDeletionStateDto>;
}

/** `deletionDate`: the end of the grace period, or the time at which all data was erased. */
export interface IdentityDeletionStateDto {
	readonly isDeleted: boolean;
	readonly deletionDate?: string;
}

/** Objects that a sync changed, in processing order, each once in its newest state. */
export interface SyncOutcome {
	readonly relationships: RelationshipDto[];
	readonly messages: MessageDto[];
	readonly files: FileDto[];
	readonly identityDeletionProcesses: IdentityDeletionProcessDto[];
	/** external events that could not be applied yet; they are kept and retried */
	readonly pendingFailures: Array<{ eventId: string; type: string; code: string; message: string }>;
}

export interface ConnectionDto {
	readonly backboneVersion: number;
	readonly authenticated: boolean;
	/** Backbone clock minus local clock, in milliseconds */
	readonly clockSkewMs: number;
}
