import type { Store } from '../../core/store/store';
import type { TestClock } from '../support/clock';
import { eventPromises } from './store/events';
import { fieldPromises } from './store/fields';
import { accountStatePromises } from './store/account-state';
import { listenerPromises } from './store/listeners';
import { numberPromises } from './store/numbers';
import { openWorkPromises } from './store/open-work';
import { pagePromises } from './store/pages';
import { queryPromises } from './store/queries';
import { queryLimitPromises } from './store/query-limits';
import { recordPromises } from './store/records';
import { scanPromises } from './store/scans';
import { searchPromises } from './store/searches';
import { textPromises } from './store/texts';
import { transactionPromises } from './store/transactions';
import { wholeListPromises } from './store/whole-lists';

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
		queryLimitPromises,
		pagePromises,
		wholeListPromises,
		scanPromises,
		searchPromises,
		textPromises,
		transactionPromises,
		eventPromises,
		fieldPromises,
		listenerPromises,
		accountStatePromises,
	]);
	describePromises(name, () => openHost('store'), [openWorkPromises, numberPromises]);
}

export function describePromises(
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
