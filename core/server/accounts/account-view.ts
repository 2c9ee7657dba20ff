import type { Cancellable } from '../../base/abort';
import type { HostedAccountSettings } from '../config/hosted-account-settings';

export const hostedStates = ['starting', 'running', 'failed', 'paused', 'deleting'] as const;
/** Whether an account is open, and if not, why. */
export type HostedState = (typeof hostedStates)[number];

/** Why an account could not be opened; it is tried again. */
export interface OpeningFailure {
	/** code of the error */
	readonly code: string;
	/** what is wrong */
	readonly message: string;
	/** what to do */
	readonly remedy?: string | undefined;
	/** ISO time of the failure */
	readonly at: string;
}

/** Account of the HTTP gateway, as administrators see it. */
export interface HostedAccountView {
	readonly name: string;
	readonly state: HostedState;
	/** address of the identity; absent while the account is not open */
	readonly address?: string | undefined;
	readonly failure?: OpeningFailure | undefined;
	/** where the settings of the account are */
	readonly source: 'configuration' | 'stored';
}

/** Changes of an account; absent groups of its settings stay as they are. */
export interface HostedAccountChange {
	readonly isPaused?: boolean;
	readonly settings?: HostedAccountSettings;
}

/** What administrators do with the accounts besides the default one; see `AccountHost`. */
export interface HostedAccounts {
	list(options?: Cancellable): Promise<HostedAccountView[]>;
	get(name: string, options?: Cancellable): Promise<HostedAccountView>;
	create(
		name: string,
		settings: HostedAccountSettings,
		options?: Cancellable & { readonly openExisting?: boolean },
	): Promise<HostedAccountView>;
	change(
		name: string,
		change: HostedAccountChange,
		options?: Cancellable,
	): Promise<HostedAccountView>;
	delete(name: string, confirmation: string, options?: Cancellable): Promise<void>;
}
