import { disk } from '../../../support/disk/disk';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LogSync } from '../../../../core/store/sqlite/log-sync';
import { until } from '../../../support/until';

const pauseMs = 15;

let folder: string;
let file: string;

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'enmeshed-test-'));
	file = join(folder, 'account.sqlite');
	writeFileSync(`${file}-wal`, '');
	disk.reset();
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the sync of the log', () => {
	it('says so when the disk does not confirm what must not be lost, each time', async () => {
		rmSync(`${file}-wal`);
		const log = new LogSync(file);
		const refusal = { code: 'error.gateway.store.ioFailed', kind: 'unavailable' };
		await expect(Promise.all([log.now(), log.now()])).rejects.toMatchObject(refusal);
		await expect(log.now()).rejects.toMatchObject(refusal);
		await log.close();
	});

	it('works again as soon as the disk does', async () => {
		const log = new LogSync(file);
		disk.refuses = true;
		await expect(log.now()).rejects.toMatchObject({ cause: { code: 'EIO' } });
		disk.refuses = false;
		await log.now();
		expect(disk.syncs).toBe(2);
		await log.close();
	});

	it('covers a commit that was made while another sync runs, with one more for all', async () => {
		const log = new LogSync(file);
		disk.held = [];
		let ended = 0;
		const wait = (): Promise<number> => log.now().then(() => ended++);
		const first = wait();
		await until(() => disk.syncs === 1);
		const later = [wait(), wait()];
		expect([disk.syncs, ended]).toEqual([1, 0]);
		disk.release();
		await first;
		await Promise.all(later);
		expect(disk.syncs).toBe(2);
		await Promise.all([wait(), wait()]);
		expect(disk.syncs).toBe(4);
		await log.close();
	});

	it('begins the next one although the running one fails', async () => {
		const log = new LogSync(file);
		disk.held = [];
		disk.refuses = true;
		const first = log.now();
		await until(() => disk.syncs === 1);
		const later = log.now();
		disk.held.splice(0).forEach((answer) => answer());
		await expect(first).rejects.toThrow();
		await until(() => disk.syncs === 2);
		disk.refuses = false;
		disk.release();
		await later;
		await log.close();
	});

	it('does nothing for a database in memory', async () => {
		const log = new LogSync(undefined);
		log.soon();
		await log.now();
		expect(disk.syncs).toBe(0);
		await log.close();
	});

	it('ends before the file is closed, once', async () => {
		const log = new LogSync(file);
		disk.held = [];
		const syncing = [log.now()];
		await until(() => disk.syncs === 1);
		syncing.push(log.now());
		let isClosed = false;
		const closing = log.close().then(() => (isClosed = true));
		await disk.settled();
		expect([isClosed, disk.closed]).toEqual([false, 0]);
		disk.release();
		await Promise.all([...syncing, closing]);
		expect([disk.syncs, disk.closed]).toEqual([2, 1]);
	});

	it('closes nothing that was not opened', async () => {
		await new LogSync(file).close();
		expect(disk.closed).toBe(0);
	});
});

describe('after a pause', () => {
	let log: LogSync;

	beforeEach(() => {
		jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
		log = new LogSync(file);
	});

	afterEach(async () => {
		await log.close();
		jest.useRealTimers();
	});

	const commit = (times: number): void => {
		for (let count = 0; count < times; count++) log.soon();
	};

	async function pause(): Promise<void> {
		jest.advanceTimersByTime(pauseMs);
		await disk.settled();
	}

	it('the log is synced once for all commits', async () => {
		commit(3);
		expect([disk.syncs, jest.getTimerCount()]).toEqual([0, 1]);
		await pause();
		expect([disk.syncs, jest.getTimerCount()]).toEqual([1, 0]);
		commit(1);
		await pause();
		expect(disk.syncs).toBe(2);
	});

	it('nothing is left to do where a caller has waited for the disk', async () => {
		commit(2);
		await log.now();
		expect([disk.syncs, jest.getTimerCount()]).toEqual([1, 0]);
		log.soon();
		await log.now();
		log.soon();
		await pause();
		expect(disk.syncs).toBe(3);
	});

	it('a failure is kept, and repaired by the next sync', async () => {
		disk.refuses = true;
		commit(2);
		await pause();
		expect([disk.syncs, jest.getTimerCount()]).toEqual([1, 0]);
		disk.refuses = false;
		commit(1);
		await pause();
		expect(disk.syncs).toBe(2);
	});

	it('a commit during a sync that fails is synced again', async () => {
		disk.held = [];
		disk.refuses = true;
		commit(1);
		await pause();
		commit(1);
		disk.release();
		await disk.settled();
		disk.refuses = false;
		await pause();
		expect(disk.syncs).toBe(2);
	});

	it('a database in memory is left alone', async () => {
		const inMemory = new LogSync(undefined);
		for (let count = 0; count < 2; count++) inMemory.soon();
		expect(jest.getTimerCount()).toBe(0);
		await inMemory.close();
	});

	it('nothing happens once it is closed', async () => {
		commit(2);
		await log.close();
		expect(jest.getTimerCount()).toBe(0);
		await pause();
		expect(disk.syncs).toBe(0);
	});
});
