import { systemClock, type Clock } from '../base/clock';
import { systemRandom, type Random } from '../base/random';
import type { Backbone } from '../backbone/backbone';
import { HttpBackbone } from '../backbone/http-backbone';
import type { StoreConfig } from '../gateway-config';
import type { AccountHome, HomeProof } from '../store/account-home';
import { accountHome, type StoreDependencies } from '../store/open-store';

/** An account's place in a store, and what opens or seals it there. */
export interface AccountPlace extends HomeProof {
	readonly account: string;
	readonly store: StoreConfig;
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

/** What all parts of a move share. */
export interface MovingContext extends StoreDependencies {
	readonly openBackbone: NonNullable<MovingDependencies['openBackbone']>;
	readonly step: (sentence: string) => void;
	home(place: Pick<AccountPlace, 'account' | 'store'>): AccountHome;
}

export function movingContext(deps: MovingDependencies): MovingContext {
	const { clock = systemClock, random = systemRandom, environment = process.env } = deps;
	const storeDeps = { clock, random, environment };
	return {
		...storeDeps,
		openBackbone:
			deps.openBackbone ?? ((client) => HttpBackbone.open({ ...client, clock, random })),
		step: deps.onStep ?? (() => undefined),
		home: (place) => accountHome(place, storeDeps),
	};
}
