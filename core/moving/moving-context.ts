import { systemClock } from '../base/clock';
import { systemRandom } from '../base/random';
import { HttpBackbone } from '../backbone/http-backbone';
import type { AccountHome } from '../store/account-home';
import { accountHome, type StoreDependencies } from '../store/open-store';
import type { AccountPlace, MovingDependencies } from './moving-types';

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
