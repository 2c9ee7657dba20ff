import { people } from '../request/consumption-fixtures';
import { costly, openPlannedStore, type PlannedStore } from '../../../support/query-plans';
import { ContactBench } from './contact-bench';

/* SQLite must find contacts by indexes, and a page must cost a fixed number of statements. */

const prefix = people.B.slice(0, -3);

async function fill(bench: ContactBench, from: number, to: number): Promise<void> {
	for (let index = from; index < to; index++) {
		const peer = `${prefix}${100 + index}`;
		// Some of them came back, and some have left.
		if (index % 7 === 0) await bench.relate(peer, { status: 'Rejected' });
		await bench.relate(peer, { status: index % 5 === 0 ? 'Revoked' : 'Active' });
		await bench.shared(peer, 'GivenName', `Lin ${index}`);
		await bench.shared(peer, 'EMailAddress', `lin@example.com`);
		await bench.keyed(peer, 'customerNumber', `A-1`);
		await bench.given(peer, 'DisplayName', 'Shop');
	}
}

describe.each([true, false])('contacts, with sealed contents %p', (sealsContents) => {
	let planned: PlannedStore;
	let bench: ContactBench;
	let count = 60;
	beforeAll(async () => {
		planned = await openPlannedStore(sealsContents);
		bench = new ContactBench(planned.store);
		await fill(bench, 0, count);
	});
	afterAll(() => bench.close());

	const questions: ReadonlyArray<readonly [string, () => Promise<unknown>]> = [
		['one by its address', () => bench.contacts.get(`${prefix}101`)],
		['a page', () => bench.contacts.list({ limit: 50 })],
		['a page by status', () => bench.contacts.list({ limit: 50, statuses: ['Active'] })],
		['a page by statuses', () => bench.contacts.list({ statuses: ['Active', 'Pending'] })],
		['a page by template', () => bench.contacts.list({ templateId: 'RLT00000000000000001' })],
		[
			'by email address',
			() => bench.contacts.find({ ifSeveral: 'list', emailAddress: 'lin@example.com' }),
		],
		[
			'by attribute',
			() =>
				bench.contacts.find({
					ifSeveral: 'list',
					attribute: { type: 'GivenName', value: 'Lin 7' },
				}),
		],
		[
			'by relationship attribute',
			() =>
				bench.contacts.find({
					ifSeveral: 'list',
					relationshipAttribute: { key: 'customerNumber', value: 'A-1' },
				}),
		],
		['by name', () => bench.contacts.find({ ifSeveral: 'list', name: 'in 7' })],
	];

	it.each(questions)('are found by indexes: %s', async (_what, work) => {
		const plans = await planned.plansOf(work);
		expect(plans.some((step) => step.includes('SEARCH attributes'))).toBe(true);
		const scans = costly(plans).filter((step) => step.startsWith('SCAN'));
		expect(scans).toEqual([]);
	});

	it.each<readonly [string, () => Promise<unknown>]>([
		['a page', () => bench.contacts.list({ limit: 50 })],
		['a page by status', () => bench.contacts.list({ limit: 50, statuses: ['Active'] })],
		[
			'those with an email address',
			() => bench.contacts.find({ ifSeveral: 'list', emailAddress: 'lin@example.com', limit: 50 }),
		],
	])('cost the same few statements however many there are: %s', async (_what, work) => {
		const few = await planned.readsOf(work);
		await fill(bench, count, count + 60);
		count += 60;
		expect(few).toBeLessThanOrEqual(5);
		expect(await planned.readsOf(work)).toBe(few);
	});
});
