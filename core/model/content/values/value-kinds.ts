import * as z from 'zod';
import type { Json } from '../../json';
import { bics, ibans, type CheckedCode } from './bank-codes';
import { countries, languages, maritalStatuses, sexes, type CodeList } from './code-lists';
import { textField } from '../fields';
import { textFormats, type TextFormat } from './text-formats';

export interface Limits {
	readonly min?: number;
	readonly max?: number;
}

/** Appearance of a value and of its input field (docs/protocol/content.md 9.1). */
export interface Rendering {
	readonly editType: 'InputLike' | 'ButtonLike' | 'SelectLike' | 'TextArea';
	readonly technicalType: 'Boolean' | 'Float' | 'Integer' | 'Json' | 'String' | 'Unknown';
	readonly dataType?: string;
}

/**
 * Kind of a value: one definition for both validation and the hints for user interfaces
 * (docs/protocol/content.md 7.3, 7.6 and 9.2).
 */
export interface ValueKind {
	/** an integer is a number without fraction */
	readonly json: 'string' | 'number' | 'integer' | 'boolean' | 'any';
	/** limits of the length of text in UTF-16 code units, or of a number */
	readonly limits?: Limits;
	readonly format?: TextFormat;
	readonly codes?: CodeList;
	readonly checked?: CheckedCode;
	readonly editHelp?: string;
	readonly rendering: Rendering;
}

const input: Rendering = { editType: 'InputLike', technicalType: 'String' };
const select: Rendering = { editType: 'SelectLike', technicalType: 'String' };
const integer: Rendering = { editType: 'SelectLike', technicalType: 'Integer' };

export const valueKinds = {
	text: { json: 'string', limits: { max: 100 }, rendering: input },
	country: {
		json: 'string',
		limits: { min: 2, max: 2 },
		codes: countries,
		rendering: { ...select, dataType: 'Country' },
	},
	language: {
		json: 'string',
		limits: { min: 2, max: 2 },
		codes: languages,
		rendering: { ...select, dataType: 'Language' },
	},
	sex: {
		json: 'string',
		limits: { max: 100 },
		codes: sexes,
		rendering: { editType: 'ButtonLike', technicalType: 'String' },
	},
	maritalStatus: {
		json: 'string',
		limits: { max: 100 },
		codes: maritalStatuses,
		rendering: { editType: 'ButtonLike', technicalType: 'String' },
	},
	accountHolder: { json: 'string', limits: { max: 100 }, rendering: input },
	iban: { json: 'string', limits: { min: 14, max: 34 }, checked: ibans, rendering: input },
	bic: { json: 'string', limits: { min: 8, max: 11 }, checked: bics, rendering: input },
	email: {
		json: 'string',
		limits: { min: 3, max: 254 },
		format: textFormats.email,
		rendering: { ...input, dataType: 'EMailAddress' },
	},
	phone: {
		json: 'string',
		limits: { min: 3, max: 100 },
		format: textFormats.phone,
		rendering: { ...input, dataType: 'PhoneNumber' },
	},
	url: {
		json: 'string',
		limits: { min: 3, max: 1024 },
		format: textFormats.url,
		rendering: { ...input, dataType: 'URL' },
	},
	hexColor: {
		json: 'string',
		limits: { min: 4, max: 9 },
		format: textFormats.hexColor,
		rendering: { ...input, dataType: 'HEXColor' },
	},
	/** meant to be a truncated reference; not validated */
	fileReference: {
		json: 'string',
		limits: { min: 30, max: 150 },
		rendering: { ...select, dataType: 'FileReference' },
	},
	/** not validated as XML */
	xml: {
		json: 'string',
		limits: { max: 50_000 },
		rendering: { ...input, dataType: 'XML' },
	},
	day: {
		json: 'integer',
		limits: { min: 1, max: 31 },
		rendering: { ...integer, dataType: 'Day' },
	},
	month: {
		json: 'integer',
		limits: { min: 1, max: 12 },
		editHelp: 'i18n://yourBirthMonth',
		rendering: { ...integer, dataType: 'Month' },
	},
	year: {
		json: 'integer',
		limits: { min: 1, max: 9999 },
		rendering: { ...integer, dataType: 'Year' },
	},
	boolean: { json: 'boolean', rendering: { editType: 'InputLike', technicalType: 'Boolean' } },
	float: { json: 'number', rendering: { editType: 'ButtonLike', technicalType: 'Float' } },
	integer: { json: 'integer', rendering: { editType: 'ButtonLike', technicalType: 'Integer' } },
	json: { json: 'any', rendering: { editType: 'TextArea', technicalType: 'Json' } },
} as const satisfies Record<string, ValueKind>;

const maxJsonLength = 4096;

/** Type of the values of a kind. */
export type KindValue<Kind extends ValueKind> = {
	string: string;
	number: number;
	integer: number;
	boolean: boolean;
	any: Json;
}[Kind['json']];

/** Schema for a value of that kind. */
export function kindField(kind: ValueKind): z.ZodType<Json> {
	switch (kind.json) {
		case 'string':
			return stringField(kind);
		case 'boolean':
			return z.boolean();
		case 'any':
			return jsonField(maxJsonLength);
		default:
			return numberField(kind);
	}
}

function stringField({ limits = {}, format, codes, checked }: ValueKind): z.ZodType<string> {
	const text = textField({ ...limits, ...(format === undefined ? {} : { format }) });
	if (checked !== undefined) return text.refine(checked.isValid, `not ${checked.name}`);
	if (codes === undefined) return text;
	return text.refine((code) => codes.codes.has(code), `not one of the ${codes.name} that exist`);
}

function numberField({ json, limits: { min = -Infinity, max = Infinity } = {} }: ValueKind) {
	return z
		.number()
		.refine((value) => json !== 'integer' || Number.isInteger(value), 'expected an integer')
		.refine((value) => value >= min && value <= max, `expected a number from ${min} to ${max}`);
}

/** @param max maximum length of the value as JSON */
export function jsonField(max: number): z.ZodType<Json> {
	return z.custom<Json>(
		(value) => value !== null && value !== undefined && JSON.stringify(value).length <= max,
		`expected a value of at most ${max} characters as JSON`,
	);
}
