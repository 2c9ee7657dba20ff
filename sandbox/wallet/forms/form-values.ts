import { defaultHintsOf, partsOf } from '../../../core';
import type { ChosenFile, FormValues, InputValue } from '../shown/inputs';

export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

/** Stores a chosen file and returns its reference. */
export type StoreFile = (file: ChosenFile) => Promise<string>;

/** Value of an attribute as the person entered it, with `@type`. */
export async function valueOf(
	type: string,
	values: FormValues,
	storeFile: StoreFile,
): Promise<{ '@type': string; [name: string]: Json }> {
	if (type === 'BirthDate') return { '@type': type, ...birthDate(values['date']) };
	const entries: Array<[string, Json]> = [];
	for (const [name, input] of Object.entries(values)) {
		if (input === undefined || input === '') continue;
		entries.push([name, await scalarOf(numberTypeOf(type, name), input, storeFile)]);
	}
	return { '@type': type, ...Object.fromEntries(entries) };
}

function birthDate(input: InputValue | undefined): Record<string, Json> {
	const [year, month, day] = String(input ?? '')
		.split('-')
		.map(Number);
	return { day: day ?? 0, month: month ?? 0, year: year ?? 0 };
}

/** Technical type of a member: of the simple type itself, or of a part. */
function numberTypeOf(type: string, name: string): unknown {
	const part = partsOf(type)?.[name]?.type;
	const hints = defaultHintsOf(part ?? type) ?? defaultHintsOf(type);
	return name === 'value' || part !== undefined ? hints?.renderHints['technicalType'] : 'String';
}

async function scalarOf(
	technicalType: unknown,
	input: InputValue,
	storeFile: StoreFile,
): Promise<Json> {
	if (typeof input === 'object' && 'content' in input) return await storeFile(input);
	if (typeof input === 'object') return [...input];
	if (typeof input === 'boolean') return input;
	switch (technicalType) {
		case 'Integer':
		case 'Float':
			return Number(input);
		case 'Boolean':
			return input === 'true';
		case 'Json':
			return jsonOf(String(input));
		default:
			return String(input).trim();
	}
}

/** Text that is JSON becomes its value; any other text is a value itself. */
function jsonOf(text: string): Json {
	try {
		return JSON.parse(text) as Json;
	} catch {
		return text;
	}
}
