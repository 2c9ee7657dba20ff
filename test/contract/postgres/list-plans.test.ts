import { loosely } from '../../support/loosely';
import type { AccountConfig, AccountStore } from '../../../core/store/open-store';
import type { AnyColumn } from '../../../core/store/collections/collection-declaration';
import { collections, isValues } from '../../../core/store/collections/collections';
import { isIndexed } from '../../../core/store/collections/indexes';
import { facadeLists, isOfMost, questionsAbout, type FacadeList } from '../../support/facade-lists';
import { describeWithPostgres, TestDatabase } from '../../support/postgres/postgres';
import { PostgresPlans, type PlanNode } from '../../support/postgres/postgres-plans';
import { attributeRecord } from '../../support/records';

// Twenty thousand statements before the first test, on a machine that may be busy.
jest.setTimeout(300_000);

const count = 10_000;

/** A third each: own ones, copies of them that peers have, and what is between us and a peer. */
function attributeAt(index: number) {
	const id = `ATT${String(index).padStart(17, '0')}`;
	const createdAt = new Date(Date.UTC(2030, 0, 1) + index * 60_000).toISOString();
	const peer = `did:e:example.com:dids:peer${index % 100}`;
	const value = { '@type': 'GivenName', value: `Name ${index}` };
	const own = { '@type': 'IdentityAttribute', owner: 'did:e:example.com:dids:me', value };
	const shareInfo = { peer, requestReference: `REQ${index}` };
	switch (index % 3) {
		case 0:
			return attributeRecord(id, { createdAt, content: loosely({ ...own, tags: [`x:${index}`] }) });
		case 1:
			return attributeRecord(id, { createdAt, content: loosely(own), shareInfo });
		default: {
			const key = { key: `key ${index}`, confidentiality: 'public' };
			const content = { ...own, ...key, '@type': 'RelationshipAttribute', owner: peer };
			return attributeRecord(id, { createdAt, content: loosely(content), shareInfo });
		}
	}
}

function requestAt(index: number) {
	const item = { '@type': 'AuthenticationRequestItem', mustBeAccepted: true } as const;
	return {
		id: `REQ${String(index).padStart(17, '0')}`,
		isOwn: index % 2 === 0,
		peer: `did:e:example.com:dids:peer${index % 100}`,
		createdAt: new Date(Date.UTC(2030, 0, 1) + index * 60_000).toISOString(),
		status: index % 50 < 2 ? ('Open' as const) : ('Completed' as const),
		content: { '@type': 'Request' as const, items: [item] },
		source: { type: 'Message' as const, reference: `MSG${index}` },
		statusLog: [],
	};
}

async function fill(store: AccountStore): Promise<void> {
	await store.transact(async (tx) => {
		for (let index = 0; index < count; index++) {
			await tx.attributes.insert(attributeAt(index), undefined);
			await tx.requests.insert(requestAt(index), undefined);
		}
	});
}

function isFoundByIndex(collection: FacadeList['collection'], field: string): boolean {
	const { table, columns } = collections[collection];
	const column = (columns as Readonly<Record<string, AnyColumn>>)[field];
	return isIndexed(table, field) || (column !== undefined && isValues(column));
}

const isWholeTable = (step: PlanNode): boolean => step['Node Type'] === 'Seq Scan';

describeWithPostgres('with ten thousand attributes and requests PostgreSQL', () => {
	let database: TestDatabase;
	let plans: PostgresPlans;

	beforeAll(async () => {
		database = await TestDatabase.create();
		const account: AccountConfig = database.account();
		const store = await database.open(account);
		await fill(store);
		await store.close();
		plans = await PostgresPlans.open(account);
	});

	afterAll(async () => {
		await plans.close();
		await database.drop();
	});

	beforeEach(() => plans.setSequentialScans('on'));

	const full = facadeLists.filter(({ collection }) => /^(attributes|requests)$/.test(collection));
	const inEach = full.flatMap((list) => Object.keys(list.fields).map((field) => ({ list, field })));

	/*
	 * Of a few thousand rows PostgreSQL reads all where it counts on most of them fitting, and is right.
	 * That an index holds what is asked shows when it may not, and when no order speaks for the primary
	 * key.
	 */
	it.each(inEach)('can find $list.name by an index by every $field', async (asked) => {
		await plans.setSequentialScans('off');
		const unindexed = [];
		for (const { where } of questionsAbout(asked.list, asked.field)) {
			const steps = await plans.ofCount(asked.list.collection, { where });
			const isIndexed = steps.some((step) => /_by_|_values_key/.test(step['Index Name'] ?? ''));
			if (steps.length > 0 && !isIndexed && !where.every(isOfMost)) unindexed.push(where);
		}
		expect(unindexed).toEqual([]);
	});

	it.each(inEach)('finds $list.name by an index by one value of $field', async (asked) => {
		for (const { where } of questionsAbout(asked.list, asked.field)) {
			const [condition] = where.slice(-1);
			if (condition?.op !== 'in' || condition.value.length !== 1) continue;
			// Without an index of the field, half of the table may be read: all own requests.
			if (!isFoundByIndex(asked.list.collection, condition.field)) continue;
			const steps = await plans.ofList(asked.list.collection, { where });
			if (steps.length === 0) continue;
			expect(steps.filter(isWholeTable)).toEqual([]);
			expect(steps.some((step) => step['Index Cond'] !== undefined)).toBe(true);
		}
	});

	const pages = full.flatMap((list) =>
		(['asc', 'desc'] as const).map((direction) => ({ list, direction })),
	);
	it.each(pages)('reads no more than the page of $list.name, $direction', async (asked) => {
		const orderBy = { field: 'inserted', direction: asked.direction } as const;
		const query = { where: asked.list.where, orderBy, limit: 50, offset: 100 };
		const steps = await plans.ofListThatRan(asked.list.collection, query);
		const rows = steps.map((step) => step['Actual Rows'] ?? 0);
		expect(rows).not.toEqual([]);
		// A list that several indexes can find may first count a limited number of rows in each.
		const counted = asked.list.where.some(({ op }) => op === 'exists') ? 1_001 : 150;
		expect(Math.max(...rows)).toBeLessThanOrEqual(counted);
	});
});
