import { TestClock } from '../../../support/clock';
import { call, openWith, Tables } from './audit-tables';

/* docs/adr/0051 */
describe('the retention', () => {
	it('removes the oldest rows, and what is left can be verified', async () => {
		const clock = new TestClock();
		const { database, store, audit } = await openWith(3, clock);
		clock.advance(1_000);
		const limit = new Date(clock.now()).toISOString();
		await audit.record(call);
		expect(await audit.prune(limit)).toBe(3);
		expect(await audit.prune(limit)).toBe(0);
		expect(await audit.verify()).toMatchObject({ isIntact: true, checked: 1, first: 4 });
		expect((await audit.page()).entries).toMatchObject([{ number: 4 }]);
		clock.advance(1_000);
		expect(await audit.prune(new Date(clock.now()).toISOString())).toBe(1);
		expect(await audit.verify()).toMatchObject({ isIntact: true, checked: 0, first: 5 });
		await audit.record(call);
		new Tables(database).remove(5);
		expect(await audit.verify()).toMatchObject({ isIntact: false });
		await store.close();
	});

	it('removes no trace of a change', async () => {
		const clock = new TestClock();
		const { database, store, audit } = await openWith(3, clock);
		const tables = new Tables(database);
		tables.write(2, tables.document(2).replace('"at":"2', '"at":"1'));
		clock.advance(1_000);
		await expect(audit.prune(new Date(clock.now()).toISOString())).rejects.toMatchObject({
			code: 'error.gateway.audit.broken',
			facts: { number: 2 },
		});
		expect((await audit.page()).entries).toHaveLength(3);
		await store.close();
	});
});
