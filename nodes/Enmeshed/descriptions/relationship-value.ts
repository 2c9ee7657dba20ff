import type { INodeProperties } from 'n8n-workflow';
import { relationshipTypes } from './attribute-types';
import { consentFields } from './consent';
import { asShow } from './identity-value';
import { countryLocator, fileReferenceLocator, languageLocator } from './locators';

type Show = Readonly<Record<string, readonly string[]>>;

/** Types whose value is not entered as text. */
const specialTypes = [
	'Consent',
	'ProprietaryBoolean',
	'ProprietaryCountry',
	'ProprietaryFileReference',
	'ProprietaryFloat',
	'ProprietaryInteger',
	'ProprietaryJSON',
	'ProprietaryLanguage',
];

/** Fields for the common name and the value type of a relationship attribute. */
export function relationshipAttributeFields(show: Show): INodeProperties[] {
	const displayOptions = { show: asShow(show) };
	return [
		{
			displayName: 'Attribute Title',
			name: 'attributeTitle',
			type: 'string',
			displayOptions: { show: asShow({ ...show }) },
			default: '',
			required: true,
			placeholder: 'e.g. Customer number',
			description: 'What people read',
		},
		{
			displayName: 'Key',
			name: 'key',
			type: 'string',
			displayOptions,
			default: '',
			required: true,
			placeholder: 'e.g. customerNumber',
			description:
				'The key by which both sides find the attribute. It can be used once per relationship and owner.',
		},
		{
			displayName: 'Confidentiality',
			name: 'confidentiality',
			type: 'options',
			displayOptions,
			options: [
				{ name: 'Private', value: 'private', description: 'Never shared with third parties' },
				{ name: 'Protected', value: 'protected', description: 'Shared after a warning' },
				{ name: 'Public', value: 'public', description: 'Shared without a warning' },
			],
			default: 'private',
			description: 'Whether third parties can get it',
		},
		{
			displayName: 'Value Type',
			name: 'relationshipValueType',
			type: 'options',
			displayOptions,
			options: relationshipTypes,
			default: 'ProprietaryString',
		},
	];
}

/** Side to which a relationship attribute belongs. */
export function ownerField(show: Show, owner: 'me' | 'peer'): INodeProperties {
	return {
		displayName: 'Belongs To',
		name: 'owner',
		type: 'options',
		displayOptions: { show: asShow(show) },
		options: [
			{ name: 'Me', value: 'me', description: 'Only you can change it later' },
			{ name: 'Peer', value: 'peer', description: 'Only the peer can change it later' },
		],
		default: owner,
		description: 'Who owns the attribute',
	};
}

/** Fields for the value itself; the type in `relationshipValueType` decides which one is shown. */
export function relationshipValueFields(show: Show): INodeProperties[] {
	const forTypes = (...types: string[]): Pick<INodeProperties, 'displayOptions'> => ({
		displayOptions: { show: asShow({ ...show, relationshipValueType: types }) },
	});
	const texts = relationshipTypes
		.map(({ value }) => String(value))
		.filter((type) => !specialTypes.includes(type))
		.sort();
	return [
		{
			displayName: 'Value',
			name: 'value',
			type: 'string',
			...forTypes(...texts),
			default: '',
			required: true,
			placeholder: 'e.g. 4711',
		},
		{
			displayName: 'Value',
			name: 'numberValue',
			type: 'number',
			...forTypes('ProprietaryFloat', 'ProprietaryInteger'),
			default: 0,
		},
		{
			displayName: 'Value',
			name: 'booleanValue',
			type: 'boolean',
			...forTypes('ProprietaryBoolean'),
			default: false,
			description: 'Whether the attribute says yes',
		},
		{
			displayName: 'Value',
			name: 'jsonValue',
			type: 'json',
			...forTypes('ProprietaryJSON'),
			default: '{}',
		},
		{ ...countryLocator(), ...forTypes('ProprietaryCountry') },
		{ ...languageLocator(), ...forTypes('ProprietaryLanguage') },
		{ ...fileReferenceLocator(), ...forTypes('ProprietaryFileReference') },
		...consentFields(forTypes('Consent')),
	];
}
