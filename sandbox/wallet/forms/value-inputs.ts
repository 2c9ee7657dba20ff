import { countryCodes, defaultHintsOf, languageCodes, partsOf } from '../../../core';
import type { InputKind, ShownForm, ShownInput } from '../shown/inputs';
import { labelOf, nameOfCode, type CodeKind } from './words';

type JsonObject = Readonly<Record<string, unknown>>;

/** Hints of a value type (docs/protocol/content.md 9). */
interface Hints {
	readonly valueHints: JsonObject;
	readonly renderHints: JsonObject;
}

export interface FormOptions {
	/** value with which the form begins */
	readonly value?: JsonObject | undefined;
	/** hints of the other side, which take precedence over the hints of the type */
	readonly hints?: JsonObject | undefined;
	readonly label?: string | undefined;
	/** true if the form itself may stay empty */
	readonly isOptional?: boolean;
}

/** Form for a value of the type; undefined for types that are unknown here. */
export function valueForm(type: string, options: FormOptions = {}): ShownForm | undefined {
	const hints = defaultHintsOf(type) as Hints | undefined;
	if (hints === undefined) return undefined;
	const label = options.label ?? labelOf(type);
	const inputs = inputsOf(type, hints, { ...options, label });
	return { type, label, inputs };
}

function inputsOf(type: string, hints: Hints, options: FormOptions): ShownInput[] {
	const { value = {} } = options;
	if (type === 'BirthDate') return [birthDate(value)];
	const parts = partsOf(type);
	if (parts === undefined && type !== 'Consent') return simpleInputs(type, hints, options);
	const names = Object.keys(hints.valueHints['propertyHints'] as JsonObject);
	return names.map((name) => {
		const part: Hints = {
			valueHints: childOf(hints.valueHints, name),
			renderHints: childOf(hints.renderHints, name),
		};
		const required = type === 'Consent' ? name === 'consent' : parts?.[name]?.required === true;
		return inputOf(name, part, { label: labelOf(name), required, value: value[name] });
	});
}

function simpleInputs(type: string, hints: Hints, options: FormOptions): ShownInput[] {
	const { value = {}, label = labelOf(type) } = options;
	const given = { ...hints.valueHints, ...definedOf(options.hints ?? {}) };
	const initial = value['value'] ?? given['defaultValue'];
	const input = inputOf(
		'value',
		{ ...hints, valueHints: given },
		{ label, required: true, value: initial },
	);
	if (!/^Schematized|^ProprietaryXML$/.test(type)) return [input];
	const schema = { kind: 'text' as const, required: false, max: 1024 };
	return [
		input,
		{ name: 'schemaURL', label: labelOf('schemaURL'), ...schema, ...preset(value['schemaURL']) },
	];
}

function birthDate(value: JsonObject): ShownInput {
	const { day, month, year } = value;
	const pad = (part: unknown, length: number): string => String(part).padStart(length, '0');
	const text = `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`;
	return {
		...{ name: 'date', label: labelOf('BirthDate'), kind: 'date', required: true },
		...(year === undefined ? {} : { value: text }),
	};
}

interface InputDetails {
	readonly label: string;
	readonly required: boolean;
	readonly value: unknown;
}

function inputOf(
	name: string,
	{ valueHints, renderHints }: Hints,
	details: InputDetails,
): ShownInput {
	const { label, required, value } = details;
	const kind = kindOf(valueHints, renderHints);
	const { min, max, editHelp } = valueHints;
	const help =
		typeof editHelp === 'string' && !editHelp.startsWith('i18n://') ? editHelp : undefined;
	return {
		...{ name, label, kind, required },
		...(kind === 'one' ? { options: optionsOf(valueHints, renderHints) } : {}),
		...(typeof min === 'number' && kind !== 'one' ? { min } : {}),
		...(typeof max === 'number' && kind !== 'one' ? { max } : {}),
		...(help === undefined ? {} : { help }),
		...preset(value),
	};
}

function kindOf(
	{ values, max }: JsonObject,
	{ technicalType, dataType, editType }: JsonObject,
): InputKind {
	if (Array.isArray(values) && values.length > 0) return 'one';
	switch (dataType) {
		case 'EMailAddress':
			return 'email';
		case 'PhoneNumber':
			return 'phone';
		case 'URL':
			return 'url';
		case 'HEXColor':
			return 'color';
		case 'FileReference':
			return 'file';
		case 'XML':
			return 'multiline';
	}
	if (technicalType === 'Boolean') return 'yes-no';
	if (technicalType === 'Integer') return 'integer';
	if (technicalType === 'Float') return 'number';
	const isLong = editType === 'TextArea' || (typeof max === 'number' && max > 1_024);
	return isLong || /^(Json|Unknown)$/.test(String(technicalType)) ? 'multiline' : 'text';
}

function optionsOf(
	{ values }: JsonObject,
	{ dataType }: JsonObject,
): NonNullable<ShownInput['options']> {
	if (dataType === 'Country') return codeOptions('country', countryCodes());
	if (dataType === 'Language') return codeOptions('language', languageCodes());
	return (values as JsonObject[]).map(({ key, displayName }) => {
		const text = String(displayName ?? key);
		return { value: String(key), label: text.startsWith('i18n://') ? labelOf(String(key)) : text };
	});
}

function codeOptions(kind: CodeKind, codes: string[]): NonNullable<ShownInput['options']> {
	return codes
		.map((value) => ({ value, label: nameOfCode(kind, value) }))
		.sort((a, b) => a.label.localeCompare(b.label, 'en'));
}

function preset(value: unknown): Pick<ShownInput, 'value'> {
	if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
		return { value };
	}
	return typeof value === 'object' && value !== null ? { value: JSON.stringify(value) } : {};
}

const childOf = (hints: JsonObject, name: string): JsonObject =>
	((hints['propertyHints'] as JsonObject)[name] ?? {}) as JsonObject;

const definedOf = (hints: JsonObject): JsonObject =>
	Object.fromEntries(Object.entries(hints).filter(([, value]) => value !== undefined));
