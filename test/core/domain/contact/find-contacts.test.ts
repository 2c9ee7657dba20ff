import { anHourEarlier, anHourLater, now, people } from '../request/consumption-fixtures';
import { openMemoryStore } from '../../../support/store';
import { ContactBench } from './contact-bench';

const { B: lin, C: ada, D: eve } = people;

describe.each([
	{ contents: 'sealed', sealsContents: true },
	{ contents: 'clear', sealsContents: false },
])('with $contents contents', ({ sealsContents }) => {
	let bench: ContactBench;
	beforeEach(async () => {
		bench = new ContactBench(await openMemoryStore(undefined, undefined, sealsContents));
		await bench.relate(lin, { createdAt: anHourEarlier });
		await bench.relate(ada, { createdAt: now });
		await bench.relate(eve, { createdAt: anHourLater });
	});
	afterEach(() => bench.close());

	it.each(['lin@example.com', 'LIN@Example.COM', ' lin@example.com '])(
		'the email address %p finds the contact',
		async (emailAddress) => {
			await bench.shared(lin, 'EMailAddress', 'Lin@Example.com');
			await bench.shared(ada, 'EMailAddress', 'ada@example.com');
			expect(await bench.addressesOf({ emailAddress })).toEqual([lin]);
		},
	);

	it.each(['%', '_in@example.com', 'lin@example.co', 'l*', 'lin@example.com"', "' or 1=1"])(
		'the email address %p is not a pattern',
		async (emailAddress) => {
			await bench.shared(lin, 'EMailAddress', 'lin@example.com');
			expect(await bench.addressesOf({ emailAddress })).toEqual([]);
		},
	);

	it('two people with one email address are both found, the newest first', async () => {
		for (const peer of [eve, lin]) await bench.shared(peer, 'EMailAddress', 'us@example.com');
		expect(await bench.addressesOf({ emailAddress: 'us@example.com' })).toEqual([eve, lin]);
		const page = { emailAddress: 'us@example.com', limit: 1, offset: 1 };
		expect(await bench.addressesOf(page)).toEqual([lin]);
	});

	it.each([
		['GivenName', '🦊 Łukasz', '🦊 łUKASZ'],
		['GivenName', 'Ökonom', 'o\u0308konom'],
		['City', '東京', '東京'],
		['GivenName', 'Ольга', 'ольга'],
		['BirthYear', 1990, '1990'],
	])('an attribute %s of value %p is found by %p', async (type, value, asked) => {
		await bench.shared(ada, type, { value });
		expect(await bench.addressesOf({ attribute: { type, value: asked } })).toEqual([ada]);
		expect(await bench.addressesOf({ attribute: { type: 'Surname', value: asked } })).toEqual([]);
	});

	it('an attribute with several parts is found by each part', async () => {
		await bench.shared(ada, 'StreetAddress', { street: 'Kirchweg', city: 'Köln', country: 'DE' });
		const attribute = { type: 'StreetAddress', value: 'köln' };
		expect(await bench.addressesOf({ attribute })).toEqual([ada]);
	});

	it('a relationship attribute finds the contact by key and value', async () => {
		await bench.keyed(lin, 'customerNumber', 'A-1');
		await bench.keyed(ada, 'customerNumber', 'A-2');
		await bench.keyed(eve, 'orderNumber', 'A-1');
		const relationshipAttribute = { key: 'customerNumber', value: 'A-1' };
		expect(await bench.addressesOf({ relationshipAttribute })).toEqual([lin]);
		const attribute = { type: 'customerNumber', value: 'A-1' };
		expect(await bench.addressesOf({ attribute })).toEqual([]);
	});

	it.each(['lin', 'N CH', 'chen', 'n  ch', 'Lin Chen', 'LC'])(
		'the part %p of a name finds the contact',
		async (name) => {
			await bench.shared(lin, 'GivenName', 'Lin');
			await bench.shared(lin, 'Surname', 'Chen');
			await bench.shared(lin, 'DisplayName', 'LC 🦊');
			await bench.shared(ada, 'GivenName', 'Ada');
			await bench.shared(ada, 'Surname', 'Chandler');
			await bench.shared(eve, 'JobTitle', 'Lin Chen LC');
			expect(await bench.addressesOf({ name })).toEqual([lin]);
		},
	);

	it.each(['%', '_', '\\', 'Chen Lin', 'GivenName', 'Lin C%'])(
		'the name %p finds no contact that lacks it',
		async (name) => {
			await bench.shared(lin, 'GivenName', 'Lin');
			await bench.shared(lin, 'Surname', 'Chen');
			expect(await bench.addressesOf({ name })).toEqual([]);
		},
	);

	it('a name with the signs of a pattern is found by them', async () => {
		await bench.shared(lin, 'DisplayName', '100% _Lin_');
		expect(await bench.addressesOf({ name: '0% _' })).toEqual([lin]);
	});

	it('values that were succeeded or deleted find no contact any more', async () => {
		const first = await bench.shared(lin, 'EMailAddress', 'old@example.com');
		expect(await bench.addressesOf({ emailAddress: 'old@example.com' })).toEqual([lin]);
		await bench.change(first, { succeededBy: 'ATT00000000000000001' });
		const second = await bench.shared(lin, 'EMailAddress', 'new@example.com');
		expect(await bench.addressesOf({ emailAddress: 'old@example.com' })).toEqual([]);
		expect(await bench.addressesOf({ emailAddress: 'new@example.com' })).toEqual([lin]);
		const deletionInfo = { deletionStatus: 'DeletedByOwner', deletionDate: now };
		await bench.change(second, { deletionInfo });
		expect(await bench.addressesOf({ emailAddress: 'new@example.com' })).toEqual([]);
	});

	it('own values, and values of people without a relationship, find no contact', async () => {
		await bench.given(lin, 'EMailAddress', 'shop@example.com');
		await bench.shared(people.E, 'EMailAddress', 'stranger@example.com');
		expect(await bench.addressesOf({ emailAddress: 'shop@example.com' })).toEqual([]);
		expect(await bench.addressesOf({ emailAddress: 'stranger@example.com' })).toEqual([]);
	});

	it.each([
		{},
		{ name: ' ' },
		{ emailAddress: '' },
		{ name: 'Lin', emailAddress: 'lin@example.com' },
		{ attribute: { type: 'City', value: '' } },
		{ relationshipAttribute: { key: '', value: 'A-1' } },
		{ name: 'x'.repeat(5_001) },
	])('the input %j is refused', async (input) => {
		await expect(bench.contacts.find(input)).rejects.toMatchObject({
			code: 'error.runtime.validation.invalidPropertyValue',
		});
	});
});
