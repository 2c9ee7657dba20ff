import type { IdentityAttributeValueInput } from '../../../core';
import type { z } from 'zod';
import { compositeTypes, specialTypes } from '../descriptions/identity-value';
import { readCalendarDate } from './instants';
import type { FieldSchemas } from './parse-parameters';
import { defined, judgedByCore } from '../helpers/members';

const partNames = [
	...new Set(
		Object.values(compositeTypes).flatMap(({ required, optional }) => [...required, ...optional]),
	),
];

interface IssueContext {
	addIssue(issue: { code: 'custom'; path: string[]; message: string }): void;
}

/** Values that a person entered into the fields of `descriptions/identity-value`. */
export interface EnteredIdentityValue {
	readonly valueType: string;
	readonly [field: string]: unknown;
}

/** Members of those fields in a schema; the type decides which of them are used. */
export function identityValueShape({ text, optionalText, json }: FieldSchemas): {
	valueType: z.ZodType<string>;
} & Record<string, z.ZodType> {
	const names = [
		...['value', 'schemaUrl', 'sex', 'maritalStatus', 'language', 'country', 'fileReference'],
		...['credentialFormat', ...partNames],
	];
	return {
		...Object.fromEntries(names.map((name) => [name, optionalText])),
		date: json.optional(),
		jsonValue: json.optional(),
		displayInformation: json.optional(),
		valueType: text,
	};
}

/** Reports an issue at the first empty field that the type needs. */
export function requireIdentityValue(entered: EnteredIdentityValue, context: IssueContext): void {
	const isEmpty = (name: string) => entered[name] === undefined || entered[name] === '';
	const missing = neededFields(entered.valueType).find(isEmpty);
	if (missing !== undefined) {
		context.addIssue({ code: 'custom', path: [missing], message: 'It is empty' });
		return;
	}
	if (!isDate(entered.valueType) || readCalendarDate(entered['date']) !== undefined) return;
	const message = 'Expected a date, for example 1990-12-31';
	context.addIssue({ code: 'custom', path: ['date'], message });
}

const isDate = (valueType: string): boolean =>
	(specialTypes.date as readonly string[]).includes(valueType);

function neededFields(valueType: string): readonly string[] {
	if (isDate(valueType)) return ['date'];
	if (Object.hasOwn(compositeTypes, valueType)) return compositeTypes[valueType]?.required ?? [];
	const isOne = (types: readonly string[]): boolean => types.includes(valueType);
	if (isOne(specialTypes.country)) return ['country'];
	if (isOne(specialTypes.file)) return ['fileReference'];
	if (isOne(specialTypes.language)) return ['language'];
	const hasDefault = [...specialTypes.json, ...specialTypes.maritalStatus, ...specialTypes.sex];
	return isOne(hasDefault) ? [] : ['value'];
}

/** Builds the content of an identity attribute; the core validates the value. */
export function identityValueOf(entered: EnteredIdentityValue): IdentityAttributeValueInput {
	// The type decides which fields a person saw.
	return judgedByCore(membersOf(entered));
}

function membersOf(entered: EnteredIdentityValue): object {
	const { valueType } = entered;
	if (isDate(valueType)) return { '@type': valueType, ...readCalendarDate(entered['date']) };
	const parts = Object.hasOwn(compositeTypes, valueType) ? compositeTypes[valueType] : undefined;
	if (parts === undefined) {
		return { '@type': valueType, ...besideValue(entered), value: simpleValue(entered) };
	}
	const members = [...parts.required, ...parts.optional].flatMap((name) => {
		const member = entered[name];
		if (member === undefined) return [];
		return [[name, member] as const];
	});
	return { '@type': valueType, ...Object.fromEntries(members) };
}

/** Further members of values that have them. */
function besideValue({
	valueType,
	schemaUrl,
	credentialFormat = 'dc+sd-jwt',
	displayInformation = [],
}: EnteredIdentityValue): object {
	if (/^Schematized/.test(valueType)) return defined({ schemaURL: schemaUrl });
	if (valueType !== 'VerifiableCredential') return {};
	const isEmpty = Array.isArray(displayInformation) && displayInformation.length === 0;
	return { type: credentialFormat, ...(isEmpty ? {} : { displayInformation }) };
}

function simpleValue(entered: EnteredIdentityValue): unknown {
	const { valueType, value } = entered;
	const isOne = (types: readonly string[]): boolean => types.includes(valueType);
	if (isOne(specialTypes.country)) return entered['country'];
	if (isOne(specialTypes.file)) return entered['fileReference'];
	if (isOne(specialTypes.json)) return entered['jsonValue'] ?? {};
	if (isOne(specialTypes.language)) return entered['language'];
	if (isOne(specialTypes.maritalStatus)) return entered['maritalStatus'] ?? 'single';
	if (isOne(specialTypes.sex)) return entered['sex'] ?? 'female';
	return isOne(specialTypes.number) && value !== undefined ? asNumber(value) : value;
}

/** Keeps a value that is not a number, so that the core's error states what it expects. */
function asNumber(entered: unknown): unknown {
	const number = Number(entered);
	return Number.isNaN(number) ? entered : number;
}
