import type { AccountLife, ArrivingLife } from './account-life';
import type { NewSeal } from './account-proof';
import type { Store } from './store';

/** Who may open an existing account: its passphrase, or else the client secret it was last used with. */
export interface HomeProof {
	readonly passphrase?: string | undefined;
	readonly clientSecret?: string | undefined;
}

/** What can be seen of an account without proof. */
export interface HomeLook {
	readonly account: string;
	readonly life: AccountLife;
	/** absent until its identity is complete */
	readonly address: string | undefined;
}

/** The store of an account, open for who copies it, wherever it is in its life. */
export interface HomeStore extends Store {
	readonly clientSecretHash: string;
}

export interface HomeOpenOptions {
	/** Nobody else has it open, in any process, until it is closed. */
	readonly alone: boolean;
}

/**
 * One account's place in a store, as whoever moves it needs it; the backends are those of `openStore`.
 * `test/contract/home.contract.ts` states the promises.
 */
export interface AccountHome {
	/** How people name the place: kind, place and account, no secrets. Equal for the same place only. */
	readonly name: string;

	/** Needs no proof and changes nothing; undefined where there is no account. */
	look(): Promise<HomeLook | undefined>;

	/** The other accounts of the same store, by the same rules. */
	neighbours(): Promise<HomeLook[]>;

	/**
	 * Opens an existing account, whatever its life; takes over no changed client secret.
	 *
	 * @throws `error.gateway.store.openElsewhere`, and the codes of `openStore` about files and proof
	 */
	open(proof: HomeProof, options: HomeOpenOptions): Promise<HomeStore>;

	/**
	 * Creates an account without content that is not living, and opens it alone. What was left behind
	 * by a creation that died is used.
	 *
	 * @throws `error.gateway.store.openElsewhere`, and the codes of `openStore` about files
	 */
	create(seal: NewSeal, life: ArrivingLife): Promise<HomeStore>;

	/**
	 * Removes an account, whose life must be over or not begun. When the process dies in the middle, the account is
	 * still there or not there.
	 *
	 * @throws `error.gateway.store.openElsewhere`
	 */
	discard(): Promise<void>;
}
