import type { Clock } from '../base/clock';
import type { Random } from '../base/random';
import type { Backbone } from '../backbone/port/backbone';
import type { StoreConfig } from '../config';

/** Place of an account in a store, with the secrets that open or seal it there. */
export interface AccountPlace {
	readonly account: string;
	readonly store: StoreConfig;
	readonly passphrase?: string | undefined;
	/** client secret last used with the account; proves ownership if there is no passphrase */
	readonly clientSecret?: string | undefined;
	/** whether contents are sealed in an account created there; defaults to the configuration */
	readonly sealContents?: boolean | undefined;
}

/** Report about a copied and verified account. */
export interface CopyReport {
	readonly address: string;
	readonly from: string;
	readonly to: string;
	/** number of rows by section; empty sections are absent */
	readonly counts: Readonly<Record<string, number>>;
	readonly digest: string;
	/** true if this call completed an interrupted one */
	readonly resumed: boolean;
}

/** Access to the Backbone for the test login of a copy. */
export interface BackboneClient {
	readonly clientId: string;
	readonly clientSecret: string;
	/** replaces the address with which the account was created */
	readonly baseUrl?: string | undefined;
}

export interface TransferOptions {
	readonly clock?: Clock;
	readonly random?: Random;
	readonly environment?: NodeJS.ProcessEnv;
	/** replaces HTTP as the transport */
	readonly openBackbone?: (client: BackboneClient & { readonly baseUrl: string }) => Backbone;
	/** receives a plain sentence about each step */
	readonly onStep?: (sentence: string) => void;
}
