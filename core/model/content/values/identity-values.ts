import type * as z from 'zod';
import { systemClock } from '../../../base/clock';
import type { Json, JsonObject } from '../../json';
import {
	child,
	contentType,
	contentTypesByName,
	type ContentOf,
	type Flat,
	type ContentType,
	type MemberCheck,
} from '../content-type';
import { textField } from '../fields';
import { textFormats } from './text-formats';
import { kindField, valueKinds, type KindValue, type ValueKind } from './value-kinds';
import {
	compositeIdentityValues,
	partsOf,
	simpleIdentityValues,
	type CompositeIdentityValueType,
	type PlainPart,
	type SimpleIdentityValueType,
	type ValuePart,
} from './value-types';
import { verifiableCredential } from './verifiable-credential';
import { isKeyOf, keysOf } from '../../../base/members';

export { partsOf };

/** Kind of a simple identity value; undefined for every other type. */
export function simpleKindOf(type: string): ValueKind | undefined {
	return isKeyOf(simpleIdentityValues, type) ? valueKinds[simpleIdentityValues[type]] : undefined;
}

/** Kind of a part of a composite value. */
export function partKindOf({ type }: ValuePart): ValueKind {
	return valueKinds[isSimpleType(type) ? simpleIdentityValues[type] : type];
}

/**
 * Splits a composite value into child values, each as the value of an attribute of its own; parts
 * in plain text are omitted (docs/protocol/content.md 7.8).
 *
 * @param value parsed identity value of any type
 */
export function childValuesOf(value: { '@type': string } & JsonObject): IdentityPart[] {
	const parts = Object.entries(partsOf(value['@type']) ?? {});
	return parts.flatMap(([name, { type }]) => {
		const { [name]: member } = value;
		if (!isSimpleType(type) || member === undefined || member === null) return [];
		// eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- a parsed value has parts of the types in its table
		return [{ '@type': type, value: member } as IdentityPart];
	});
}

/** Tells simple value types from kinds of plain parts and from all other types. */
const isSimpleType = (type: string): type is SimpleIdentityValueType =>
	isKeyOf(simpleIdentityValues, type);

/** Types of which a value may name the schema, and whether that is validated before the value. */
const schemaTypes = { SchematizedJSON: 'after', SchematizedXML: 'before' } as const;

/** Value of a part of a composite value. */
export type IdentityPart = Flat<ContentOf<IdentityValues[SimpleIdentityValueType]>>;

type SimpleKind<Type extends SimpleIdentityValueType> =
	(typeof valueKinds)[(typeof simpleIdentityValues)[Type]];

type SimpleMembers<Type extends SimpleIdentityValueType> = {
	value: KindValue<SimpleKind<Type>>;
} & (Type extends keyof typeof schemaTypes ? { schemaURL?: string } : unknown);

type Parts = typeof compositeIdentityValues;

type PartValue<Type extends ValuePart['type']> = Type extends SimpleIdentityValueType
	? SimpleMembers<Type>['value']
	: string;

type CompositeMembers<Type extends CompositeIdentityValueType> = {
	-readonly [Name in keyof Parts[Type] as IsRequired<Parts[Type][Name], Name, never>]: PartValue<
		TypeOfPart<Parts[Type][Name]>
	>;
} & {
	-readonly [
		Name in keyof Parts[Type] as IsRequired<Parts[Type][Name], never, Name>
	]?: OptionalPart<TypeOfPart<Parts[Type][Name]>>;
};

type TypeOfPart<Part> = Part extends ValuePart ? Part['type'] : never;
type IsRequired<Part, Yes, No> = Part extends { readonly required: true } ? Yes : No;
type OptionalPart<Type extends ValuePart['type']> =
	PartValue<Type> | (Type extends PlainPart ? never : null);

/** The content type of each identity value: its members follow from the tables of its kind. */
type IdentityValues = Readonly<
	{ [Type in SimpleIdentityValueType]: ContentType<Type, SimpleMembers<Type>> } & {
		[Type in CompositeIdentityValueType]: ContentType<Type, CompositeMembers<Type>>;
	} & { VerifiableCredential: typeof verifiableCredential }
>;

/** Value of an identity attribute, as a union of all its types. */
export type IdentityValue = Flat<ContentOf<IdentityValues[keyof IdentityValues]>>;

let made: IdentityValues | undefined;

/** Identity values, by type. */
export function identityValues(): IdentityValues {
	made ??= contentTypesByName<IdentityValues>([
		...keysOf(simpleIdentityValues).map(simpleValue),
		...keysOf(compositeIdentityValues).map(compositeValue),
		verifiableCredential,
	]);
	return made;
}

function simpleValue(type: SimpleIdentityValueType): ContentType {
	const kind: ValueKind = valueKinds[simpleIdentityValues[type]];
	const place = isKeyOf(schemaTypes, type) ? schemaTypes[type] : undefined;
	const shape = (): Record<string, z.ZodType<Json | undefined>> => ({
		...(place === 'before' ? { schemaURL: schemaUrlField() } : {}),
		value: kindField(kind),
		...(place === 'after' ? { schemaURL: schemaUrlField() } : {}),
	});
	if (kind.json === 'any') return contentType(type, shape);
	return contentType(type, shape, { bare: kind.json === 'string' ? 'string' : 'number' });
}

/** Field for the schema URL of values that hold XML or JSON (docs/protocol/content.md 7.3, 7.6). */
export function schemaUrlField(): z.ZodOptional<z.ZodType<string>> {
	return textField({ min: 3, max: 1024, format: textFormats.schemaUrl }).optional();
}

function compositeValue(type: CompositeIdentityValueType): ContentType {
	return contentType(
		type,
		() =>
			Object.fromEntries(
				Object.entries(compositeIdentityValues[type]).map(([name, part]) => [
					name,
					partField(part),
				]),
			),
		type === 'BirthDate' ? { check: checkBirthDate } : {},
	);
}

function partField(part: ValuePart): z.ZodType<Json | undefined> {
	const { type, required } = part;
	if (!isSimpleType(type)) {
		const field = kindField(partKindOf(part));
		return required ? field : field.optional();
	}
	const field = child<Json>(() => identityValues()[type]);
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
