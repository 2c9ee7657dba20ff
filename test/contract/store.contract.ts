import type { Store } from '../../core/store/store';
import type { TestClock } from '../support/clock';
import { eventPromises } from './store/events';
import { lifePromises } from './store/life';
import { numberPromises } from './store/numbers';
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

/** The promises of `core/store/store.ts`, for every backend alike. */
export function describeStoreContract(name: string, openHost: () => Promise<StoreHost>): void {
	describe(name, () => {
		let host: StoreHost;

		beforeEach(async () => {
			host = await openHost();
		});

		afterEach(async () => {
			await host.close();
		});

		for (const promises of [
			recordPromises,
			queryPromises,
			textPromises,
			transactionPromises,
			eventPromises,
			numberPromises,
			lifePromises,
		]) {
			promises(() => host);
		}
	});
}
