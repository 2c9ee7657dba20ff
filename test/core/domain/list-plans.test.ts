import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Condition, Query, ReadCollection } from '../../../core/store/store';
import { facadeLists, isOfMost, questionsAbout, type FacadeList } from '../../support/facade-lists';
import { costly, openPlannedStore, type PlannedStore } from '../../support/query-plans';

/*
 * Whatever a list is asked for, SQLite finds it by an index, in the order in which it is given out: no
 * look at all rows, and nothing to sort. Its plans do not depend on how many rows there are. What most
 * rows have is no different: they are read by the primary key, until there are enough of them.
 */

let planned: PlannedStore;
let inClear: PlannedStore;
beforeAll(async () => {
	planned = await openPlannedStore();
	inClear = await openPlannedStore(false);
});
afterAll(() => Promise.all([planned.store.close(), inClear.store.close()]));

const plansOf = (
	collection: FacadeList['collection'],
	query: Query<string>,
	{ plansOf: plans, store } = planned,
): Promise<string[]> =>
	plans(() =>
		store.read(async (tx) => {
			const asked: Pick<ReadCollection<unknown, unknown, string>, 'list'> = tx[collection];
			await asked.list(query);
		}),
	);

const directions = ['asc', 'desc'] as const;
const oneDirection = (direction: 'asc' | 'desc') => ({ field: 'inserted', direction }) as const;

it('no list of the facade that can be asked is left out', async () => {
	const folder = join(__dirname, '../../../core/domain');
	const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
	const files = names.filter(
		(name) =>
			name.endsWith('.ts') &&
			/^export const \w+QueryFields\b/m.test(readFileSync(join(folder, name), 'utf8')),
	);
	const modules = await Promise.all(
		files.map(async (file) => (await import(join(folder, file))) as Record<string, object>),
	);
	const declared = modules
		.flatMap((exported) => Object.entries(exported))
		.filter(([name]) => name.endsWith('QueryFields'))
		.flatMap(([name, fields]) => (name.startsWith('attribute') ? Object.values(fields) : [fields]));
	expect(declared.length).toBeGreaterThan(0);
	expect(new Set(facadeLists.map(({ fields }) => fields))).toEqual(new Set(declared));
});

describe.each(facadeLists)('$name', (list) => {
	it.each(directions)('are listed %s by an index, and no more than a page', async (direction) => {
		const orderBy = oneDirection(direction);
		const plans = await plansOf(list.collection, {
			where: list.where,
			orderBy,
			limit: 50,
			offset: 50,
		});
		expect(plans).not.toEqual([]);
		expect(costly(plans)).toEqual([]);
	});

	it.each(Object.keys(list.fields))('are found by an index by every %s', async (field) => {
		const plans = [];
		for (const { asked, where } of questionsAbout(list, field)) {
			const page = { orderBy: oneDirection('desc'), limit: 50 };
			for (const query of [{ where }, { where, ...page }]) {
				plans.push({ asked, steps: await plansOf(list.collection, query) });
			}
		}
		expect(plans.some(({ steps }) => steps.length > 0)).toBe(true);
		expect(plans.filter(({ steps }) => costly(steps).length > 0)).toEqual([]);
	});
});

describe('attributes and requests', () => {
	const lists = facadeLists.filter(({ collection }) => /^(attributes|requests)$/.test(collection));
	const inEach = lists.flatMap((list) =>
		Object.keys(list.fields).map((field) => ({ list, field })),
	);

	it.each(inEach)('($list.name) are scanned only for what most have: $field', async (asked) => {
		const scanned: Array<Condition<string>> = [];
		for (const { where } of questionsAbout(asked.list, asked.field)) {
			// What is sealed is opened one after the other when an order is asked for.
			const steps = await plansOf(asked.list.collection, { where }, inClear);
			const isScanned = steps.some((step) => step.endsWith('INTEGER PRIMARY KEY (rowid>?)'));
			if (isScanned) scanned.push(...where);
		}
		expect(scanned.filter((condition) => condition.op === 'anyOf' || !isOfMost(condition))).toEqual(
			[],
		);
	});

	const one = lists.filter(({ where }) => where.length < 2);
	it.each(one)('($name) are found by an index for any two things at once', async (list) => {
		const few = Object.keys(list.fields).map((field) =>
			questionsAbout(list, field).filter(({ asked }) => /^("!?"|"[>~]?\w.*|\["\w.*)$/.test(asked)),
		);
		const costlyOnes = [];
		for (const [index, some] of few.entries()) {
			for (const first of some) {
				for (const second of few.slice(index + 1).flat()) {
					const where = [...first.where, ...second.where];
					if (costly(await plansOf(list.collection, { where })).length > 0) costlyOnes.push(where);
				}
			}
		}
		expect(costlyOnes).toEqual([]);
	});
});
