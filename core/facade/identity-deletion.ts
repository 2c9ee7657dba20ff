import type { Cancellable } from '../base/abort';
import type { InitiateDeletionInput } from '../model/input/identity';
import type { IdentityDeletionProcessDto } from '../model/record/deletion-process';

/**
 * Deletion of this identity (transport 11). During the grace period, the account cannot sync or
 * send. After it, every call to the Backbone fails with `error.gateway.identity.deleted`; the
 * stored data stays readable until a person removes it.
 */
export interface IdentityDeletionUseCases {
	/** `lengthOfGracePeriodInDays`: 0 to 3650, fractions allowed; the Backbone's default is 14. */
	initiate(
		input?: InitiateDeletionInput,
		options?: Cancellable,
	): Promise<IdentityDeletionProcessDto>;
	/**
	 * Cancels the running deletion; possible until the grace period ends.
	 *
	 * @throws `error.runtime.identityDeletionProcess.noApprovedIdentityDeletionProcess`
	 */
	cancel(options?: Cancellable): Promise<IdentityDeletionProcessDto>;
	/** Approves a deletion that the operator started, on Backbones up to 6.56. */
	approve(options?: Cancellable): Promise<IdentityDeletionProcessDto>;
	/** Rejects a deletion that the operator started, on Backbones up to 6.56. */
	reject(options?: Cancellable): Promise<IdentityDeletionProcessDto>;
	/**
	 * Returns the process that waits for approval or is approved.
	 *
	 * @throws `error.runtime.identityDeletionProcess.noActiveIdentityDeletionProcess`
	 */
	getActive(options?: Cancellable): Promise<IdentityDeletionProcessDto>;
	/**
	 * Returns one process, running or ended.
	 *
	 * @throws `error.runtime.recordNotFound`
	 */
	get(id: string, options?: Cancellable): Promise<IdentityDeletionProcessDto>;
	/** Running and former processes, oldest first. */
	list(options?: Cancellable): Promise<IdentityDeletionProcessDto[]>;
}

export type { InitiateDeletionInput } from '../model/input/identity';
