import type { JsonObject } from '../../../../core/model/json';
import {
	anHourEarlier,
	anHourLater,
	attributeId,
	givenName,
	now,
	openConsumption,
	storeAttribute,
	type Consumption,
} from './consumption-fixtures';

const readItem = (valueType = 'GivenName'): JsonObject => ({
	'@type': 'ReadAttributeRequestItem',
	mustBeAccepted: true,
	query: { '@type': 'IdentityAttributeQuery', valueType },
});
const badItem: JsonObject = {
	'@type': 'ShareAttributeRequestItem',
	mustBeAccepted: true,
	attribute: givenName('Sh'),
	sourceAttributeId: attributeId('404'),
};
const template = (onNewRelationship: JsonObject, more = {}): JsonObject => ({
	'@type': 'RelationshipTemplateContent',
	onNewRelationship,
	...more,
});

let consumption: Consumption;
beforeEach(async () => {
	consumption = await openConsumption();
});
afterEach(async () => {
	await consumption.dispose();
});

const prepare = async (content: unknown, expiresAt = anHourLater): Promise<JsonObject> =>
	await consumption.requests.prepareTemplateContent(content, expiresAt, {});

describe('preparing template content', () => {
	it('lets the request expire with the template unless it says otherwise', async () => {
		const content = await prepare(template({ items: [readItem()], title: 'T' }));
		// Sorted members, and no type where the position fixes it.
		expect(JSON.stringify(content)).toBe(
			JSON.stringify({
				'@type': 'RelationshipTemplateContent',
				onNewRelationship: {
					expiresAt: anHourLater,
					items: [
						{
							'@type': 'ReadAttributeRequestItem',
							mustBeAccepted: true,
							query: { '@type': 'IdentityAttributeQuery', valueType: 'GivenName' },
						},
					],
					title: 'T',
				},
			}),
		);
	});

	it('keeps an expiry at or before the one of the template', async () => {
		const content = await prepare(template({ items: [readItem()], expiresAt: anHourLater }));
		expect(content).toMatchObject({ onNewRelationship: { expiresAt: anHourLater } });
	});

	it('leaves the request for existing relationships without expiry', async () => {
		const more = { onExistingRelationship: { items: [readItem('Surname')] } };
		const content = await prepare(template({ items: [readItem()] }, more));
		expect(content['onExistingRelationship']).not.toHaveProperty('expiresAt');
	});

	it('accepts to share an own attribute', async () => {
		await storeAttribute(consumption, { id: attributeId('404'), content: givenName('Sh') });
		const content = await prepare(template({ items: [badItem, readItem()] }));
		expect(content).toMatchObject({ onNewRelationship: { items: [badItem, readItem()] } });
	});

	it('keeps any value in the arbitrary wrapper', async () => {
		const content = { '@type': 'ArbitraryRelationshipTemplateContent', value: { b: 1, a: [0] } };
		expect(JSON.stringify(await prepare(content))).toBe(JSON.stringify(content));
	});

	const inherited = 'error.consumption.validation.inheritedFromItem';
	const invalid = 'error.runtime.validation.invalidPropertyValue';
	const unreadable = 'error.runtime.requestDeserialization';
	it.each([
		['untyped content', { foo: 1 }, invalid],
		['no content', undefined, invalid],
		['a list', [], invalid],
		['content of another kind', { '@type': 'Mail', to: ['a'], subject: '', body: '' }, invalid],
		['content of an unknown type', { '@type': 'Nope' }, 'error.runtime.unknownType'],
		[
			'content of a type from the prototype',
			{ '@type': 'constructor' },
			'error.runtime.unknownType',
		],
		['a type that is not a text', { '@type': 5 }, 'error.runtime.servalError'],
		['no request', { '@type': 'RelationshipTemplateContent' }, unreadable],
		['a request without items', template({ items: [] }), unreadable],
		[
			'a request that expires after the template',
			template({ items: [readItem()], expiresAt: '2099-01-01' }),
			'error.runtime.relationshipTemplates.requestCannotExpireAfterRelationshipTemplate',
		],
		[
			'a request that has expired',
			template({ items: [readItem()], expiresAt: anHourEarlier }),
			'error.consumption.requests.cannotCreateRequestWithExpirationDateInPast',
		],
		['an item that breaks a rule', template({ items: [badItem] }), inherited],
		[
			'an item that breaks a rule inside a group',
			template({ items: [{ '@type': 'RequestItemGroup', items: [badItem] }] }),
			inherited,
		],
		[
			'a bad request for existing relationships',
			template({ items: [readItem()] }, { onExistingRelationship: { items: [badItem] } }),
			inherited,
		],
		['an unknown attribute type', template({ items: [readItem('Nope')] }), unreadable],
		[
			'an item in the dialect of version 7',
			template({
				items: [
					{
						'@type': 'ShareAttributeRequestItem',
						mustBeAccepted: true,
						attribute: givenName('Sh'),
						attributeId: attributeId('404'),
					},
				],
			}),
			unreadable,
		],
	])('refuses %s', async (_what, content, code) => {
		await expect(prepare(content)).rejects.toMatchObject({ code });
	});

	it('says which item is wrong and why', async () => {
		await expect(prepare(template({ items: [badItem] }))).rejects.toMatchObject({
			message: `The attribute '${attributeId('404')}' that is to be shared does not exist.`,
			facts: {
				itemCode: 'error.consumption.requests.invalidRequestItem',
				field: 'content.onNewRelationship.items.0',
			},
		});
	});

	it('refuses nesting that is too deep to be meant', async () => {
		let metadata: JsonObject = {};
		for (let depth = 0; depth < 10_000; depth++) metadata = { metadata };
		await expect(prepare(template({ items: [readItem()], metadata }))).rejects.toMatchObject({
			code: unreadable,
		});
	});

	it('counts an expiry in this very millisecond as not passed', async () => {
		const content = await prepare(template({ items: [readItem()], expiresAt: now }));
		expect(content).toMatchObject({ onNewRelationship: { expiresAt: now } });
	});
});
