import { defaultHintsOf } from '../../../core';
import type { ShownValue } from '../shown/request';
import { labelOf, nameOfCode } from './words';

type JsonObject = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is JsonObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Attribute as a label and a text in one line. */
export function attributeText(content: JsonObject): ShownValue {
	const value = isObject(content['value']) ? content['value'] : {};
	const type = String(value['@type'] ?? 'Attribute');
	const title = typeof value['title'] === 'string' ? value['title'] : undefined;
	return { label: title ?? labelOf(type), text: valueText(value) };
}

/** Value with `@type` as text; parts are separated by commas. */
export function valueText(value: JsonObject): string {
	const type = String(value['@type'] ?? '');
	const { day, month, year } = value;
	if (type === 'BirthDate') return `${String(day)}.${String(month)}.${String(year)}`;
	if (type === 'Consent') return String(value['consent'] ?? '');
	if (/FileReference$/.test(type)) return 'A file';
	if (type === 'VerifiableCredential') return nameOfCredential(value);
	if ('value' in value) return scalarText(type, value['value']);
	const hints = defaultHintsOf(type)?.renderHints['propertyHints'];
	return Object.entries(value)
		.filter(
			([name, part]) => name !== '@type' && part !== undefined && part !== null && part !== '',
		)
		.map(([name, part]) => partText(part, isObject(hints) ? hints[name] : undefined))
		.join(', ');
}

/** Name in the first language for which the issuer gives one; the credential is not verified. */
function nameOfCredential({ displayInformation }: JsonObject): string {
	const shown: unknown[] = Array.isArray(displayInformation) ? displayInformation : [];
	const names = shown.map((one) => (isObject(one) ? one['name'] : undefined));
	return String(names.find((name) => typeof name === 'string') ?? 'A credential');
}

/** Plain value of a type, such as it stands in lists of contacts. */
export function plainText(type: string, value: unknown): string {
	return isObject(value) ? valueText({ '@type': type, ...value }) : scalarText(type, value);
}

function scalarText(type: string, value: unknown): string {
	if (type === 'MaritalStatus') return labelOf(String(value));
	return partText(value, defaultHintsOf(type)?.renderHints);
}

function partText(value: unknown, renderHints: unknown): string {
	if (value === true) return 'Yes';
	if (value === false) return 'No';
	if (typeof value === 'object') return JSON.stringify(value);
	const text = String(value);
	const dataType = isObject(renderHints) ? renderHints['dataType'] : undefined;
	if (dataType === 'Country') return nameOfCode('country', text);
	if (dataType === 'Language') return nameOfCode('language', text);
	return text;
}
