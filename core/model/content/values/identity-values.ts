import type * as z from 'zod';
import { systemClock } from '../../../base/clock';
import type { JsonObject } from '../../json';
import { child, contentType, type ContentType, type MemberCheck } from '../content-type';
import { textField } from '../fields';
import { textFormats } from './text-formats';
import { kindField, valueKinds, type ValueKind, type ValueKindName } from './value-kinds';

/** Values with the single member `value` (docs/protocol/content.md 7.3). */
const simple = {
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
	MiddleName: 'text',
	Nationality: 'country',
	PhoneNumber: 'phone',
	Pseudonym: 'text',
	SchematizedXML: 'xml',
	Sex: 'sex',
	State: 'text',
	Street: 'text',
	Surname: 'text',
	Website: 'url',
	ZipCode: 'text',
} as const satisfies Record<string, ValueKindName>;

export type SimpleIdentityValueType = keyof typeof simple;

/** Part of a composite value: a simple value type, or plain text. */
export interface ValuePart {
	readonly type: SimpleIdentityValueType | 'text';
	readonly required: boolean;
}

const one = (type: ValuePart['type']): ValuePart => ({ type, required: true });
const optional = (type: ValuePart['type']): ValuePart => ({ type, required: false });

/** Composite values with their parts in the order of validation (docs/protocol/content.md 7.4). */
const composite = {
	Affiliation: {
		role: optional('AffiliationRole'),
		organization: one('AffiliationOrganization'),
		unit: optional('AffiliationUnit'),
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

export type CompositeIdentityValueType = keyof typeof composite;
export type IdentityValueType = SimpleIdentityValueType | CompositeIdentityValueType;

export const simpleIdentityValueTypes = Object.keys(simple) as readonly SimpleIdentityValueType[];
export const compositeIdentityValueTypes = Object.keys(
	composite,
) as readonly CompositeIdentityValueType[];

/** Kind of a simple identity value; undefined for every other type. */
export function simpleKindOf(type: string): ValueKind | undefined {
	if (!Object.hasOwn(simple, type)) return undefined;
	return valueKinds[simple[type as SimpleIdentityValueType]];
}

/** Parts of a composite identity value in the order of validation; undefined for other types. */
export function partsOf(type: string): Readonly<Record<string, ValuePart>> | undefined {
	return Object.hasOwn(composite, type) ? composite[type as CompositeIdentityValueType] : undefined;
}

/**
 * Splits a composite value into child values, each as the value of an attribute of its own; parts
 * in plain text are omitted (docs/protocol/content.md 7.8).
 *
 * @param value parsed identity value of any type
 */
export function childValuesOf(value: JsonObject): JsonObject[] {
	const parts = Object.entries(partsOf(String(value['@type'])) ?? {});
	return parts.flatMap(([name, { type }]) => {
		const member = value[name];
		if (type === 'text' || member === undefined || member === null) return [];
		return [{ '@type': type, value: member }];
	});
}

let made: Readonly<Record<IdentityValueType, ContentType>> | undefined;

/** Identity values of version 6, by type. */
export function identityValues(): Readonly<Record<IdentityValueType, ContentType>> {
	made ??= Object.fromEntries([
		...simpleIdentityValueTypes.map((type) => [type, simpleValue(type)] as const),
		...compositeIdentityValueTypes.map((type) => [type, compositeValue(type)] as const),
	]) as Record<IdentityValueType, ContentType>;
	return made;
}

function simpleValue(type: SimpleIdentityValueType): ContentType {
	const kind: ValueKind = valueKinds[simple[type]];
	const shape = () => ({
		...(type === 'SchematizedXML' ? { schemaURL: schemaUrlField() } : {}),
		value: kindField(kind),
	});
	return contentType(type, shape, { bare: kind.json === 'string' ? 'string' : 'number' });
}

/** Field for the schema URL of values that hold XML (docs/protocol/content.md 7.3, 7.6). */
export function schemaUrlField(): z.ZodType<string | undefined> {
	return textField({ min: 3, max: 1024, format: textFormats.schemaUrl }).optional();
}

function compositeValue(type: CompositeIdentityValueType): ContentType {
	return contentType(
		type,
		() =>
			Object.fromEntries(
				Object.entries(composite[type]).map(([name, part]) => [name, partField(part)]),
			),
		type === 'BirthDate' ? { check: checkBirthDate } : {},
	);
}

function partField({ type, required }: ValuePart): z.ZodType {
	if (type === 'text') return textField({ max: 100 });
	const field = child(() => identityValues()[type]);
	return required ? field : field.nullish();
}

/**
 * The date must exist in the calendar and not lie in the future, in the time zone of this process.
 */
const checkBirthDate: MemberCheck = (value, reportAt) => {
	const [day, month, year] = [Number(value['day']), Number(value['month']), Number(value['year'])];
	// The constructor of Date maps years below 100 to the twentieth century.
	const date = new Date(2000, 0, 1);
	date.setFullYear(year, month - 1, day);
	if (date.getMonth() !== month - 1 || date.getDate() !== day) {
		reportAt('day', 'the month does not have that day');
	} else if (date.getTime() > systemClock.now()) {
		reportAt('year', 'the date is in the future');
	}
};
