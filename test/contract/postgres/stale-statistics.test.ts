import type { Attribute } from '../../../core/model/content/attributes';
import { loosely } from '../../support/loosely';
import type { AccountStore } from '../../../core/store/open-store';
import type { Condition, Query } from '../../../core/store/store';
import { facadeLists, questionsAbout, type FacadeList } from '../../support/facade-lists';
import { describeWithPostgres, TestDatabase } from '../../support/postgres/postgres';
import { PostgresPlans, rowsVisited } from '../../support/postgres/postgres-plans';
import { attributeRecord, messageRecord, messageSecrets, peerAddress } from '../../support/records';

const count = 2_000;

const timeOf = (index: number): string =>
	new Date(Date.UTC(2030, 0, 1) + index * 60_000).toISOString();

async function fill(store: AccountStore): Promise<void> {
	const own = { '@type': 'IdentityAttribute', owner: 'did:e:example.com:dids:me' };
	await store.transact(async (tx) => {
		for (let index = 0; index < count; index++) {
			const content = { ...own, value: { '@type': 'GivenName', value: `Name ${index}` } };
			const attribute = { createdAt: timeOf(index), content: loosely<Attribute>(content) };
			await tx.attributes.insert(attributeRecord(`ATT${index}`, attribute), undefined);
			const message = {
				createdAt: timeOf(index),
				isOwn: index % 2 === 0,
				content: { '@type': 'Mail', subject: `Subject ${index}` },
				recipients: [{ address: peerAddress }],
			};
			await tx.messages.insert(messageRecord(`MSG${index}`, message), messageSecrets);
		}
	});
}

type Where = ReadonlyArray<Condition<string>>;

/** The whole list, and pages of it in both directions. */
const waysToRead = (where: Where): Array<Query<string>> => [
	{ where },
	...(['asc', 'desc'] as const).map((direction) => ({
		where,
		orderBy: { field: 'inserted', direction },
		limit: 500,
		offset: 100,
	})),
];

/*
 * The server counts the rows of a table now and then. If it did so shortly after the account was emptied,
 * or before the first large sync, it takes the table for empty until it counts again.
 */
describeWithPostgres('PostgreSQL that takes the tables for empty', () => {
	let database: TestDatabase;
	let plans: PostgresPlans;

	beforeAll(async () => {
		database = await TestDatabase.create();
		const account = database.account();
		const store = await database.open(account);
		await fill(store);
		await database.empty(account);
		await database.query('analyze');
		await fill(store);
		await store.close();
		plans = await PostgresPlans.open(account, 'before');
	}, 180_000);

	afterAll(async () => {
		await plans.close();
		await database.drop();
	});

	const lists = facadeLists.filter(({ collection }) => /^(attributes|messages)$/.test(collection));

	async function visitedBy(list: FacadeList, where: Where): Promise<number> {
		let most = 0;
		for (const query of waysToRead(where)) {
			most = Math.max(most, rowsVisited(await plans.ofListThatRan(list.collection, query)));
		}
		return most;
	}

	it.each(lists)('looks at no row of $name again and again', async (list) => {
		const asked = Object.keys(list.fields).flatMap((field) => questionsAbout(list, field));
		expect(asked).not.toEqual([]);
		for (const { where } of [{ where: list.where }, ...asked]) {
			const visited = await visitedBy(list, where);
			if (visited > 20 * count) expect([where, visited]).toEqual([where, 20 * count]);
		}
	});
});
