/** Types that the words of their name do not describe well. */
const labels: Readonly<Record<string, string>> = {
	EMailAddress: 'Email address',
	IdentityFileReference: 'File',
	ProprietaryBoolean: 'Yes or no',
	ProprietaryFileReference: 'File',
	ProprietaryFloat: 'Number',
	ProprietaryHEXColor: 'Color',
	ProprietaryInteger: 'Whole number',
	ProprietaryJSON: 'JSON',
	ProprietaryString: 'Text',
	ProprietaryURL: 'Web address',
	ProprietaryXML: 'XML document',
	SchematizedJSON: 'JSON document',
	SchematizedXML: 'XML document',
	Surname: 'Last name',
	ZipCode: 'ZIP code',
	bic: 'BIC',
	boxId: 'Post office box',
	deliveryBoxId: 'Delivery box ID',
	houseNo: 'House number',
	iban: 'IBAN',
	linkDisplayText: 'Text of the link',
	schemaURL: 'Schema URL',
	surname: 'Last name',
	userId: 'User ID',
	zipCode: 'ZIP code',
};

/** Types that a person adds to the own data, the usual ones first. */
export const personalTypes: readonly string[] = [
	...['DisplayName', 'GivenName', 'Surname', 'EMailAddress', 'PhoneNumber', 'StreetAddress'],
	...['BirthDate', 'BirthPlace', 'BirthName', 'Nationality', 'Citizenship', 'Sex'],
	...['MaritalStatus', 'BankAccount'],
	...['CommunicationLanguage', 'JobTitle', 'Affiliation', 'Website', 'Pseudonym', 'MiddleName'],
	...['HonorificPrefix', 'HonorificSuffix', 'FaxNumber', 'DeliveryBoxAddress'],
	...['PostOfficeBoxAddress', 'IdentityFileReference'],
];

/** Words of a type or member, such as 'Email address' for `EMailAddress`. */
export function labelOf(name: string): string {
	if (Object.hasOwn(labels, name)) return labels[name] ?? name;
	const words = name.replace(/^Proprietary/, '').replace(/([a-z])([A-Z])/g, '$1 $2');
	return words.charAt(0).toUpperCase() + words.slice(1).toLowerCase();
}

/** The label inside a sentence. */
export function labelInText(name: string): string {
	const label = labelOf(name);
	return /^[A-Z]{2}/.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1);
}

const countries = new Intl.DisplayNames(['en'], { type: 'region' });
const languages = new Intl.DisplayNames(['en'], { type: 'language' });

export type CodeKind = 'country' | 'language';

/** Name of a country or language; the code itself if it has none. */
export function nameOfCode(kind: CodeKind, code: string): string {
	try {
		return (kind === 'country' ? countries : languages).of(code) ?? code;
	} catch {
		return code;
	}
}
