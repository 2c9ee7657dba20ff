import type { INodePropertyOptions } from 'n8n-workflow';

/*
 * Types of attributes with their labels. They are listed here because the core is not loaded before
 * a node runs; a test compares both.
 */

const onlyVersion6 = 'Wallets of version 7 do not accept it';
const onlyVersion7 = 'Wallets of version 6 do not know it';

/** Labels of the types of attributes that describe an identity. */
const identityLabels: INodePropertyOptions[] = [
	{ name: 'Affiliation', value: 'Affiliation' },
	{
		name: 'Affiliation: Organization',
		value: 'AffiliationOrganization',
		description: onlyVersion6,
	},
	{ name: 'Affiliation: Role', value: 'AffiliationRole', description: onlyVersion6 },
	{ name: 'Affiliation: Unit', value: 'AffiliationUnit', description: onlyVersion6 },
	{ name: 'Bank Account', value: 'BankAccount', description: onlyVersion7 },
	{ name: 'Birth City', value: 'BirthCity', description: onlyVersion6 },
	{ name: 'Birth Country', value: 'BirthCountry', description: onlyVersion6 },
	{ name: 'Birth Date', value: 'BirthDate' },
	{ name: 'Birth Day', value: 'BirthDay', description: onlyVersion6 },
	{ name: 'Birth Month', value: 'BirthMonth', description: onlyVersion6 },
	{ name: 'Birth Name', value: 'BirthName' },
	{ name: 'Birth Place', value: 'BirthPlace' },
	{ name: 'Birth State', value: 'BirthState', description: onlyVersion6 },
	{ name: 'Birth Year', value: 'BirthYear', description: onlyVersion6 },
	{ name: 'Citizenship', value: 'Citizenship' },
	{ name: 'City', value: 'City', description: onlyVersion6 },
	{ name: 'Communication Language', value: 'CommunicationLanguage' },
	{ name: 'Country', value: 'Country', description: onlyVersion6 },
	{ name: 'Delivery Box Address', value: 'DeliveryBoxAddress' },
	{ name: 'Display Name', value: 'DisplayName' },
	{ name: 'Email Address', value: 'EMailAddress' },
	{ name: 'Fax Number', value: 'FaxNumber' },
	{
		name: 'File',
		value: 'IdentityFileReference',
		description: 'The reference of a file that the owner has uploaded',
	},
	{ name: 'Given Name', value: 'GivenName' },
	{ name: 'Honorific Prefix', value: 'HonorificPrefix' },
	{ name: 'Honorific Suffix', value: 'HonorificSuffix' },
	{ name: 'House Number', value: 'HouseNumber', description: onlyVersion6 },
	{ name: 'Job Title', value: 'JobTitle' },
	{ name: 'JSON Document', value: 'SchematizedJSON', description: onlyVersion7 },
	{ name: 'Last Name', value: 'Surname' },
	{ name: 'Marital Status', value: 'MaritalStatus', description: onlyVersion7 },
	{ name: 'Middle Name', value: 'MiddleName' },
	{ name: 'Nationality', value: 'Nationality' },
	{ name: 'Person Name', value: 'PersonName', description: onlyVersion6 },
	{ name: 'Phone Number', value: 'PhoneNumber' },
	{ name: 'Post Office Box Address', value: 'PostOfficeBoxAddress' },
	{ name: 'Pseudonym', value: 'Pseudonym' },
	{ name: 'Sex', value: 'Sex' },
	{ name: 'State', value: 'State', description: onlyVersion6 },
	{ name: 'Street', value: 'Street', description: onlyVersion6 },
	{ name: 'Street Address', value: 'StreetAddress' },
	{ name: 'Verifiable Credential', value: 'VerifiableCredential', description: onlyVersion7 },
	{ name: 'Website', value: 'Website' },
	{ name: 'XML Document', value: 'SchematizedXML' },
	{ name: 'ZIP Code', value: 'ZipCode', description: onlyVersion6 },
];

/**
 * Labels of the types of attributes in which two identities record facts about their relationship,
 * such as a customer number.
 */
const relationshipLabels: INodePropertyOptions[] = [
	{ name: 'Color', value: 'ProprietaryHEXColor' },
	{ name: 'Consent', value: 'Consent' },
	{ name: 'Country', value: 'ProprietaryCountry' },
	{ name: 'Email Address', value: 'ProprietaryEMailAddress' },
	{ name: 'File', value: 'ProprietaryFileReference' },
	{ name: 'JSON', value: 'ProprietaryJSON' },
	{ name: 'Language', value: 'ProprietaryLanguage' },
	{ name: 'Number', value: 'ProprietaryFloat' },
	{ name: 'Phone Number', value: 'ProprietaryPhoneNumber' },
	{ name: 'Text', value: 'ProprietaryString' },
	{ name: 'Web Address', value: 'ProprietaryURL' },
	{ name: 'Whole Number', value: 'ProprietaryInteger' },
	{ name: 'XML Document', value: 'ProprietaryXML' },
	{ name: 'Yes or No', value: 'ProprietaryBoolean' },
];

/** Types that most requests ask for. */
const usualTypes = [
	'GivenName',
	'Surname',
	'EMailAddress',
	'PhoneNumber',
	'StreetAddress',
	'BirthDate',
	'Nationality',
	'DisplayName',
	'Affiliation',
	'JobTitle',
];

/** Position in lists: usual types, those that every wallet knows, others. */
function rankOf({ value, description }: INodePropertyOptions): number {
	const usual = usualTypes.indexOf(String(value));
	if (usual >= 0) return usual;
	const isForSome = description === onlyVersion6 || description === onlyVersion7;
	return usualTypes.length + (isForSome ? 1 : 0);
}

/**
 * Types of attributes that describe an identity, as lists offer them: usual types first, and types
 * that some wallets refuse last, both kinds of others in alphabetical order.
 */
export const identityTypes = identityLabels
	.toSorted((one, other) => rankOf(one) - rankOf(other))
	.map(withType);

/** Types of attributes about a relationship, as lists offer them. */
export const relationshipTypes = relationshipLabels.map(withType);

const storedLabels = [
	...identityLabels.map(({ name, value }) => ({ name, value })),
	...relationshipLabels.map(({ name, value }) => ({ name: `Relationship: ${name}`, value })),
].sort((a, b) => a.name.localeCompare(b.name, 'en'));

/** Types of both kinds, for selecting among all stored attributes. */
export const storedTypes: INodePropertyOptions[] = storedLabels.map(withType);

export function attributeTypeLabel(type: string): string {
	return storedLabels.find(({ value }) => value === type)?.name ?? type;
}

/** Adds the type to the label, so that both find it: 'Given Name (GivenName)'. */
function withType(option: INodePropertyOptions): INodePropertyOptions {
	const { name, value } = option;
	return name === value ? option : { ...option, name: `${name} (${String(value)})` };
}
