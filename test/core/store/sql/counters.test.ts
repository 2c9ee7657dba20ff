import type { WriteTransaction } from '../../../../core/store/store';
import { openPlannedStore, type PlannedStore } from '../../../support/query-plans';
import { peerAddress, relationshipRecord, relationshipSecrets } from '../../../support/records';

const counters = 'send ';
type Conditions = Parameters<WriteTransaction['counters']['look']>[1];

const active: Conditions = [{ field: 'status', op: 'eq', value: 'Active' }];
const [first, second] = [`${counters}REL1`, `${counters}REL2`];

describe('the counters of a transaction', () => {
	let planned: PlannedStore;

	beforeEach(async () => {
		planned = await openPlannedStore();
		await planned.store.transact(async (tx) => {
			for (const id of ['REL1', 'REL2', 'REL3']) {
				const status = id === 'REL3' ? 'Pending' : 'Active';
				await tx.relationships.insert(relationshipRecord(id, { status }), relationshipSecrets);
			}
		});
	});

	afterEach(() => planned.store.close());

	const transact = <Result>(work: (tx: WriteTransaction) => Promise<Result>): Promise<Result> =>
		planned.store.transact(work);

	/** Number of reads of the database for a part of a transaction. */
	const readsOf = (work: () => Promise<unknown>): Promise<number> => planned.readsOf(work);

	it('are read for each reservation, unless they were looked at', async () => {
		await transact(async (tx) => {
			const reserve = () => tx.counters.reserve(first);
			expect([await readsOf(reserve), await readsOf(reserve)]).toEqual([1, 1]);
		});
		await transact(async (tx) => {
			expect(await readsOf(() => tx.counters.look(counters, active))).toBe(1);
			const reserveAll = async () => [
				await tx.counters.reserve(first),
				await tx.counters.reserve(second),
				await tx.counters.reserve(first),
			];
			let numbers: number[] = [];
			expect(await readsOf(async () => (numbers = await reserveAll()))).toBe(0);
			expect(numbers).toEqual([2, 0, 3]);
			expect(await readsOf(() => tx.counters.reserve(`${counters}REL3`))).toBe(1);
		});
	});

	it('of an account without numbers are known after one look', async () => {
		await transact(async (tx) => {
			await tx.counters.look(counters, active);
			expect(await readsOf(() => tx.counters.reserve(second))).toBe(0);
		});
	});

	it('are looked at once for each question', async () => {
		await transact(async (tx) => {
			const look = (prefix = counters, conditions = active) => tx.counters.look(prefix, conditions);
			const pending: Conditions = [{ field: 'status', op: 'eq', value: 'Pending' }];
			expect(await readsOf(() => look())).toBe(1);
			expect(await readsOf(() => look())).toBe(0);
			expect(await readsOf(() => look('receive '))).toBe(1);
			expect(await readsOf(() => look(counters, pending))).toBe(1);
			expect(await readsOf(() => tx.counters.reserve(`${counters}REL3`))).toBe(0);
			const ofPeer = { field: 'peer', op: 'eq', value: peerAddress } as const;
			expect(await readsOf(() => look('other ', [...active, ofPeer]))).toBe(1);
			expect(await readsOf(() => tx.counters.reserve('other REL1'))).toBe(0);
			expect(await readsOf(() => tx.counters.reserve('other REL3'))).toBe(1);
		});
	});

	it('keep what was written while they were looked at', async () => {
		await transact(async (tx) => {
			await tx.counters.look(counters, active);
			await tx.counters.reserve(first);
			await tx.counters.look('receive ', active);
			expect(await tx.counters.reserve(first)).toBe(1);
		});
	});

	it('wait for the answer of a look', async () => {
		await transact(async (tx) => {
			const looking = tx.counters.look(counters, active);
			expect(await readsOf(() => tx.counters.reserve(first))).toBe(0);
			await looking;
		});
	});

	it('only rise', async () => {
		await transact(async (tx) => {
			await tx.counters.look(counters, active);
			await tx.counters.raise(first, 10);
			await tx.counters.raise(first, 5);
			expect(await tx.counters.reserve(first)).toBe(10);
		});
		await transact(async (tx) => {
			await tx.counters.look(counters, active);
			await tx.counters.raiseAll(counters, 50);
			expect(await tx.counters.reserve(first)).toBe(50);
		});
	});

	it('begin anew when they were deleted', async () => {
		await transact((tx) => tx.counters.raise(first, 10));
		await transact(async (tx) => {
			await tx.counters.look(counters, active);
			await tx.counters.delete(first);
			expect(await readsOf(() => tx.counters.reserve(first))).toBe(1);
		});
		expect(await transact((tx) => tx.counters.list())).toContainEqual({ name: first, next: 1 });
	});

	it('are read again after a part of the transaction was rolled back', async () => {
		await transact(async (tx) => {
			await tx.counters.look(counters, active);
			const failing = tx.attempt(async () => {
				await tx.counters.raise(first, 10);
				throw new Error('undone');
			});
			await expect(failing).rejects.toThrow('undone');
			expect(await readsOf(() => tx.counters.look(counters, active))).toBe(1);
			expect(await tx.counters.reserve(first)).toBe(0);
		});
	});
});
