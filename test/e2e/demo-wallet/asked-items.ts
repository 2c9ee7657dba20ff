import type { IDataObject } from 'n8n-workflow';

import type { Locator, Page } from 'playwright-core';

/** Entry of the node's form, how a person answers it by mouse, and what the organisation receives. */
export interface AskedItem {
	readonly entry: IDataObject;
	/** heading in the wallet */
	readonly heading: string;
	readonly answer: (item: Locator, page: Page) => Promise<void>;
	/** part of the response item */
	readonly response: object;
}

const relationshipAttribute = (key: string, title: string): IDataObject => ({
	...{ key, attributeTitle: title, confidentiality: 'public', owner: 'peer' },
});

const confirm =
	(label: string) =>
	async (item: Locator): Promise<void> => {
		await item.getByLabel(label).click();
	};
const keep = (): Promise<void> => Promise.resolve();
const accepted = (type: string, members: object = {}) => ({
	'@type': type,
	result: 'Accepted',
	...members,
});
const field = (response: unknown) => accepted('FormFieldAcceptResponseItem', { response });

/** Every kind of item and form field of docs/protocol/content.md 5.3 and 5.5 that needs no earlier data. */
export const askedItems: readonly AskedItem[] = [
	{
		entry: { kind: 'logIn', title: 'Log in at the shop' },
		heading: 'Log in at the shop',
		answer: confirm('Yes, it is me who logs in'),
		response: accepted('AcceptResponseItem'),
	},
	{
		entry: {
			kind: 'askForConsent',
			consent: 'We may write to you.',
			link: 'https://example.com/terms',
			linkDisplayText: 'Our terms',
		},
		heading: 'Consent',
		answer: async (item, page) => {
			const link = item.getByRole('link', { name: 'Our terms' });
			expect(await link.getAttribute('href')).toBe('https://example.com/terms');
			await item.getByText('We may write to you.').waitFor();
			await confirm('I agree')(item);
			expect(page.url()).not.toContain('example.com');
		},
		response: accepted('AcceptResponseItem'),
	},
	{
		entry: { kind: 'freeText', freeText: 'What can we do for you?' },
		heading: 'Your answer',
		answer: async (item) => {
			await item.getByText('What can we do for you?').waitFor();
			await item.getByLabel('Your answer').fill('Call me.');
		},
		response: accepted('FreeTextAcceptResponseItem', { freeText: 'Call me.' }),
	},
	{
		entry: { kind: 'formField', title: 'Motto', fieldType: 'text', fieldOptions: { max: 20 } },
		heading: 'Motto',
		answer: async (item) => await item.getByLabel('Motto').fill('Onwards'),
		response: field('Onwards'),
	},
	{
		entry: {
			kind: 'formField',
			title: 'Story',
			fieldType: 'text',
			fieldOptions: { allowNewlines: true },
		},
		heading: 'Story',
		answer: async (item) => await item.locator('textarea').fill('One\nTwo'),
		response: field('One\nTwo'),
	},
	{
		entry: {
			kind: 'formField',
			title: 'Weight',
			fieldType: 'integer',
			fieldOptions: { unit: 'kg', min: 3, max: 300 },
		},
		heading: 'Weight',
		answer: async (item) => {
			await item.getByText('(kg)').waitFor();
			await item.getByLabel('Weight').fill('70');
		},
		response: field(70),
	},
	{
		entry: {
			kind: 'formField',
			title: 'Way to work',
			fieldType: 'number',
			fieldOptions: { unit: 'km' },
		},
		heading: 'Way to work',
		answer: async (item) => await item.getByLabel('Way to work').fill('12.5'),
		response: field(12.5),
	},
	{
		entry: { kind: 'formField', title: 'Do you smoke?', fieldType: 'boolean' },
		heading: 'Do you smoke\\?',
		answer: async (item) => await item.getByLabel('No', { exact: true }).click(),
		response: field(false),
	},
	{
		entry: { kind: 'formField', title: 'First day', fieldType: 'date' },
		heading: 'First day',
		answer: async (item) => await item.getByLabel('First day').fill('2030-02-28'),
		response: field('2030-02-28'),
	},
	{
		entry: { kind: 'formField', title: 'How was it?', fieldType: 'rating', maxRating: 7 },
		heading: 'How was it\\?',
		answer: async (item) => {
			expect(await item.getByRole('radio').count()).toBe(7);
			await item.getByLabel('6', { exact: true }).click();
		},
		response: field(6),
	},
	{
		entry: { kind: 'formField', title: 'Size', fieldType: 'selection', choices: 'S\nM\nL' },
		heading: 'Size',
		answer: async (item) => await item.getByLabel('M', { exact: true }).click(),
		response: field('M'),
	},
	{
		entry: {
			...{ kind: 'formField', title: 'Floor', fieldType: 'selection' },
			choices: '1\n2\n3\n4\n5\n6\n7',
		},
		heading: 'Floor',
		answer: async (item) => void (await item.getByLabel('Floor').selectOption('5')),
		response: field('5'),
	},
	{
		entry: {
			...{ kind: 'formField', title: 'Toppings', fieldType: 'selection' },
			...{ choices: 'Cheese\nOlives\nBasil', allowMultipleSelection: true },
		},
		heading: 'Toppings',
		answer: async (item) => {
			await item.getByLabel('Cheese').click();
			await item.getByLabel('Basil').click();
		},
		response: field(['Cheese', 'Basil']),
	},
	{
		entry: { kind: 'askFor', valueType: 'StreetAddress' },
		heading: 'Street address',
		answer: async (item) => {
			const parts = { Street: 'Main Street', 'House number': '12a', 'ZIP code': '69115' };
			for (const [label, text] of Object.entries(parts))
				await item.getByLabel(label, { exact: true }).fill(text);
			await item.getByLabel('City').fill('Heidelberg');
			await item.getByLabel('Recipient').fill('Ada');
			await item.getByLabel('Country').selectOption({ label: 'Germany' });
		},
		response: accepted('ReadAttributeAcceptResponseItem', {
			attribute: {
				value: {
					...{ '@type': 'StreetAddress', street: 'Main Street', houseNo: '12a', zipCode: '69115' },
					...{ city: 'Heidelberg', country: 'DE', recipient: 'Ada' },
				},
			},
		}),
	},
	{
		entry: { kind: 'askFor', valueType: 'BirthDate' },
		heading: 'Birth date',
		answer: async (item) => await item.getByLabel('Birth date').fill('1990-12-31'),
		response: accepted('ReadAttributeAcceptResponseItem', {
			attribute: { value: { '@type': 'BirthDate', day: 31, month: 12, year: 1990 } },
		}),
	},
	{
		entry: { kind: 'askFor', valueType: 'EMailAddress', itemOptions: { tags: 'x:work' } },
		heading: 'Email address',
		answer: async (item) => await item.getByLabel('Email address').fill('ada@example.com'),
		response: accepted('ReadAttributeAcceptResponseItem', {
			attribute: { value: { value: 'ada@example.com' }, tags: ['x:work'] },
		}),
	},
	{
		entry: {
			...{ kind: 'askFor', valueType: 'JobTitle' },
			itemOptions: { expression: "JobTitle.value='Baker'" },
		},
		heading: 'Job title',
		answer: async (item) => await item.getByLabel('Job title').fill('Baker'),
		response: accepted('ReadAttributeAcceptResponseItem', {
			attribute: { value: { '@type': 'JobTitle', value: 'Baker' } },
		}),
	},
	{
		entry: { kind: 'askFor', valueType: 'IdentityFileReference' },
		heading: 'File',
		answer: async (item) =>
			await item
				.getByLabel('File')
				.setInputFiles({ name: 'proof.txt', mimeType: 'text/plain', buffer: Buffer.from('Proof') }),
		response: accepted('ReadAttributeAcceptResponseItem', {
			attribute: { value: { '@type': 'IdentityFileReference' } },
		}),
	},
	{
		entry: {
			...{ kind: 'askForRelationshipAttribute', relationshipValueType: 'ProprietaryInteger' },
			...relationshipAttribute('guests', 'Number of guests'),
			itemOptions: { valueHints: { helpText: 'With children', lowest: 1, highest: 9 } },
		},
		heading: 'Number of guests',
		answer: async (item) => {
			await item.getByText('With children').waitFor();
			await item.getByLabel('Number of guests').fill('4');
		},
		response: accepted('ReadAttributeAcceptResponseItem', {
			attribute: { key: 'guests', value: { '@type': 'ProprietaryInteger', value: 4 } },
		}),
	},
	{
		entry: {
			...{ kind: 'askForRelationshipAttribute', relationshipValueType: 'ProprietaryBoolean' },
			...relationshipAttribute('parking', 'Parking space'),
		},
		heading: 'Parking space',
		answer: async (item) => await item.getByLabel('Yes').click(),
		response: accepted('ReadAttributeAcceptResponseItem', {
			attribute: { value: { '@type': 'ProprietaryBoolean', value: true } },
		}),
	},
	{
		entry: { kind: 'propose', valueType: 'GivenName', value: 'Adda' },
		heading: 'Given name',
		answer: async (item) => {
			expect(await item.getByLabel('Given name').inputValue()).toBe('Adda');
			await item.getByLabel('Given name').fill('Ada');
		},
		response: accepted('ProposeAttributeAcceptResponseItem', {
			attribute: { value: { '@type': 'GivenName', value: 'Ada' } },
		}),
	},
	{
		entry: {
			...{ kind: 'proposeRelationshipAttribute', relationshipValueType: 'ProprietaryString' },
			...relationshipAttribute('nickname', 'Nickname'),
			value: 'Countess',
		},
		heading: 'Nickname',
		answer: keep,
		response: accepted('ProposeAttributeAcceptResponseItem', {
			attribute: { key: 'nickname', value: { value: 'Countess' } },
		}),
	},
	{
		entry: { kind: 'create', valueType: 'PhoneNumber', value: '+49 6221 1' },
		heading: 'Keep phone number',
		answer: async (item) => {
			await item.getByText('+49 6221 1').waitFor();
			expect(await item.getByLabel('Add this to my data').isChecked()).toBe(true);
		},
		response: accepted('CreateAttributeAcceptResponseItem'),
	},
	{
		entry: {
			...{ kind: 'createRelationshipAttribute', relationshipValueType: 'ProprietaryString' },
			...relationshipAttribute('customerNumber', 'Customer number'),
			value: '4711',
		},
		heading: 'Keep Customer number',
		answer: async (item) => await item.getByText('4711').waitFor(),
		response: accepted('CreateAttributeAcceptResponseItem'),
	},
	{
		entry: { kind: 'askToOfferLater', valueType: 'Website' },
		heading: 'Offer website later',
		answer: keep,
		response: accepted('RegisterAttributeListenerAcceptResponseItem'),
	},
];
