import { defined, isObject, textMember } from '../helpers/members';

type Members = Readonly<Record<string, unknown>>;

/** Parts of composite values as one line of text: a comma between groups, a blank between parts. */
const lines: Readonly<Record<string, ReadonlyArray<readonly string[]>>> = {
	Affiliation: [['role'], ['unit'], ['organization']],
	BankAccount: [['accountHolder'], ['iban'], ['bic']],
	BirthPlace: [['city'], ['state'], ['country']],
	DeliveryBoxAddress: [
		['recipient'],
		['userId', 'deliveryBoxId'],
		['zipCode', 'city'],
		['state'],
		['country'],
	],
	PersonName: [['honorificPrefix', 'givenName', 'middleName', 'surname', 'honorificSuffix']],
	PostOfficeBoxAddress: [['recipient'], ['boxId'], ['zipCode', 'city'], ['state'], ['country']],
	StreetAddress: [
		['recipient'],
		['street', 'houseNo'],
		['zipCode', 'city'],
		['state'],
		['country'],
	],
};

/**
 * Value of an attribute for workflows: a date of birth as an ISO date, and `text` beside the parts
 * of a value that has several. Other values stay as they are.
 *
 * @param value without its type; a list has a value for each item that asked for the type
 */
export function readableValue(type: string, value: unknown): unknown {
	if (Array.isArray(value)) return value.map((one) => readableValue(type, one));
	if (!isObject(value)) return value;
	if (type === 'BirthDate') return isoDate(value) ?? value;
	if (type === 'VerifiableCredential')
		return { ...defined({ text: nameOfCredential(value) }), ...value };
	const text = Object.hasOwn(lines, type) ? lineOf(lines[type] ?? [], value) : textOf(value);
	return text === undefined || text === '' ? value : { text, ...value };
}

/** The same for values by their types. */
export function readableValues<Values extends Members>(values: Values): Values {
	const readable = Object.entries(values).map(([type, value]): [string, unknown] => [
		type,
		readableValue(type, value),
	]);
	return { ...values, ...Object.fromEntries(readable) };
}

/** Only for dates that exist, because a peer may have sent any numbers. */
function isoDate({ day, month, year }: Members): string | undefined {
	const digits = (part: unknown, count: number): string => String(part).padStart(count, '0');
	const text = `${digits(year, 4)}-${digits(month, 2)}-${digits(day, 2)}`;
	const date = new Date(`${text}T00:00:00Z`);
	return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) ? text : undefined;
}

/** Name that the issuer gives to the credential, in the first language that has one. */
function nameOfCredential({ displayInformation }: Members): string | undefined {
	const shown: unknown[] = Array.isArray(displayInformation) ? displayInformation : [];
	return shown.map((one) => (isObject(one) ? textMember(one, 'name') : undefined)).find(Boolean);
}

function lineOf(groups: ReadonlyArray<readonly string[]>, value: Members): string {
	const joined = groups.map((names) =>
		names
			.map((name) => value[name])
			.filter((part) => typeof part === 'string' && part !== '')
			.join(' '),
	);
	return joined.filter((group) => group !== '').join(', ');
}

/** Values of relationship attributes have a title beside them, XML a schema, consents a link. */
function textOf({ value, consent, title, schemaURL, link }: Members): string | undefined {
	if ([title, schemaURL, link].every((beside) => beside === undefined)) return undefined;
	const main = value ?? consent;
	return ['string', 'number', 'boolean'].includes(typeof main) ? String(main) : undefined;
}
