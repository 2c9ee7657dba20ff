import type { Clock } from '../base/clock';
import type { Random } from '../base/random';
import type { Backbone } from '../backbone/backbone';
import type { StoreConfig } from '../gateway-config';

/** An account's place in a store, and what opens or seals it there. */
export interface AccountPlace {
	readonly account: string;
	readonly store: StoreConfig;
	readonly passphrase?: string | undefined;
	/** the one that the account was last used with; proves it where there is no passphrase */
	readonly clientSecret?: string | undefined;
	/** whether contents are sealed in an account that is made there; its default is the configuration's */
	readonly sealContents?: boolean | undefined;
}

/** What was copied, and proven. */
export interface CopyReport {
	readonly address: string;
	readonly from: string;
	readonly to: string;
	/** rows of each section that has some */
	readonly counts: Readonly<Record<string, number>>;
	readonly digest: string;
	/** whether this call ended what a former one had begun */
	readonly resumed: boolean;
}

/** Who logs in at the Backbone to prove a copy. */
export interface BackboneClient {
	readonly clientId: string;
	readonly clientSecret: string;
	/** another address than the one that the account was created with */
	readonly baseUrl?: string | undefined;
}

export interface MovingDependencies {
	readonly clock?: Clock;
	readonly random?: Random;
	readonly environment?: NodeJS.ProcessEnv;
	/** another transport than HTTP */
	readonly openBackbone?: (client: BackboneClient & { readonly baseUrl: string }) => Backbone;
	/** told in a plain sentence what is being done */
	readonly onStep?: (sentence: string) => void;
}
