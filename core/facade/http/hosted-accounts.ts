import type { Cancellable } from '../../base/abort';
import type { HostedAccountDto } from '../../model/record/http/hosted-account';

/** Changes of an account; absent members stay as they are. */
export interface HostedAccountChanges {
	/** whether the account is closed and stays so */
	readonly isPaused?: boolean;
	/** true to delete what the store has of the account */
	readonly isBeingDeleted?: boolean;
	/** settings in the form of the configuration file, as JSON */
	readonly settings?: string;
}

/** What the default account stores about the other accounts of the HTTP gateway. */
export interface HostedAccountUseCases {
	/** Lists all of them, the oldest first. */
	list(options?: Cancellable): Promise<HostedAccountDto[]>;
	/**
	 * Stores an account.
	 *
	 * @throws `error.gateway.accounts.exists`, `error.gateway.accounts.tooMany`
	 */
	add(
		account: { readonly name: string; readonly settings: string },
		options?: Cancellable,
	): Promise<HostedAccountDto>;
	/** Changes what is stored about an account, which the configuration may name. */
	change(name: string, changes: HostedAccountChanges, options?: Cancellable): Promise<void>;
	/** Removes what is stored about an account. */
	remove(name: string, options?: Cancellable): Promise<void>;
}
