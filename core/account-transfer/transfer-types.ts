import type { Clock } from '../base/clock';
import type { Random } from '../base/random';
import type { Backbone } from '../backbone/port/backbone';
import type { StoreConfig } from '../config';

/** Place of an account in a store, with the secrets that open or seal it there. */
export interface AccountPlace {
	/** name of the account, as in the configuration */
	readonly account: string;
	/** store that contains the account, or gets it */
	readonly store: StoreConfig;
	/** passphrase that seals the secrets there; absent: the key file beside the SQLite file does */
	readonly passphrase?: string | undefined;
	/** client secret last used with the account; proves ownership if there is no passphrase */
	readonly clientSecret?: string | undefined;
	/** whether contents are sealed in an account created there; defaults to the configuration */
	readonly sealContents?: boolean | undefined;
}

/** Report about a copied and verified account. */
export interface CopyReport {
	/** address of the identity */
	readonly address: string;
	/** description of the source: a store, or `file:` and a path */
	readonly from: string;
	/** description of the destination: a store, or `file:` and a path */
	readonly to: string;
	/** number of rows by section; empty sections are absent */
	readonly counts: Readonly<Record<string, number>>;
	/** hash over all rows; copies with the same content have the same one */
	readonly digest: string;
	/** true if this call completed an interrupted one */
	readonly resumed: boolean;
}

/** Access to the Backbone for the test login of a copy. */
export interface BackboneClient {
	/** id of the client that the operator of the Backbone has given out */
	readonly clientId: string;
	/** secret of the client */
	readonly clientSecret: string;
	/** replaces the address with which the account was created */
	readonly baseUrl?: string | undefined;
}

/** What a program may replace or observe while accounts are copied. */
export interface TransferOptions {
	/** time source; the default is the clock of the system */
	readonly clock?: Clock;
	/** source of randomness; the default is the random generator of Node */
	readonly random?: Random;
	/** variables that name the default folder of SQLite files; the default is `process.env` */
	readonly environment?: NodeJS.ProcessEnv;
	/**
	 * replaces HTTP as the transport
	 *
	 * @internal
	 */
	readonly openBackbone?: (client: BackboneClient & { readonly baseUrl: string }) => Backbone;
	/** receives a plain sentence about each step */
	readonly onStep?: (sentence: string) => void;
}
