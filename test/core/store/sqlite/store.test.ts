import { disk } from '../../../support/disk/disk';
import { rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { systemClock } from '../../../../core/base/clock';
import { systemRandom } from '../../../../core/base/random';
import { openStore, type AccountStore } from '../../../../core/store/open-store';
import { fieldExamples } from '../../../support/fields/field-examples';
import { openMemoryStore, temporaryFolder, testAccount } from '../../../support/store';

const restAfterMs = 10_000;

describe('a store in SQLite', () => {
	let folder: string;
	let store: AccountStore;
	let closed: jest.SpyInstance;

	beforeEach(async () => {
		jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'Date'] });
		folder = temporaryFolder();
		store = await openStore(testAccount(folder), { clock: systemClock, random: systemRandom });
		await disk.settled();
		closed = jest.spyOn(DatabaseSync.prototype, 'close');
	});

	afterEach(async () => {
		await store.close();
		jest.restoreAllMocks();
		jest.useRealTimers();
		disk.reset();
		rmSync(folder, { recursive: true, force: true });
	});

	const { messages, files } = fieldExamples;
	const read = (): Promise<number> => store.read((tx) => tx.messages.count({}));
	const write = (): Promise<boolean> =>
		store.transact((tx) => tx.messages.insertIfNew(messages.full.record, messages.secrets));

	async function passTime(ms: number): Promise<void> {
		jest.advanceTimersByTime(ms);
		await disk.settled();
	}

	it('says what it can do', () => {
		expect(store.capabilities).toEqual({
			backend: 'sqlite',
			sharedBetweenHosts: false,
			wakesOtherProcesses: false,
		});
		expect(store.reconnections).toBe(0);
	});

	it.each([
		['a read', read],
		['a write', write],
	])('rests after a pause that follows %s, and works afterwards', async (_name, use) => {
		await passTime(2 * restAfterMs);
		closed.mockClear();
		await use();
		await passTime(restAfterMs - 1);
		expect(closed).not.toHaveBeenCalled();
		await passTime(restAfterMs + 1);
		// The connection that reads; the one that writes keeps the log.
		expect(closed).toHaveBeenCalledTimes(1);
		await write();
		expect(await read()).toBe(1);
	});

	it('rests in memory without losing what is there', async () => {
		const inMemory = await openMemoryStore();
		await inMemory.transact((tx) => tx.messages.insert(messages.full.record, messages.secrets));
		await passTime(2 * restAfterMs);
		expect(await inMemory.read((tx) => tx.messages.count({}))).toBe(1);
		await inMemory.close();
	});

	it('waits for the disk only with what nobody could supply again', async () => {
		await passTime(1_000);
		const before = disk.syncs;
		await write();
		expect(disk.syncs).toBe(before);
		await store.transact((tx) => tx.files.insert(files.full.record, files.secrets));
		expect(disk.syncs).toBe(before + 1);
		await store.transact((tx) => tx.messages.delete(messages.full.record.id));
		await passTime(1_000);
		expect(disk.syncs).toBe(before + 2);
	});

	it('closes each of its connections once, and its timers', async () => {
		await read();
		closed.mockClear();
		await store.close();
		// Two connections and the mark.
		expect(closed).toHaveBeenCalledTimes(3);
		expect(jest.getTimerCount()).toBe(0);
	});
});
