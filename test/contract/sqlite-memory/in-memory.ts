import { TestClock } from '../../support/clock';
import { openMemoryStore } from '../../support/store';
import { describePromises, type HostOfTest } from '../store.contract';

/** Promises of the contract for stores in memory; each group has a test file of its own, which is quick. */
export function describeInMemory(...promises: ReadonlyArray<(host: HostOfTest) => void>): void {
	describe.each([
		['with contents sealed', true],
		['with contents in clear', false],
	])('SQLite in memory, %s', (_name, sealsContents) => {
		const openHost = async () => {
			const clock = new TestClock();
			const store = await openMemoryStore(clock, undefined, sealsContents);
			return { store, clock, close: () => store.close() };
		};
		describePromises('a store', openHost, promises);
	});
}
