import type { IBinaryKeyData, IDataObject, INodeProperties } from 'n8n-workflow';
import { parseOwnRequest } from '../../core/model/content/requests/requests';
import type { JsonObject } from '../../core/model/json';
import { itemFields } from '../../nodes/Enmeshed/requests/item-fields';
import { entryFields } from '../../nodes/Enmeshed/requests/request-fields';
import { itemKinds, type ItemKind } from '../../nodes/Enmeshed/requests/item-kinds';
import { buildRequest } from '../../nodes/Enmeshed/requests/build-request';
import type { OperationCall } from '../../nodes/Enmeshed/operation/operation';
import { acquireGateway, type GatewayLease } from '../../core';
import { silentLogger } from '../../core/base/logger';
import { toGatewayConfig } from '../../nodes/Enmeshed/gateway/acquire-gateway';
import { executeFunctions } from '../support/n8n/n8n-functions';
import { NodeBench } from './support/node-bench';
import { loosely } from '../support/loosely';

jest.setTimeout(60_000);

let bench: NodeBench;
let lease: GatewayLease;

beforeAll(async () => {
	bench = await NodeBench.open();
	lease = await acquireGateway(toGatewayConfig(bench.credential), { logger: silentLogger });
});

afterAll(async () => {
	lease?.release();
	await bench?.close();
});

const locator = (value: unknown) => ({ __rl: true, mode: 'id', value });

/** What the form becomes. */
async function build(
	items: IDataObject[],
	options: IDataObject = {},
	more: IDataObject = {},
	binary: IBinaryKeyData = {},
): Promise<JsonObject> {
	const functions = executeFunctions({
		items: [{ json: {}, binary }],
		parameters: { requestItems: { items }, options, ...more },
		timezone: 'Europe/Berlin',
	});
	const call: OperationCall = {
		functions,
		gateway: lease.gateway,
		itemIndex: 0,
		signal: undefined,
		uploads: new Map(),
	};
	return loosely(await buildRequest(call));
}

/** The one item that an entry becomes, after the core has read it and found nothing wrong. */
async function buildOne(entry: IDataObject): Promise<JsonObject> {
	const request = await build([entry]);
	const [item] = request['items'] as JsonObject[];
	const [parsed] = parseOwnRequest(request)['items'] as JsonObject[];
	expect(parsed).toMatchObject(item ?? {});
	return item ?? {};
}

const relationshipAttribute = {
	key: 'customerNumber',
	attributeTitle: 'Customer number',
	confidentiality: 'private' as const,
	relationshipValueType: 'ProprietaryString',
	value: '4711',
};

/** One entry per kind, with the item that it becomes. */
const examples: Array<[ItemKind, IDataObject, JsonObject]> = [
	[
		'askFor',
		{ kind: 'askFor', valueType: 'EMailAddress', itemOptions: { tags: 'x:work, x:home' } },
		{
			'@type': 'ReadAttributeRequestItem',
			query: {
				'@type': 'IdentityAttributeQuery',
				valueType: 'EMailAddress',
				tags: ['x:work', 'x:home'],
			},
		},
	],
	[
		'askForSeveral',
		{ valueTypes: 'e-mail address, EMailAddress', itemOptions: { tags: 'x:work' } },
		{
			'@type': 'ReadAttributeRequestItem',
			query: {
				'@type': 'IdentityAttributeQuery',
				valueType: 'EMailAddress',
				tags: ['x:work'],
			},
		},
	],
	[
		'askForConsent',
		{ consent: 'I agree.', link: 'https://example.com/terms', linkDisplayText: 'Terms' },
		{
			'@type': 'ConsentRequestItem',
			consent: 'I agree.',
			link: 'https://example.com/terms',
			linkDisplayText: 'Terms',
		},
	],
	[
		'askForConsent',
		{ consent: 'I agree.', itemOptions: { title: 'Terms', requiresInteraction: true } },
		{
			'@type': 'ConsentRequestItem',
			title: 'Terms',
			consent: 'I agree.',
			requiresInteraction: true,
		},
	],
	[
		'askForCredential',
		{ authorizationRequestUrl: 'openid4vp://?client_id=verifier.example' },
		{
			'@type': 'ShareAuthorizationRequestRequestItem',
			authorizationRequestUrl: 'openid4vp://?client_id=verifier.example',
		},
	],
	[
		'askForRelationshipAttribute',
		{ ...relationshipAttribute, owner: 'peer', itemOptions: { attributeDescription: 'Ours' } },
		{
			'@type': 'ReadAttributeRequestItem',
			query: {
				'@type': 'RelationshipAttributeQuery',
				key: 'customerNumber',
				owner: '',
				attributeCreationHints: {
					title: 'Customer number',
					valueType: 'ProprietaryString',
					confidentiality: 'private',
					description: 'Ours',
				},
			},
		},
	],
	[
		'askFor',
		{
			valueType: 'StreetAddress',
			itemOptions: { expression: "StreetAddress.city='Heidelberg'", tags: 'x:work' },
		},
		{
			'@type': 'ReadAttributeRequestItem',
			query: {
				'@type': 'IQLQuery',
				queryString: "StreetAddress.city='Heidelberg'",
				attributeCreationHints: { valueType: 'StreetAddress', tags: ['x:work'] },
			},
		},
	],
	[
		'askFor',
		{
			valueType: 'JobTitle',
			itemOptions: { validFrom: '2030-01-01T00:00:00', validTo: '2030-07-01T00:00:00' },
		},
		{
			'@type': 'ReadAttributeRequestItem',
			query: {
				'@type': 'IdentityAttributeQuery',
				valueType: 'JobTitle',
				validFrom: '2029-12-31T23:00:00.000Z',
				validTo: '2030-06-30T22:00:00.000Z',
			},
		},
	],
	[
		'askForRelationshipAttribute',
		{
			...relationshipAttribute,
			itemOptions: {
				thirdParties: {
					people: [{ peer: locator('did:e:localhost:dids:0123456789abcdef012345') }],
				},
			},
		},
		{
			'@type': 'ReadAttributeRequestItem',
			query: {
				'@type': 'ThirdPartyRelationshipAttributeQuery',
				key: 'customerNumber',
				owner: '',
				thirdParty: ['did:e:localhost:dids:0123456789abcdef012345'],
			},
		},
	],
	[
		'askForRelationshipAttribute',
		{
			...relationshipAttribute,
			relationshipValueType: 'ProprietaryInteger',
			itemOptions: {
				valueHints: { allowedValues: '1\n2', helpText: 'How many?', lowest: 1, highest: 2 },
			},
		},
		{
			'@type': 'ReadAttributeRequestItem',
			query: {
				'@type': 'RelationshipAttributeQuery',
				key: 'customerNumber',
				owner: '',
				attributeCreationHints: {
					title: 'Customer number',
					valueType: 'ProprietaryInteger',
					confidentiality: 'private',
					valueHints: {
						'@type': 'ValueHints',
						editHelp: 'How many?',
						min: 1,
						max: 2,
						values: [
							{ key: 1, displayName: '1' },
							{ key: 2, displayName: '2' },
						],
					},
				},
			},
		},
	],
	[
		'askToDelete',
		{ sharedAttribute: locator('ATT00000000000000001') },
		{ '@type': 'DeleteAttributeRequestItem', attributeId: 'ATT00000000000000001' },
	],
	[
		'askToOfferLater',
		{ valueType: 'PhoneNumber' },
		{
			'@type': 'RegisterAttributeListenerRequestItem',
			query: { '@type': 'IdentityAttributeQuery', valueType: 'PhoneNumber' },
		},
	],
	[
		'create',
		{
			valueType: 'StreetAddress',
			recipient: 'Ada',
			street: 'Main Street',
			houseNo: 12,
			zipCode: '69115',
			city: 'Heidelberg',
			country: { __rl: true, mode: 'code', value: 'DE' },
			state: '',
		},
		{
			'@type': 'CreateAttributeRequestItem',
			attribute: {
				'@type': 'IdentityAttribute',
				owner: '',
				value: {
					'@type': 'StreetAddress',
					street: 'Main Street',
					houseNo: '12',
					zipCode: '69115',
					city: 'Heidelberg',
					country: 'DE',
					recipient: 'Ada',
				},
			},
		},
	],
	[
		'createRelationshipAttribute',
		{ ...relationshipAttribute, owner: 'peer', itemOptions: { isTechnical: true } },
		{
			'@type': 'CreateAttributeRequestItem',
			attribute: {
				'@type': 'RelationshipAttribute',
				owner: '',
				key: 'customerNumber',
				confidentiality: 'private',
				isTechnical: true,
				value: { '@type': 'ProprietaryString', title: 'Customer number', value: '4711' },
			},
		},
	],
	[
		'formField',
		{ title: 'How did you find us?', fieldType: 'selection', choices: 'Friends\n Press \n' },
		{
			'@type': 'FormFieldRequestItem',
			title: 'How did you find us?',
			settings: { '@type': 'SelectionFormFieldSettings', options: ['Friends', 'Press'] },
		},
	],
	[
		'freeText',
		{ freeText: 'What can we do for you?' },
		{ '@type': 'FreeTextRequestItem', freeText: 'What can we do for you?' },
	],
	['logIn', { title: 'Shop' }, { '@type': 'AuthenticationRequestItem', title: 'Shop' }],
	[
		'offerCredential',
		{ credentialOfferUrl: 'openid-credential-offer://?credential_offer_uri=x' },
		{
			'@type': 'ShareCredentialOfferRequestItem',
			credentialOfferUrl: 'openid-credential-offer://?credential_offer_uri=x',
		},
	],
	[
		'propose',
		{ valueType: 'BirthDate', date: '1815-12-10' },
		{
			'@type': 'ProposeAttributeRequestItem',
			query: { '@type': 'IdentityAttributeQuery', valueType: 'BirthDate' },
			attribute: {
				'@type': 'IdentityAttribute',
				owner: '',
				value: { '@type': 'BirthDate', day: 10, month: 12, year: 1815 },
			},
		},
	],
	[
		'proposeRelationshipAttribute',
		{
			...relationshipAttribute,
			owner: 'me',
			relationshipValueType: 'ProprietaryInteger',
			numberValue: 7,
		},
		{
			'@type': 'ProposeAttributeRequestItem',
			query: {
				'@type': 'RelationshipAttributeQuery',
				key: 'customerNumber',
				owner: '',
				attributeCreationHints: {
					title: 'Customer number',
					valueType: 'ProprietaryInteger',
					confidentiality: 'private',
				},
			},
			attribute: {
				'@type': 'RelationshipAttribute',
				owner: '',
				key: 'customerNumber',
				confidentiality: 'private',
				isTechnical: false,
				value: { '@type': 'ProprietaryInteger', title: 'Customer number', value: 7 },
			},
		},
	],
];

describe('an entry of the request form', () => {
	it.each(examples)('%s becomes its item', async (kind, entry, item) => {
		const mustBeAccepted = kind.length % 2 === 0;
		expect(await buildOne({ kind, mustBeAccepted, group: '', ...entry })).toEqual({
			...item,
			mustBeAccepted,
		});
	});

	it('that shares takes the content of the attribute', async () => {
		const created = await bench.one('attribute', 'create', {
			valueType: 'PersonName',
			givenName: 'Ada',
			surname: 'Lovelace',
		});
		const item = await buildOne({ kind: 'share', attribute: locator(created['id']) });
		const { content } = await lease.gateway.attributes.get(String(created['id']));
		expect(item).toEqual({
			'@type': 'ShareAttributeRequestItem',
			mustBeAccepted: true,
			attribute: content,
			sourceAttributeId: created['id'],
		});
	});

	it('that hands over a file names it with what makes the peer its owner', async () => {
		const { id } = await bench.one('file', 'upload', { source: 'text', text: 'Hello' });
		const file = await lease.gateway.files.get(String(id));
		expect(await buildOne({ kind: 'handOverFile', file: locator(id) })).toEqual({
			'@type': 'TransferFileOwnershipRequestItem',
			mustBeAccepted: true,
			fileReference: file.truncatedReference,
			ownershipToken: file.ownershipToken,
		});
	});

	it('that hands over a file of the input uploads it', async () => {
		const binary = {
			data: {
				data: Buffer.from('Hello').toString('base64'),
				mimeType: 'text/plain',
				fileName: 'a.txt',
			},
		};
		const entry = { kind: 'handOverFile', fileSource: 'input', binaryPropertyName: 'data' };
		const { items } = await build([entry], {}, {}, binary);
		const [{ fileReference, ownershipToken } = {} as JsonObject] = items as JsonObject[];
		const [newest] = await lease.gateway.files.list({
			orderBy: { field: 'inserted', direction: 'desc' },
			limit: 1,
		});
		expect(newest).toMatchObject({ filename: 'a.txt', truncatedReference: fileReference });
		expect(ownershipToken).toBe(newest?.ownershipToken);
	});

	it.each([
		[
			{ kind: 'handOverFile', file: locator('') },
			'File',
			'Choose a file of the list, or enter an ID',
		],
		[{ kind: 'create', valueType: 'BirthDate', date: '' }, 'Date', 'It is empty'],
		[
			{ kind: 'create', valueType: 'BirthDate', date: 'in May' },
			'Date',
			'Expected a date, for example 1990-12-31',
		],
		[
			{ kind: 'create', valueType: 'IdentityFileReference', fileReference: locator('') },
			'File',
			'It is empty',
		],
		[
			{
				...relationshipAttribute,
				kind: 'askForRelationshipAttribute',
				itemOptions: { thirdParties: { people: [{ peer: locator('') }] } },
			},
			'Third Party',
			'Choose an entry of the list, or enter an ID',
		],
	])('%j without a value names its field', async (entry, field, description) => {
		await expect(build([entry as IDataObject])).rejects.toMatchObject({
			message: `The field '${field}' in entry 1 is not valid`,
			description,
		});
	});

	it('creates an attribute with the reference of a file from the list', async () => {
		const { id } = await bench.one('file', 'upload', { source: 'text', text: 'Hello' });
		const { truncatedReference } = await lease.gateway.files.get(String(id));
		const fileReference = { __rl: true, mode: 'list', value: truncatedReference };
		const entry = { kind: 'create', valueType: 'IdentityFileReference' as const, fileReference };
		expect(await buildOne(entry)).toMatchObject({
			attribute: { value: { '@type': 'IdentityFileReference', value: truncatedReference } },
		});
		const shared = {
			...relationshipAttribute,
			kind: 'createRelationshipAttribute',
			relationshipValueType: 'ProprietaryFileReference',
			fileReference,
		};
		expect(await buildOne(shared)).toMatchObject({
			attribute: { value: { '@type': 'ProprietaryFileReference', value: truncatedReference } },
		});
	});

	it('that asks for several types becomes one item for each, in their order', async () => {
		const group = 'Contact';
		const { items } = await build([
			{
				kind: 'askForSeveral',
				valueTypes: 'First Name, surname,EMailAddress, GivenName',
				mustBeAccepted: false,
				group,
			},
		]);
		expect(items).toEqual([
			{
				'@type': 'RequestItemGroup',
				title: group,
				items: ['GivenName', 'Surname', 'EMailAddress'].map((valueType) => ({
					'@type': 'ReadAttributeRequestItem',
					query: { '@type': 'IdentityAttributeQuery', valueType },
					mustBeAccepted: false,
				})),
			},
		]);
	});

	it.each([
		['Emial Address', "There is no attribute type 'Emial Address'. Similar: EMailAddress."],
		['email', "There is no attribute type 'email'. Similar: EMailAddress."],
		[
			'GivenName, Phone, Stret',
			"'Phone'. Similar: PhoneNumber. There is no attribute type 'Stret'",
		],
		['Birth Dat', 'Similar: BirthDate'],
		['Shoe size', /'Shoe size'. Types: GivenName, .*, ZipCode\.$/],
	])('that asks for %s names the types that there are', async (valueTypes, message) => {
		await expect(build([{ kind: 'askForSeveral', valueTypes }])).rejects.toMatchObject({
			code: 'error.gateway.requests.unknownAttributeTypes',
			message:
				typeof message === 'string'
					? expect.stringContaining(message)
					: expect.stringMatching(message),
		});
	});

	it.each(['', ' , '])('that asks for several types needs one: %j', async (valueTypes) => {
		await expect(build([{ kind: 'askForSeveral', valueTypes }])).rejects.toMatchObject({
			message: "The field 'Types' in entry 1 is not valid",
			description: 'Enter at least one type',
		});
	});

	it('has an example for every kind', () => {
		const tried = new Set([...examples.map(([kind]) => kind), 'share', 'handOverFile']);
		expect([...tried].sort()).toEqual(itemKinds.map(({ value }) => value).sort());
	});

	it.each([
		['text', { allowNewlines: true, max: 5 }, 'StringFormFieldSettings'],
		['integer', { unit: 'kg', min: 1 }, 'IntegerFormFieldSettings'],
		['number', { unit: 'km', max: 2.5 }, 'DoubleFormFieldSettings'],
		['boolean', {}, 'BooleanFormFieldSettings'],
		['date', {}, 'DateFormFieldSettings'],
	])('asks for a %s with its options', async (fieldType, fieldOptions, type) => {
		const item = await buildOne({ kind: 'formField', title: 'x', fieldType, fieldOptions });
		expect(item['settings']).toEqual({ '@type': type, ...fieldOptions });
	});

	it('asks for a rating', async () => {
		const entry = { kind: 'formField', title: 'x', fieldType: 'rating', maxRating: 7 };
		expect((await buildOne(entry))['settings']).toEqual({
			'@type': 'RatingFormFieldSettings',
			maxRating: 7,
		});
	});

	it.each([
		['ProprietaryBoolean', { booleanValue: true }, true],
		['ProprietaryFloat', { numberValue: 1.5 }, 1.5],
		['ProprietaryJSON', { jsonValue: '{ "a": [1] }' }, { a: [1] }],
		['ProprietaryCountry', { country: 'DE' }, 'DE'],
		['ProprietaryLanguage', { language: 'de' }, 'de'],
		['ProprietaryURL', { value: 'https://example.com' }, 'https://example.com'],
	])(
		'creates a relationship attribute of type %s',
		async (relationshipValueType, entered, value) => {
			const entry = {
				kind: 'createRelationshipAttribute',
				...relationshipAttribute,
				relationshipValueType,
				...entered,
			};
			expect((await buildOne(entry))['attribute']).toMatchObject({
				value: { '@type': relationshipValueType, title: 'Customer number', value },
			});
		},
	);

	it('creates a consent that is kept', async () => {
		const entry = {
			kind: 'createRelationshipAttribute',
			...relationshipAttribute,
			relationshipValueType: 'Consent',
			consent: 'I agree.',
			owner: 'me',
		};
		expect((await buildOne(entry))['attribute']).toMatchObject({
			owner: (await lease.gateway.account.getIdentity()).address,
			value: { '@type': 'Consent', consent: 'I agree.' },
		});
	});

	it.each([
		[
			{ valueType: 'BirthMonth', value: 2 },
			{ '@type': 'BirthMonth', value: 2 },
		],
		[
			{ valueType: 'Citizenship', country: 'AT' },
			{ '@type': 'Citizenship', value: 'AT' },
		],
		[
			{ valueType: 'CommunicationLanguage', language: 'en' },
			{ '@type': 'CommunicationLanguage', value: 'en' },
		],
		[
			{ valueType: 'Sex', sex: 'intersex' },
			{ '@type': 'Sex', value: 'intersex' },
		],
		[
			{ valueType: 'SchematizedXML', value: '<a/>', schemaUrl: 'https://example.com/a.xsd' },
			{ '@type': 'SchematizedXML', schemaURL: 'https://example.com/a.xsd', value: '<a/>' },
		],
	])('creates the value of %j', async (entered, value) => {
		const item = await buildOne({ kind: 'create', ...entered });
		expect((item['attribute'] as JsonObject)['value']).toEqual(value);
	});

	it.each([
		[{ kind: 'askForConsent', consent: ' ' }, 'Consent'],
		[{ kind: 'create', valueType: 'Surname', value: '' }, 'Value'],
		[{ kind: 'create', valueType: 'PersonName', givenName: 'Ada' }, 'Last Name'],
		[{ kind: 'create', valueType: 'Country' }, 'Country'],
		[{ kind: 'createRelationshipAttribute', ...relationshipAttribute, value: '' }, 'Value'],
		[{ kind: 'share', attribute: locator('') }, 'Attribute'],
		[{ kind: 'askToDelete' }, 'Attribute'],
		[{ kind: 'askForCredential' }, 'Authorization Request URL'],
		[{ kind: 'offerCredential', credentialOfferUrl: ' ' }, 'Credential Offer URL'],
		[{ kind: 'logIn', title: '' }, 'Title'],
		[{ kind: 'askFor', valueType: 'Surname', itemOptions: { metadata: '[1' } }, 'Metadata'],
	])('that is not filled in is refused: %j', async (entry, label) => {
		await expect(build([{ kind: 'askFor', valueType: 'Surname' }, entry])).rejects.toMatchObject({
			message: `The field '${label}' in entry 2 is not valid`,
			context: { itemIndex: 0 },
		});
	});
});

describe('a request', () => {
	it('keeps the order of its entries, and groups where their first entry stands', async () => {
		const ask = (valueType: string, group: string) => ({ kind: 'askFor', valueType, group });
		const request = await build(
			[
				{ kind: 'logIn', title: 'Shop' },
				ask('GivenName', 'You'),
				{ kind: 'freeText', freeText: 'Hello' },
				ask('Surname', 'You'),
			],
			{
				title: 'Welcome',
				description: 'To our shop',
				metadata: '{ "step": 1 }',
				expiresAt: '2099-06-01T12:00:00',
				groups: { groups: [{ title: 'You', description: 'Who you are', metadata: '{"a":1}' }] },
			},
		);
		expect(request).toMatchObject({
			'@type': 'Request',
			title: 'Welcome',
			description: 'To our shop',
			metadata: { step: 1 },
			expiresAt: '2099-06-01T10:00:00.000Z',
			items: [
				{ '@type': 'AuthenticationRequestItem' },
				{
					'@type': 'RequestItemGroup',
					title: 'You',
					description: 'Who you are',
					metadata: { a: 1 },
					items: [{ query: { valueType: 'GivenName' } }, { query: { valueType: 'Surname' } }],
				},
				{ '@type': 'FreeTextRequestItem' },
			],
		});
		expect(() => parseOwnRequest(request)).not.toThrow();
	});

	it('says of each entry what is said of it', async () => {
		const itemOptions = {
			title: 'Your name',
			description: 'For the letter',
			metadata: '{ "a": 1 }',
			requireManualDecision: true,
		};
		expect(await buildOne({ kind: 'askFor', valueType: 'Surname', itemOptions })).toMatchObject({
			...itemOptions,
			metadata: { a: 1 },
		});
	});
});

describe("the list 'Ask For'", () => {
	const read = (valueType: string, mustBeAccepted: boolean): JsonObject => ({
		'@type': 'ReadAttributeRequestItem',
		query: { '@type': 'IdentityAttributeQuery', valueType },
		mustBeAccepted,
	});

	it.each([
		['all of them without a choice', undefined, true, true],
		['all of them', ['all'], true, true],
		['one of them', ['GivenName'], true, false],
		['none of them', [], false, false],
	])('requires %s', async (_name, requiredTypes, first, second) => {
		const asked = {
			askForTypes: ['GivenName', 'EMailAddress'],
			...(requiredTypes === undefined ? {} : { requiredTypes }),
		};
		const request = await build([], {}, asked);
		expect(request['items']).toEqual([read('GivenName', first), read('EMailAddress', second)]);
		expect(() => parseOwnRequest(request)).not.toThrow();
	});

	it('comes before the entries', async () => {
		const entry = { kind: 'freeText', freeText: 'How are you?' };
		const { items } = await build([entry], {}, { askForTypes: ['Surname'] });
		expect(items).toMatchObject([read('Surname', true), { '@type': 'FreeTextRequestItem' }]);
	});

	it.each([
		['Given Name, EMailAddress'],
		['first name, e-mail address'],
		['Given Name (GivenName), Email Address (EMailAddress)'],
	])('takes the text %s of an expression', async (askForTypes) => {
		const { items } = await build([], {}, { askForTypes });
		expect(items).toEqual([read('GivenName', true), read('EMailAddress', true)]);
	});

	it('refuses to require what it does not ask for', async () => {
		const asked = { askForTypes: ['Surname'], requiredTypes: ['BirthDate'] };
		await expect(build([], {}, asked)).rejects.toMatchObject({
			message: "The field 'Required' is not valid",
			description: "'Birth Date' is not chosen under 'Ask For'",
		});
	});

	it('may be empty only if there are entries', async () => {
		await expect(build([])).rejects.toMatchObject({
			message: 'The request is empty',
			description: "Choose something under 'Ask For', or add an entry under 'Entries'",
		});
	});
});

describe('the title of an entry in the editor', () => {
	const template = entryFields[2]?.typeOptions?.fixedCollection?.itemTitle ?? '';
	const expression = /^=\{\{ (.*) \}\}$/s.exec(template)?.[1] ?? '';

	const titleOf = (value: IDataObject): unknown => {
		const $collection = { item: { value, properties: itemFields } };
		return new Function('$collection', `return ${expression}`)($collection);
	};

	it.each([
		[{ kind: 'askFor', valueType: 'EMailAddress' }, 'Ask For: Email Address (EMailAddress)'],
		[
			{ kind: 'askForSeveral', valueTypes: ['GivenName', 'Surname'] },
			'Ask For Several: GivenName, Surname',
		],
		[
			{ kind: 'handOverFile', fileSource: 'input', binaryPropertyName: 'data' },
			'Hand Over File: data',
		],
		[
			{ kind: 'create', valueType: 'StreetAddress', consent: 'left behind' },
			'Create on the Other Side: Street Address (StreetAddress)',
		],
		[{ kind: 'askForConsent', consent: 'I agree.' }, 'Ask For Consent: I agree.'],
		[{ kind: 'formField', title: 'Age' }, 'Form Field: Age'],
		[{ kind: 'askForCredential', authorizationRequestUrl: 'v:' }, 'Ask For Credential: v:'],
		[{ kind: 'offerCredential', credentialOfferUrl: 'o:' }, 'Offer Credential: o:'],
		[
			{ kind: 'share', attribute: { value: 'ATT1', cachedResultName: 'Last Name: Byron' } },
			'Share: Last Name: Byron',
		],
		[{ kind: 'share', attribute: '' }, 'Share'],
	])('of %j is %s', (value, title) => {
		expect(titleOf(value)).toBe(title);
	});
});

describe('the fields of an entry', () => {
	const shownFor = (kind: ItemKind): INodeProperties[] =>
		itemFields.filter(({ displayOptions }) => {
			const kinds = displayOptions?.show?.['kind'];
			return kinds === undefined || kinds.includes(kind);
		});

	it.each(itemKinds)('for $value are shown once', ({ value }) => {
		const seen = new Map<string, INodeProperties['displayOptions']>();
		for (const { name, displayOptions } of shownFor(value)) {
			// Fields of one name are shown for different types only.
			expect(seen.get(name)).not.toEqual(displayOptions ?? 'always');
			seen.set(name, displayOptions);
		}
		expect(seen.has('mustBeAccepted')).toBe(true);
		expect(seen.has('itemOptions')).toBe(true);
	});

	it('with a title of their own have no other one among the options', () => {
		for (const kind of ['formField', 'logIn', 'askFor'] as const) {
			const options = shownFor(kind).find(({ name }) => name === 'itemOptions')?.options;
			expect(options?.some(({ name }) => name === 'title')).toBe(kind === 'askFor');
		}
	});
});
