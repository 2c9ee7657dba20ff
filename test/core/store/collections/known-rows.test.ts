import type { StoredRow } from '../../../../core/store/collections/collection-statements';
import { KnownRows } from '../../../../core/store/collections/known-rows';

const mostListed = 100;

const rowOf = (id: string): StoredRow => ({ id, document: id }) as StoredRow;

/** Lets what waits for an answer go on. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the rows that a transaction has read', () => {
	let rows: KnownRows;
	let reads: number;

	beforeEach(() => {
		rows = new KnownRows();
		reads = 0;
	});

	const found = (row: StoredRow | undefined) => (): Promise<StoredRow | undefined> => {
		reads++;
		return Promise.resolve(row);
	};
	const get = (id: string) => rows.get(id, found(rowOf(id)));
	const listed = (some: readonly StoredRow[]) => (): Promise<StoredRow[]> => {
		reads++;
		return Promise.resolve([...some]);
	};
	const list = (query: string, ...ids: string[]) => rows.list(query, listed(ids.map(rowOf)));
	const getMany = (...ids: string[]) => rows.getMany(ids, listed(ids.map(rowOf)));
	const failing = (): Promise<never> => {
		reads++;
		return Promise.reject(new Error('lost'));
	};

	it('are not read again, also while the first answer is on its way', async () => {
		expect(await Promise.all([get('a'), get('a')])).toEqual([rowOf('a'), rowOf('a')]);
		expect(await get('a')).toEqual(rowOf('a'));
		expect(reads).toBe(1);
		expect(rows.has('a')).toBe(true);
	});

	it('include those that do not exist', async () => {
		expect(await rows.get('a', found(undefined))).toBeUndefined();
		expect(await rows.get('a', found(undefined))).toBeUndefined();
		expect([reads, rows.has('a')]).toEqual([1, false]);
	});

	it('are read again after a failure', async () => {
		await expect(rows.get('a', failing)).rejects.toThrow('lost');
		expect(await get('a')).toEqual(rowOf('a'));
		await expect(rows.list('all', failing)).rejects.toThrow('lost');
		expect(await list('all', 'b')).toEqual([rowOf('b')]);
		await expect(rows.getMany(['c'], failing)).rejects.toThrow('lost');
		await settled();
		expect(await getMany('c')).toEqual([rowOf('c')]);
		expect(reads).toBe(6);
	});

	it('leave no failure behind that nobody handles', async () => {
		const unhandled = jest.fn();
		process.on('unhandledRejection', unhandled);
		await get('a');
		await expect(rows.getMany(['a', 'b'], failing)).rejects.toThrow('lost');
		await expect(rows.get('c', failing)).rejects.toThrow('lost');
		await expect(rows.list('q', failing)).rejects.toThrow('lost');
		await settled();
		await settled();
		process.off('unhandledRejection', unhandled);
		expect(unhandled).not.toHaveBeenCalled();
	});

	it('are read together, each for itself from then on', async () => {
		const both = rows.getMany(['a', 'b'], listed([rowOf('a')]));
		expect(await get('a')).toEqual(rowOf('a'));
		expect(await both).toEqual([rowOf('a')]);
		expect(await rows.get('b', found(rowOf('b')))).toBeUndefined();
		expect(await rows.getMany(['b', 'a'], failing)).toEqual([rowOf('a')]);
		expect(reads).toBe(1);
		expect([rows.has('a'), rows.has('b')]).toEqual([true, false]);
	});

	it('are read together if only some are known', async () => {
		await get('a');
		expect(await getMany('a', 'b')).toEqual([rowOf('a'), rowOf('b')]);
		expect(reads).toBe(2);
	});

	it('include those of a list, which is not read again either', async () => {
		expect(await Promise.all([list('all', 'a', 'b'), list('all')])).toHaveLength(2);
		expect(await list('all')).toEqual([rowOf('a'), rowOf('b')]);
		expect(await get('b')).toEqual(rowOf('b'));
		expect(reads).toBe(1);
		expect([rows.has('a'), rows.has('b')]).toEqual([true, true]);
		expect(await list('others', 'c')).toEqual([rowOf('c')]);
		expect(reads).toBe(2);
	});

	it('do not include those of a list that is long', async () => {
		const ids = Array.from({ length: mostListed + 1 }, (_, number) => `${number}`);
		await list('most', ...ids.slice(1));
		await list('most');
		expect([reads, rows.has('1')]).toEqual([1, true]);
		rows.clear();
		await list('all', ...ids);
		expect(rows.has('1')).toBe(false);
		await list('all', ...ids);
		await get('1');
		expect(reads).toBe(4);
	});

	it('are forgotten when they are written, but known to exist', async () => {
		await Promise.all([get('a'), get('b'), list('all', 'a')]);
		rows.written('a');
		expect([rows.has('a'), rows.has('b')]).toEqual([true, true]);
		await Promise.all([get('a'), get('b'), list('all', 'a')]);
		expect(reads).toBe(5);
	});

	it('are forgotten when they are deleted', async () => {
		await Promise.all([get('a'), get('b'), list('all', 'c')]);
		rows.deleted('a');
		expect([rows.has('a'), rows.has('b')]).toEqual([false, true]);
		await Promise.all([rows.get('a', found(undefined)), get('b'), list('all')]);
		expect(reads).toBe(5);
		expect(rows.has('a')).toBe(false);
	});

	it('are all forgotten at the end', async () => {
		await Promise.all([get('a'), list('all', 'b')]);
		rows.written('c');
		rows.clear();
		expect(['a', 'b', 'c'].map((id) => rows.has(id))).toEqual([false, false, false]);
		await Promise.all([get('a'), list('all')]);
		expect(reads).toBe(4);
	});

	it.each<readonly [string, () => void]>([
		['written', () => rows.written('a')],
		['deleted', () => rows.deleted('a')],
		['cleared', () => rows.clear()],
	])('that were %s while they were read are read again', async (_name, change) => {
		const earlier = [get('a'), list('all', 'a')];
		change();
		const isThere = rows.has('a');
		await Promise.all(earlier);
		await settled();
		expect(rows.has('a')).toBe(isThere);
		await Promise.all([get('a'), list('all', 'a')]);
		expect(reads).toBe(4);
	});
});
