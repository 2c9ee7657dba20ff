import { people } from '../../core/domain/request/consumption-fixtures';
import { ContactBench } from '../../core/domain/contact/contact-bench';
import { describeWithPostgres, TestDatabase } from '../../support/postgres/postgres';
import type { AccountStore } from '../../../core/store/open-store';

const { B: lin, C: ada } = people;

describeWithPostgres('in PostgreSQL', () => {
	it.each([true, false])(
		'contacts are found in any alphabet and case, with sealed contents %p',
		async (sealContents) => {
			const database = await TestDatabase.create();
			let store: AccountStore | undefined;
			try {
				store = await database.open({ ...database.account(), sealContents });
				const bench = new ContactBench(store);
				await bench.relate(lin);
				await bench.relate(ada, { status: 'Rejected' });
				await bench.shared(lin, 'GivenName', 'Ольга 100%');
				await bench.shared(lin, 'Surname', '🦊 Łoś');
				await bench.shared(ada, 'EMailAddress', 'Ada@Example.com');
				await bench.keyed(ada, 'customerNumber', 'A-1');
				expect(await bench.addressesOf({ name: 'ЛЬГА 100% 🦊 łOŚ' })).toEqual([lin]);
				expect(await bench.addressesOf({ name: '_' })).toEqual([]);
				expect(await bench.addressesOf({ emailAddress: 'ada@example.com' })).toEqual([ada]);
				const relationshipAttribute = { key: 'customerNumber', value: 'a-1' };
				expect(await bench.addressesOf({ relationshipAttribute })).toEqual([ada]);
				expect(await bench.contacts.list({ statuses: ['Active'], limit: 5 })).toMatchObject([
					{ address: lin, name: 'Ольга 100% 🦊 Łoś' },
				]);
			} finally {
				await store?.close();
				await database.drop();
			}
		},
	);
});
