import type { Condition, MessageField, Query } from '../../../../core/store/store';
import { messageRecord, messageSecrets, ownAddress, peerAddress } from '../../../support/records';
import { openPlannedStore, type PlannedStore } from '../../../support/query-plans';

const inOrder = (direction: 'asc' | 'desc') => ({ field: 'inserted', direction }) as const;
const own = { field: 'isOwn', op: 'eq', value: false } as const;
const toTwo = { field: 'recipient', op: 'in', value: [ownAddress, peerAddress] } as const;
const ofTypes = { field: 'contentType', op: 'in', value: ['Mail', 'Other', 'Mail'] } as const;

/*
 * SQLite only, in clear: how PostgreSQL goes about a page is told by the number of rows that it visits
 * (`test/contract/postgres`).
 */
describe('a page of a list', () => {
	let planned: PlannedStore;

	beforeEach(async () => {
		planned = await openPlannedStore(false);
		await planned.store.transact(async (tx) => {
			for (const number of [5, 3, 4, 1, 2]) {
				const record = messageRecord(`MSG${number}`, {
					createdAt: `2030-01-01T00:00:0${number}.000Z`,
					content: { '@type': number % 2 === 0 ? 'Mail' : 'Other' },
					recipients: [{ address: ownAddress }, { address: peerAddress }],
				});
				await tx.messages.insert(record, messageSecrets);
			}
		});
	});

	afterEach(() => planned.store.close());

	type Where = ReadonlyArray<Condition<MessageField>>;

	const ids = (query: Query<MessageField>): Promise<string> =>
		planned.store.read(async (tx) => {
			const entries = await tx.messages.list(query);
			return entries.map(({ record }) => record.id.slice(3)).join('');
		});
	const readsOf = (query: Query<MessageField>): Promise<number> =>
		planned.readsOf(() => ids(query));
	const isSorted = async (query: Query<MessageField>): Promise<boolean> =>
		(await planned.plansOf(() => ids(query))).some((step) => step.includes('TEMP B-TREE'));

	it.each<readonly [string, Where]>([
		['several values of an index', [ofTypes]],
		['several values of a record', [toTwo]],
		['one value of an index', [own]],
	])('by %s is read in order, and not sorted', async (_name, where) => {
		for (const direction of ['asc', 'desc'] as const) {
			const query = { where, orderBy: inOrder(direction), limit: 50 };
			expect(await isSorted(query)).toBe(false);
			expect(await ids({ ...query, limit: 3 })).toBe(direction === 'asc' ? '534' : '214');
			expect(await ids({ ...query, limit: 2, offset: 1 })).toBe(direction === 'asc' ? '34' : '14');
		}
	});

	it('of one row is found after others, by an index', async () => {
		const query = { where: [own, ofTypes], orderBy: inOrder('asc'), limit: 1 };
		const found = [0, 1, 4, 5].map((offset) => ids({ ...query, offset }));
		expect(await Promise.all(found)).toEqual(['5', '3', '2', '']);
	});

	it('of one row is read at once, without a choice', async () => {
		const query = { where: [own, ofTypes], orderBy: inOrder('desc') };
		expect(await readsOf({ ...query, limit: 1 })).toBe(1);
		expect(await readsOf({ ...query, limit: 2 })).toBe(2);
		expect(await readsOf(query)).toBe(1);
		expect(
			await readsOf({ ...query, orderBy: { field: 'createdAt', direction: 'asc' }, limit: 2 }),
		).toBe(1);
		expect(await ids({ ...query, limit: 1 })).toBe('2');
	});

	it('is not read at all if no row can fit', async () => {
		const never = { field: 'contentType', op: 'in', value: [] } as const;
		expect(await readsOf({ where: [never], limit: 50 })).toBe(0);
		expect(await readsOf({ where: [never] })).toBe(0);
		expect(await ids({ where: [own, never], limit: 50 })).toBe('');
	});

	it('of another order follows that order, and its cursor', async () => {
		const orderBy = { field: 'createdAt', direction: 'asc' } as const;
		const descending = { field: 'createdAt', direction: 'desc' } as const;
		for (const where of [[], [own], [ofTypes]]) {
			expect(await ids({ where, orderBy })).toBe('12345');
			expect(await ids({ where, orderBy, limit: 2, offset: 1 })).toBe('23');
			expect(await ids({ where, orderBy, limit: 2, after: 'MSG2' })).toBe('34');
			expect(await ids({ where, orderBy: descending, limit: 2, after: 'MSG3' })).toBe('21');
			expect(await ids({ where, orderBy: inOrder('asc'), limit: 2, after: 'MSG4' })).toBe('12');
			expect(await ids({ where, orderBy: inOrder('asc'), after: 'MSG4' })).toBe('12');
			expect(await ids({ where, orderBy: inOrder('desc'), after: 'MSG4' })).toBe('35');
		}
	});

	it('with equal values of its order follows the order of insertion', async () => {
		const orderBy = { field: 'isOwn', direction: 'desc' } as const;
		expect(await ids({ orderBy })).toBe('21435');
		expect(await ids({ orderBy, limit: 2, after: 'MSG1' })).toBe('43');
	});

	it('with very many values is read by its conditions alone', async () => {
		const many = Array.from({ length: 700 }, (_, index) => `type ${index}`);
		const among = (op: 'in' | 'notIn', field: MessageField) =>
			({ field, op, value: many }) as const;
		const excluding = [
			among('notIn', 'contentType'),
			among('notIn', 'createdBy'),
			among('notIn', 'subject'),
		];
		const query = { where: [toTwo, ...excluding], limit: 50 };
		expect(await ids(query)).toBe('53412');
		expect(await readsOf({ ...query, where: [toTwo, ...excluding.slice(1)] })).toBe(1);
	});

	it('does not follow a record that is not there, and has no order by what has none', async () => {
		await expect(ids({ limit: 2, after: 'MSG9' })).rejects.toMatchObject({
			code: 'error.gateway.store.unknownCursor',
			facts: { id: 'MSG9' },
		});
		for (const field of ['recipient', 'createdBy', 'unknown'] as MessageField[]) {
			await expect(ids({ orderBy: { field, direction: 'asc' } as never })).rejects.toMatchObject({
				code: 'error.gateway.store.invalidList',
			});
		}
	});
});
