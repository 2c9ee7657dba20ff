import type { Cancellable } from '../../base/abort';
import type { HostedAccountRecord } from '../../model/record/http/hosted-account';

/** Account that `serve` opens besides the default one, with its settings. */
export interface HostedAccount extends HostedAccountRecord {
	/** settings in the form of the configuration file, as JSON; empty for a configured account */
	readonly settings: string;
}

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
	list(options?: Cancellable): Promise<HostedAccount[]>;
	/**
	 * Stores an account.
	 *
	 * @throws `error.gateway.accounts.exists`, `error.gateway.accounts.tooMany`
	 */
	add(
		account: { readonly name: string; readonly settings: string },
		options?: Cancellable,
	): Promise<HostedAccount>;
	/** Changes what is stored about an account, which the configuration may name. */
	change(name: string, changes: HostedAccountChanges, options?: Cancellable): Promise<void>;
	/** Removes what is stored about an account. */
	remove(name: string, options?: Cancellable): Promise<void>;
}
