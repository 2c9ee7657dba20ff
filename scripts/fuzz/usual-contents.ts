const query = { '@type': 'IdentityAttributeQuery', valueType: 'GivenName' };
const givenName = { '@type': 'GivenName', value: 'Ada' };
const birthDate = { '@type': 'BirthDate', day: 10, month: 12, year: 1815 };

/** Valid contents of gateways and wallets, as a basis for mutations. */
export function usualContents(known: readonly string[]): readonly unknown[] {
	const [owner = ''] = known.filter((text) => text.startsWith('did:'));
	const attribute = { '@type': 'IdentityAttribute', owner, value: givenName };
	const relationshipAttribute = {
		'@type': 'RelationshipAttribute',
		owner,
		key: 'number',
		confidentiality: 'public',
		value: { '@type': 'ProprietaryString', title: 'Number', value: '1' },
	};
	const base = { mustBeAccepted: true };
	const items = [
		{ ...base, '@type': 'ReadAttributeRequestItem', query },
		{ ...base, '@type': 'CreateAttributeRequestItem', attribute: relationshipAttribute },
		{ ...base, '@type': 'ProposeAttributeRequestItem', query, attribute },
		{ ...base, '@type': 'ConsentRequestItem', consent: 'Yes?' },
		{ ...base, '@type': 'AuthenticationRequestItem', title: 'Log in' },
		{ ...base, '@type': 'FreeTextRequestItem', freeText: 'Hello' },
		{
			...base,
			'@type': 'FormFieldRequestItem',
			title: 'How many?',
			settings: { '@type': 'IntegerFormFieldSettings', min: 1, max: 9 },
		},
	];
	const request = {
		'@type': 'Request',
		items: [...items, { '@type': 'RequestItemGroup', items }],
	};
	return [
		...known,
		[...known],
		query,
		attribute,
		relationshipAttribute,
		request,
		items,
		[
			{ accept: true, existingAttributeId: known[0] },
			{ accept: true, freeText: 'Hello' },
		],
		{ value: givenName },
		{ value: birthDate, tags: ['x+%+private'] },
		{ '@type': 'Mail', to: [owner], subject: 'Hello', body: 'How are you?' },
		{ '@type': 'RelationshipTemplateContent', title: 'Welcome', onNewRelationship: request },
		{ '@type': 'ArbitraryRelationshipTemplateContent', value: { any: 'thing' } },
		{ '@type': 'RelationshipCreationContent', response: { '@type': 'Response', items: [] } },
		{ password: '1234', passwordIsPin: true, passwordLocationIndicator: 'Letter' },
		{ '@type': 'IQLQuery', queryString: '#Tag || GivenName' },
		'2999-01-01T00:00:00.000Z',
		'Relationship',
	];
}
