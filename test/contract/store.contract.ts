import type { Store } from '../../core/store/store';
import type { TestClock } from '../support/clock';
import { eventPromises } from './store/events';
import { lifePromises } from './store/life';
import { numberPromises } from './store/numbers';
import { openWorkPromises } from './store/open-work';
import { queryPromises } from './store/queries';
import { recordPromises } from './store/records';
import { textPromises } from './store/texts';
import { transactionPromises } from './store/transactions';

/** One fresh account in a backend. */
export interface StoreHost {
	readonly store: Store;
	/** the clock that the store was opened with */
	readonly clock: TestClock;
	close(): Promise<void>;
}

/** Hands out the store of the running test. */
export type HostOfTest = () => StoreHost;

/**
 * @param whatIsNew a store that was just opened holds no numbers in reserve and has seen no clock; an account
 *   that is only empty may have been in use
 */
type OpenHost = (whatIsNew: 'store' | 'account') => Promise<StoreHost>;

/** The promises of `core/store/store.ts`, for every backend alike. */
export function describeStoreContract(name: string, openHost: OpenHost): void {
	describePromises(name, () => openHost('account'), [
		recordPromises,
		queryPromises,
		textPromises,
		transactionPromises,
		eventPromises,
		lifePromises,
	]);
	describePromises(name, () => openHost('store'), [openWorkPromises, numberPromises]);
}

function describePromises(
	name: string,
	openHost: () => Promise<StoreHost>,
	promises: ReadonlyArray<(host: HostOfTest) => void>,
): void {
	describe(name, () => {
		let host: StoreHost;

		beforeEach(async () => {
			host = await openHost();
		});

		afterEach(async () => {
			await host.close();
		});

		for (const describeThem of promises) describeThem(() => host);
	});
}
