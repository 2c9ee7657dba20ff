import { silentLogger } from '../../../core/base/logger';
import { abandonedMarks, SyncRunMarker } from '../../../core/sync/sync-run-marker';
import type { Store } from '../../../core/store/store';
import { TestClock } from '../../support/clock';
import { openMemoryStore } from '../../support/store';
import { until } from '../../support/until';

const markMs = 30_000;

let clock: TestClock;
let store: Store;
let marker: SyncRunMarker;
let transactions: number;

beforeEach(async () => {
	jest.useFakeTimers({ advanceTimers: true, doNotFake: ['nextTick', 'setImmediate', 'Date'] });
	clock = new TestClock();
	store = await openMemoryStore(clock);
	marker = new SyncRunMarker(store, 'own', silentLogger, markMs);
	transactions = 0;
});
afterEach(async () => {
	await marker.remove(() => Promise.resolve());
	await store.close();
	jest.useRealTimers();
});

const marks = async (): Promise<unknown[]> =>
	(await store.read((tx) => tx.leases.list())).map(({ name, holder, isExpired }) => [
		...[name, holder, isExpired],
	]);

const remove = (): Promise<void> =>
	marker.remove(() => {
		transactions++;
		return Promise.resolve();
	});

describe('the mark of a process that syncs', () => {
	it('is set once, prolonged, and removed', async () => {
		await marker.set({});
		expect(await marks()).toEqual([['sync-run:own', 'own', false]]);
		clock.advance(markMs + 1);
		expect(await marks()).toEqual([['sync-run:own', 'own', true]]);
		await marker.set({});
		expect(await marks()).toEqual([['sync-run:own', 'own', true]]);
		jest.advanceTimersByTime(markMs / 3);
		await until(async () => (await marks()).every((mark) => !(mark as unknown[])[2]));
		await remove();
		expect(await marks()).toEqual([]);
		expect(transactions).toBe(1);
	});

	it('is not prolonged after it was removed', async () => {
		await marker.set({});
		await remove();
		jest.advanceTimersByTime(markMs);
		await store.read((tx) => tx.leases.list());
		expect(await marks()).toEqual([]);
		await remove();
		expect(transactions).toBe(1);
	});

	it('is set anew after it was removed', async () => {
		await marker.set({});
		await remove();
		await marker.set({});
		expect(await marks()).toEqual([['sync-run:own', 'own', false]]);
	});

	it('stays if what goes with its removal fails', async () => {
		await marker.set({});
		const failing = marker.remove(() => Promise.reject(new Error('failed')));
		await expect(failing).rejects.toThrow('failed');
		expect(await marks()).toHaveLength(1);
	});

	it('of another process is abandoned once it has expired', () => {
		const lease = (name: string, holder: string, isExpired: boolean) => ({
			...{ name, holder, isExpired, expiresAt: '' },
		});
		const abandoned = lease('sync-run:gone', 'gone', true);
		const all = [
			lease('sync-run:own', 'own', true),
			lease('sync-run:alive', 'alive', false),
			lease('sync', 'gone', true),
			abandoned,
		];
		expect(abandonedMarks(all, 'own')).toEqual([abandoned]);
	});
});
