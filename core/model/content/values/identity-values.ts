import type * as z from 'zod';
import { systemClock } from '../../../base/clock';
import type { JsonObject } from '../../json';
import { child, contentType, type ContentType, type MemberCheck } from '../content-type';
import { textField } from '../fields';
import { textFormats } from './text-formats';
import { kindField, valueKinds, type ValueKind } from './value-kinds';
import {
	compositeIdentityValues,
	partsOf,
	simpleIdentityValues,
	type CompositeIdentityValueType,
	type IdentityValueType,
	type SimpleIdentityValueType,
	type ValuePart,
} from './value-types';

export { partsOf };

/** Kind of a simple identity value; undefined for every other type. */
export function simpleKindOf(type: string): ValueKind | undefined {
	if (!Object.hasOwn(simpleIdentityValues, type)) return undefined;
	return valueKinds[simpleIdentityValues[type as SimpleIdentityValueType]];
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
		...keysOf(simpleIdentityValues).map((type) => [type, simpleValue(type)] as const),
		...keysOf(compositeIdentityValues).map((type) => [type, compositeValue(type)] as const),
	]) as Record<IdentityValueType, ContentType>;
	return made;
}

function keysOf<Key extends string>(table: Readonly<Record<Key, unknown>>): Key[] {
	return Object.keys(table) as Key[];
}

function simpleValue(type: SimpleIdentityValueType): ContentType {
	const kind: ValueKind = valueKinds[simpleIdentityValues[type]];
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
				Object.entries(compositeIdentityValues[type]).map(([name, part]) => [
					name,
					partField(part),
				]),
			),
		type === 'BirthDate' ? { check: checkBirthDate } : {},
	);
}

function partField({ type, required }: ValuePart): z.ZodType {
	if (type === 'text') {
		const field = textField({ max: 100 });
		return required ? field : field.optional();
	}
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
