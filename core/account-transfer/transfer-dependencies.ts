import { systemClock } from '../base/clock';
import { systemRandom } from '../base/random';
import { HttpBackbone } from '../backbone/http/http-backbone';
import type { AccountHome } from '../store/account/account-home';
import type { StoreDependencies } from '../store/account/account-store';
import { accountHome } from '../store/open-store';
import type { AccountPlace, TransferOptions } from './transfer-types';

/** Dependencies of all steps of a transfer. */
export interface TransferDependencies extends StoreDependencies {
	readonly openBackbone: NonNullable<TransferOptions['openBackbone']>;
	readonly step: (sentence: string) => void;
	home(place: Pick<AccountPlace, 'account' | 'store'>): AccountHome;
}

export function transferDependencies(deps: TransferOptions): TransferDependencies {
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
