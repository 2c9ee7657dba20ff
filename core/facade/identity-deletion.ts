import type { Cancellable } from '../base/abort';
import type { IdentityDeletionProcessDto } from '../model/record/deletion-process';

/**
 * Deletion of this identity (transport 11). During the grace period, the account cannot sync or
 * send. After it, every call to the Backbone fails with `error.gateway.identity.deleted`; the
 * stored data stays readable until a person removes it.
 */
export interface IdentityDeletionUseCases {
	/** `lengthOfGracePeriodInDays`: 0 to 3650, fractions allowed; the Backbone's default is 14. */
	initiate(input?: unknown, options?: Cancellable): Promise<IdentityDeletionProcessDto>;
	cancel(options?: Cancellable): Promise<IdentityDeletionProcessDto>;
	/** Approves a deletion that the operator started, on Backbones up to 6.56. */
	approve(options?: Cancellable): Promise<IdentityDeletionProcessDto>;
	/** Rejects a deletion that the operator started, on Backbones up to 6.56. */
	reject(options?: Cancellable): Promise<IdentityDeletionProcessDto>;
	getActive(options?: Cancellable): Promise<IdentityDeletionProcessDto>;
	get(id: string, options?: Cancellable): Promise<IdentityDeletionProcessDto>;
	/** Running and former processes, oldest first. */
	list(options?: Cancellable): Promise<IdentityDeletionProcessDto[]>;
}
