import type { Cancellable } from '../base/abort';
import type { HostedAccountRecord } from '../model/record/hosted-account';

/** Account that `serve` opens besides the default one, with its settings. */
export interface HostedAccount extends HostedAccountRecord {
	/** settings in the form of the configuration file, as JSON; empty for a configured account */
	readonly settings: string;
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
	/** Pauses or resumes an account, which the configuration may name. */
	pause(name: string, isPaused: boolean, options?: Cancellable): Promise<void>;
	/** Notes that an account is to be deleted. */
	beginDeletion(name: string, options?: Cancellable): Promise<void>;
	/** Removes what is stored about an account. */
	remove(name: string, options?: Cancellable): Promise<void>;
}
