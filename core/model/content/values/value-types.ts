import { isKeyOf, keysOf } from '../../../base/members';

/*
 * Types of attribute values, the kinds of their members, and nothing else: the list of all content
 * types needs their names, and so does everything that builds on it.
 */

/**
 * Values with the single member `value`, and a schema URL for some (docs/protocol/content.md 7.3,
 * generation-7.md 4).
 */
export const simpleIdentityValues = {
	AffiliationOrganization: 'text',
	AffiliationRole: 'text',
	AffiliationUnit: 'text',
	BirthCity: 'text',
	BirthCountry: 'country',
	BirthDay: 'day',
	BirthMonth: 'month',
	BirthName: 'text',
	BirthState: 'text',
	BirthYear: 'year',
	Citizenship: 'country',
	City: 'text',
	CommunicationLanguage: 'language',
	Country: 'country',
	DisplayName: 'text',
	EMailAddress: 'email',
	FaxNumber: 'phone',
	GivenName: 'text',
	HonorificPrefix: 'text',
	HonorificSuffix: 'text',
	HouseNumber: 'text',
	IdentityFileReference: 'fileReference',
	JobTitle: 'text',
	MaritalStatus: 'maritalStatus',
	MiddleName: 'text',
	Nationality: 'country',
	PhoneNumber: 'phone',
	Pseudonym: 'text',
	SchematizedJSON: 'json',
	SchematizedXML: 'xml',
	Sex: 'sex',
	State: 'text',
	Street: 'text',
	Surname: 'text',
	Website: 'url',
	ZipCode: 'text',
} as const;

export type SimpleIdentityValueType = keyof typeof simpleIdentityValues;

/** Kinds of parts in plain text, which are no values of their own. */
export type PlainPart = 'text' | 'accountHolder' | 'iban' | 'bic';

/** Part of a composite value: a simple value type, or plain text. */
export interface ValuePart {
	readonly type: SimpleIdentityValueType | PlainPart;
	readonly required: boolean;
}

const one = <Type extends ValuePart['type']>(type: Type) => ({ type, required: true }) as const;
const optional = <Type extends ValuePart['type']>(type: Type) =>
	({ type, required: false }) as const;

/**
 * Composite values with their parts in the order of validation (docs/protocol/content.md 7.4,
 * generation-7.md 4.2).
 */
export const compositeIdentityValues = {
	Affiliation: {
		role: optional('AffiliationRole'),
		organization: one('AffiliationOrganization'),
		unit: optional('AffiliationUnit'),
	},
	BankAccount: {
		accountHolder: one('accountHolder'),
		iban: one('iban'),
		bic: optional('bic'),
	},
	BirthDate: { day: one('BirthDay'), month: one('BirthMonth'), year: one('BirthYear') },
	BirthPlace: {
		city: one('BirthCity'),
		country: one('BirthCountry'),
		state: optional('BirthState'),
	},
	DeliveryBoxAddress: {
		userId: one('text'),
		deliveryBoxId: one('text'),
		zipCode: one('ZipCode'),
		city: one('City'),
		country: one('Country'),
		phoneNumber: optional('PhoneNumber'),
		state: optional('State'),
		recipient: one('text'),
	},
	PersonName: {
		givenName: one('GivenName'),
		middleName: optional('MiddleName'),
		surname: one('Surname'),
		honorificSuffix: optional('HonorificSuffix'),
		honorificPrefix: optional('HonorificPrefix'),
	},
	PostOfficeBoxAddress: {
		boxId: one('text'),
		zipCode: one('ZipCode'),
		city: one('City'),
		country: one('Country'),
		state: optional('State'),
		recipient: one('text'),
	},
	StreetAddress: {
		street: one('Street'),
		houseNo: one('HouseNumber'),
		zipCode: one('ZipCode'),
		city: one('City'),
		country: one('Country'),
		state: optional('State'),
		recipient: one('text'),
	},
} as const satisfies Record<string, Readonly<Record<string, ValuePart>>>;

export type CompositeIdentityValueType = keyof typeof compositeIdentityValues;
export type IdentityValueType =
	SimpleIdentityValueType | CompositeIdentityValueType | 'VerifiableCredential';

/** Identity attribute values (docs/protocol/content.md 7.3, 7.4, generation-7.md 4.1). */
export const identityValueTypes: readonly IdentityValueType[] = [
	...keysOf(simpleIdentityValues),
	...keysOf(compositeIdentityValues),
	'VerifiableCredential' as const,
].sort();

/** Values of relationship attributes with a member `value` (docs/protocol/content.md 7.6). */
export const proprietaryValues = {
	ProprietaryBoolean: 'boolean',
	ProprietaryCountry: 'country',
	ProprietaryEMailAddress: 'email',
	ProprietaryFileReference: 'fileReference',
	ProprietaryFloat: 'float',
	ProprietaryHEXColor: 'hexColor',
	ProprietaryInteger: 'integer',
	ProprietaryJSON: 'json',
	ProprietaryLanguage: 'language',
	ProprietaryPhoneNumber: 'phone',
	ProprietaryString: 'text',
	ProprietaryURL: 'url',
	ProprietaryXML: 'xml',
} as const;

export type ProprietaryValueType = keyof typeof proprietaryValues;
export type RelationshipValueType = ProprietaryValueType | 'Consent';

/** Relationship attribute values (docs/protocol/content.md 7.6). */
export const relationshipValueTypes: readonly RelationshipValueType[] = [
	...keysOf(proprietaryValues),
	'Consent' as const,
].sort();

/** Parts of a composite identity value in the order of validation; undefined for other types. */
export function partsOf(type: string): Readonly<Record<string, ValuePart>> | undefined {
	return isKeyOf(compositeIdentityValues, type) ? compositeIdentityValues[type] : undefined;
}
