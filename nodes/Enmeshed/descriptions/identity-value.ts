import type { INodeProperties } from 'n8n-workflow';
import { countryLocator, fileReferenceLocator, languageLocator } from './locators';
import { identityTypes } from './attribute-types';

/*
 * Value of an identity attribute as form fields: one field for simple types, one per part for composite
 * types. A test compares these tables with the core, which is not loaded before a node runs.
 */

/** Types whose value is not plain text. */
export const specialTypes = {
	country: ['BirthCountry', 'Citizenship', 'Country', 'Nationality'],
	date: ['BirthDate'],
	file: ['IdentityFileReference'],
	language: ['CommunicationLanguage'],
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
	...specialTypes.language,
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
			displayName: 'Schema URL',
			name: 'schemaUrl',
			type: 'string',
			...forTypes(['SchematizedXML']),
			default: '',
			placeholder: 'e.g. https://example.com/schema.xsd',
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
