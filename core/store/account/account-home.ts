import type { AccountState, ArrivingState } from './account-state';
import type { NewSeal } from './account-proof';
import type { Store } from '../store';

/**
 * Proof that the caller may open an existing account: its passphrase, or else the client secret
 * with which it was last used.
 */
export interface HomeProof {
	readonly passphrase?: string | undefined;
	readonly clientSecret?: string | undefined;
}

/** Properties of an account that are visible without proof. */
export interface HomeLook {
	readonly account: string;
	readonly accountState: AccountState;
	/** address of the identity; absent until its creation is complete */
	readonly address: string | undefined;
}

/** Store of an account for code that copies the account, in any state. */
export interface HomeStore extends Store, AsyncDisposable {
	readonly clientSecretHash: string;
}

export interface HomeOpenOptions {
	/**
	 * True if no other caller, in this or another process, may have the account open until it is
	 * closed.
	 */
	readonly alone: boolean;
}

/**
 * Place of one account in a store, for code that moves the account. `openStore` has the same
 * backends: SQLite and PostgreSQL. `test/contract/home.contract.ts` states the promises.
 */
export interface AccountHome {
	/**
	 * Name of the place in messages: kind, place and account, without secrets. Equal for the same
	 * place only.
	 */
	readonly name: string;

	/**
	 * Inspects the account without proof and without changes; undefined where there is no account.
	 */
	look(): Promise<HomeLook | undefined>;

	/** Inspects the other accounts of the same store, also without proof and without changes. */
	otherAccounts(): Promise<HomeLook[]>;

	/**
	 * Opens an existing account in any state; never stores a changed client secret.
	 *
	 * @throws `error.gateway.store.openElsewhere`, and the codes of `openStore` about files and proof
	 */
	open(proof: HomeProof, options: HomeOpenOptions): Promise<HomeStore>;

	/**
	 * Creates an empty account in the state `arriving` and opens it exclusively. Reuses files or
	 * tables that an interrupted creation has left.
	 *
	 * @throws `error.gateway.store.openElsewhere`, and the codes of `openStore` about files
	 */
	create(seal: NewSeal, accountState: ArrivingState): Promise<HomeStore>;

	/**
	 * Removes an account that is not living. If the process dies meanwhile, the account either still
	 * exists completely or is gone.
	 *
	 * @throws `error.gateway.store.openElsewhere`
	 */
	discard(): Promise<void>;
}
