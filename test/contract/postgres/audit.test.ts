import { systemClock } from '../../../core/base/clock';
import { systemRandom } from '../../../core/base/random';
import { AuditService } from '../../../core/domain/audit/audit-service';
import { describeWithPostgres, TestDatabase } from '../../support/postgres/postgres';

/* docs/adr/0051 */
describeWithPostgres('the audit of an account that two processes have open', () => {
	it('has the rows of both in one chain', async () => {
		const database = await TestDatabase.create();
		const config = database.account('default');
		const stores = [await database.open(config), await database.open(config)] as const;
		try {
			const auditOf = (place: 0 | 1): AuditService =>
				new AuditService({ store: stores[place], clock: systemClock, random: systemRandom });
			const [one, other] = [auditOf(0), auditOf(1)];
			const row = (name: string) => ({
				account: 'default',
				actor: { kind: 'key' as const, name },
				method: 'POST',
				route: '/Messages',
			});
			const numbers = await Promise.all(
				Array.from({ length: 40 }, (_, index) =>
					index % 2 === 0 ? one.record(row('one')) : other.record(row('other')),
				),
			);
			expect(numbers.toSorted((a, b) => a - b)).toEqual(
				Array.from({ length: 40 }, (_, index) => index + 1),
			);
			expect(await other.verify()).toMatchObject({ isIntact: true, checked: 40 });
			expect((await one.page({ actor: 'other' })).entries).toHaveLength(20);
			expect(await one.head()).toEqual(await other.head());
			await database.query("delete from enmeshed.audit_entries where id = '40'");
			// The process that has written the row would report that it knows it, too.
			expect(await auditOf(0).verify()).toMatchObject({
				findings: [{ kind: 'missing', from: 40 }],
			});
		} finally {
			for (const store of stores) await store.close();
			await database.drop();
		}
	});
});
