import type { INodeProperties } from 'n8n-workflow';
import { countryLocator, fileReferenceLocator, languageLocator } from './locators';
import { identityTypes } from './attribute-types';

/*
 * Value of an identity attribute as form fields: one field for simple types, one per part for
 * composite types. A test compares these tables with the core, which is not loaded before a node
 * runs.
 */

/** Types whose value is not plain text. */
export const specialTypes = {
	country: ['BirthCountry', 'Citizenship', 'Country', 'Nationality'],
	date: ['BirthDate'],
	file: ['IdentityFileReference'],
	json: ['SchematizedJSON'],
	language: ['CommunicationLanguage'],
	maritalStatus: ['MaritalStatus'],
	number: ['BirthDay', 'BirthMonth', 'BirthYear'],
	sex: ['Sex'],
} as const;

interface Parts {
	readonly required: readonly string[];
	readonly optional: readonly string[];
}

/** Parts of composite types. */
export const compositeTypes: Readonly<Record<string, Parts>> = {
	Affiliation: { required: ['organization'], optional: ['role', 'unit'] },
	BankAccount: { required: ['accountHolder', 'iban'], optional: ['bic'] },
	BirthDate: { required: ['day', 'month', 'year'], optional: [] },
	BirthPlace: { required: ['city', 'country'], optional: ['state'] },
	DeliveryBoxAddress: {
		required: ['userId', 'deliveryBoxId', 'zipCode', 'city', 'country', 'recipient'],
		optional: ['phoneNumber', 'state'],
	},
	PersonName: {
		required: ['givenName', 'surname'],
		optional: ['middleName', 'honorificPrefix', 'honorificSuffix'],
	},
	PostOfficeBoxAddress: {
		required: ['boxId', 'zipCode', 'city', 'country', 'recipient'],
		optional: ['state'],
	},
	StreetAddress: {
		required: ['street', 'houseNo', 'zipCode', 'city', 'country', 'recipient'],
		optional: ['state'],
	},
};

/** Labels and examples of parts, in the order of the form. */
const partFields: Readonly<Record<string, readonly [label: string, example: string]>> = {
	accountHolder: ['Account Holder', 'Ada Lovelace'],
	iban: ['IBAN', 'DE79100000000000424242'],
	bic: ['BIC', 'TESTDE2AXXX'],
	organization: ['Organization', 'Example Organisation'],
	role: ['Role', 'Member'],
	unit: ['Unit', 'Sales'],
	honorificPrefix: ['Honorific Prefix', 'Dr.'],
	givenName: ['Given Name', 'Ada'],
	middleName: ['Middle Name', 'Augusta'],
	surname: ['Last Name', 'Lovelace'],
	honorificSuffix: ['Honorific Suffix', 'PhD'],
	recipient: ['Recipient', 'Ada Lovelace'],
	street: ['Street', 'Main Street'],
	houseNo: ['House Number', '12a'],
	userId: ['User ID', '12345678'],
	deliveryBoxId: ['Delivery Box ID', '145'],
	boxId: ['Post Office Box', '1234'],
	zipCode: ['ZIP Code', '69115'],
	city: ['City', 'Heidelberg'],
	country: ['Country', ''],
	state: ['State', 'Baden-Württemberg'],
	phoneNumber: ['Phone Number', '+49 6221 123456'],
};

type Show = Readonly<Record<string, readonly string[]>>;

const otherTypes: readonly string[] = [
	...Object.keys(compositeTypes),
	...specialTypes.country,
	...specialTypes.file,
	...specialTypes.json,
	...specialTypes.language,
	...specialTypes.maritalStatus,
	...specialTypes.sex,
];

/**
 * Fields of a value; the type in `valueType` decides which of them are shown.
 *
 * @param show condition under which any of them is shown
 */
export function identityValueFields(show: Show = {}): INodeProperties[] {
	const forTypes = (types: readonly string[]): Pick<INodeProperties, 'displayOptions'> => ({
		displayOptions: { show: asShow({ ...show, valueType: types }) },
	});
	const withOneText = identityTypes
		.map(({ value }) => String(value))
		.filter((type) => !otherTypes.includes(type));
	return [
		{
			displayName: 'Value',
			name: 'value',
			type: 'string',
			...forTypes(withOneText),
			default: '',
			required: true,
			placeholder: 'e.g. Example Organisation',
		},
		{
			displayName: 'Value',
			name: 'jsonValue',
			type: 'json',
			...forTypes(specialTypes.json),
			default: '{}',
			description: 'Any JSON value except null, of at most 4096 characters',
		},
		{
			displayName: 'Schema URL',
			name: 'schemaUrl',
			type: 'string',
			...forTypes(['SchematizedJSON', 'SchematizedXML']),
			default: '',
			placeholder: 'e.g. https://example.com/schema.xsd',
		},
		{
			displayName: 'Credential Format',
			name: 'credentialFormat',
			type: 'string',
			...forTypes(['VerifiableCredential']),
			default: 'dc+sd-jwt',
			description: 'Format of the value; the credential itself is not verified',
		},
		{
			displayName: 'Display Information',
			name: 'displayInformation',
			type: 'json',
			...forTypes(['VerifiableCredential']),
			default: '[]',
			description: 'List of JSON objects that say how wallets show it, one for each language',
		},
		{
			displayName: 'Sex',
			name: 'sex',
			type: 'options',
			...forTypes(specialTypes.sex),
			options: [
				{ name: 'Female', value: 'female' },
				{ name: 'Intersex', value: 'intersex' },
				{ name: 'Male', value: 'male' },
			],
			default: 'female',
		},
		{
			displayName: 'Marital Status',
			name: 'maritalStatus',
			type: 'options',
			...forTypes(specialTypes.maritalStatus),
			options: [
				{ name: 'Civil Partner Deceased', value: 'civilPartnerDeceased' },
				{ name: 'Civil Partnership', value: 'civilPartnership' },
				{ name: 'Civil Partnership Dissolved', value: 'civilPartnershipDissolved' },
				{ name: 'Divorced', value: 'divorced' },
				{ name: 'Married', value: 'married' },
				{ name: 'Separated', value: 'separated' },
				{ name: 'Single', value: 'single' },
				{ name: 'Widowed', value: 'widowed' },
			],
			default: 'single',
		},
		{ ...languageLocator(), ...forTypes(specialTypes.language) },
		{ ...fileReferenceLocator(), ...forTypes(specialTypes.file) },
		{
			displayName: 'Date',
			name: 'date',
			type: 'dateTime',
			typeOptions: { dateOnly: true },
			...forTypes(specialTypes.date),
			default: '',
			required: true,
		},
		...Object.keys(partFields).flatMap((name) => partField(name, forTypes)),
	];
}

/**
 * Builds the field of a part. Types that have the part in common share it; it is required
 * if all of them require it.
 */
function partField(
	name: string,
	forTypes: (types: readonly string[]) => Pick<INodeProperties, 'displayOptions'>,
): INodeProperties[] {
	const typesWith = (list: keyof Parts): string[] =>
		Object.keys(compositeTypes).filter((type) => compositeTypes[type]?.[list].includes(name));
	const types = [...typesWith('required'), ...typesWith('optional')];
	const required = typesWith('required').length > 0 ? { required: true } : {};
	if (name === 'country') {
		return [{ ...countryLocator(), ...forTypes([...types, ...specialTypes.country]) }];
	}
	const [displayName = name, example = ''] = partFields[name] ?? [];
	return [
		{
			displayName,
			name,
			type: 'string',
			...forTypes(types),
			default: '',
			...required,
			placeholder: `e.g. ${example}`,
		},
	];
}

/** Copies the conditions, because n8n's type requires mutable lists. */
export function asShow(show: Show): Record<string, string[]> {
	return Object.fromEntries(Object.entries(show).map(([name, values]) => [name, [...values]]));
}
