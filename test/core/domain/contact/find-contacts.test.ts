import { loosely } from '../../../support/loosely';
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

	it('two people with one email address are listed, the newest first', async () => {
		for (const peer of [eve, lin]) await bench.shared(peer, 'EMailAddress', 'us@example.com');
		const both = { emailAddress: 'us@example.com', ifSeveral: 'list' };
		expect(await bench.addressesOf(both)).toEqual([eve, lin]);
		expect(await bench.addressesOf({ ...both, limit: 1, offset: 1 })).toEqual([lin]);
		expect(await bench.contacts.find({ ...both, limit: 1 })).toMatchObject([{ peopleFound: 2 }]);
	});

	it.each([
		[{ emailAddress: 'us@example.com' }, '2 people say that they have this email address.'],
		[{ name: 'lin' }, '2 people say that they have this name.'],
		[
			{ attribute: { type: 'EMailAddress', value: 'us@example.com' } },
			'2 people say that they have this value.',
		],
		[
			{ relationshipAttribute: { key: 'customerNumber', value: 'A-1' } },
			"2 people have this value of 'customerNumber'.",
		],
	])('two people who fit %j are an error, whatever the limit', async (criterion, message) => {
		for (const peer of [lin, eve]) {
			await bench.shared(peer, 'EMailAddress', 'us@example.com');
			await bench.shared(peer, 'GivenName', 'Lin');
			await bench.keyed(peer, 'customerNumber', 'A-1');
		}
		await expect(bench.contacts.find({ ...criterion, limit: 1 })).rejects.toMatchObject({
			code: 'error.gateway.contacts.several',
			kind: 'conflict',
			message,
			facts: { people: 2 },
		});
		const first = await bench.addressesOf({ ...criterion, ifSeveral: 'firstConnected' });
		expect(first).toEqual([lin]);
	});

	it('a person who is not accepted yet was not connected first', async () => {
		await bench.relate(people.E, { createdAt: anHourEarlier, status: 'Pending' });
		for (const peer of [ada, people.E]) await bench.shared(peer, 'GivenName', 'Ada');
		const first = { name: 'Ada', ifSeveral: 'firstConnected' };
		expect(await bench.addressesOf(first)).toEqual([ada]);
	});

	it('what belongs to the person is not a customer number of this account', async () => {
		await bench.keyed(lin, 'customerNumber', 'A-1');
		const { content } = await bench.keyed(eve, 'customerNumber', 'A-9');
		await bench.keyed(eve, 'customerNumber', 'A-1', {
			content: loosely({
				...content,
				owner: eve,
				value: { '@type': 'ProprietaryString', value: 'A-1' },
			}),
		});
		const asked = { key: 'customerNumber', value: 'A-1' };
		expect(await bench.contacts.find({ relationshipAttribute: asked })).toMatchObject([
			{ address: lin, peopleFound: 1, found: [{ name: 'customerNumber', owner: 'own' }] },
		]);
		const anyone = { relationshipAttribute: { ...asked, owner: 'any' }, ifSeveral: 'list' };
		expect(await bench.contacts.find(anyone)).toMatchObject([
			{ address: eve, found: [{ value: 'A-1', owner: 'peer' }] },
			{ address: lin, found: [{ value: 'A-1', owner: 'own' }] },
		]);
	});

	it('a result says since when and by which template a value was given', async () => {
		await bench.answeredTemplate('REQ00000000000000007', 'RLT00000000000000007', 'Newsletter');
		await bench.shared(lin, 'EMailAddress', 'lin@example.com', {
			createdAt: anHourEarlier,
			shareInfo: { peer: lin, requestReference: 'REQ00000000000000007' },
		});
		await bench.shared(lin, 'GivenName', 'Lin', {
			shareInfo: { peer: lin, notificationReference: 'NOT00000000000000001' },
		});
		expect(await bench.contacts.find({ emailAddress: 'lin@example.com' })).toMatchObject([
			{
				found: [
					{
						name: 'EMailAddress',
						value: 'lin@example.com',
						owner: 'peer',
						since: anHourEarlier,
						templateId: 'RLT00000000000000007',
						templateTitle: 'Newsletter',
					},
				],
			},
		]);
		const [{ found } = { found: [] }] = await bench.contacts.find({ name: 'lin' });
		expect(found).toEqual([{ name: 'GivenName', value: 'Lin', owner: 'peer', since: now }]);
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
