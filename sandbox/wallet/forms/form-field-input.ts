import type { InputValue, ShownInput } from '../shown/inputs';
import type { Json } from './form-values';

type Settings = Readonly<Record<string, unknown>>;

/**
 * Input of a form field (docs/protocol/content.md 5.5); undefined for settings that are unknown
 * here.
 */
export function formFieldInput(
	settings: Settings,
	label: string,
	required: boolean,
): ShownInput | undefined {
	const kind = kindOf(settings);
	if (kind === undefined) return undefined;
	return { name: 'response', label, required, ...kind, ...limitsOf(settings) };
}

function kindOf(
	settings: Settings,
): Pick<ShownInput, 'kind' | 'min' | 'max' | 'options'> | undefined {
	switch (settings['@type']) {
		case 'StringFormFieldSettings':
			return { kind: settings['allowNewlines'] === true ? 'multiline' : 'text', max: 4096 };
		case 'IntegerFormFieldSettings':
			return { kind: 'integer' };
		case 'DoubleFormFieldSettings':
			return { kind: 'number' };
		case 'BooleanFormFieldSettings':
			return { kind: 'yes-no' };
		case 'DateFormFieldSettings':
			return { kind: 'date' };
		case 'RatingFormFieldSettings':
			return { kind: 'rating', min: 1, max: Number(settings['maxRating']) };
		case 'SelectionFormFieldSettings': {
			const options = (settings['options'] as string[]).map((value) => ({ value, label: value }));
			return { kind: settings['allowMultipleSelection'] === true ? 'many' : 'one', options };
		}
		default:
			return undefined;
	}
}

/** A limit of 0 counts as none. */
function limitsOf({ min, max, unit }: Settings): Pick<ShownInput, 'min' | 'max' | 'unit'> {
	return {
		...(typeof min === 'number' && min !== 0 ? { min } : {}),
		...(typeof max === 'number' && max !== 0 ? { max } : {}),
		...(typeof unit === 'string' && unit !== '' ? { unit } : {}),
	};
}

/** Response to a form field as its settings expect it. */
export function formFieldResponse(settings: Settings, input: InputValue): Json {
	switch (settings['@type']) {
		case 'IntegerFormFieldSettings':
		case 'DoubleFormFieldSettings':
		case 'RatingFormFieldSettings':
			return Number(input);
		case 'BooleanFormFieldSettings':
			return input === true || input === 'true';
		case 'SelectionFormFieldSettings':
			return Array.isArray(input) ? [...(input as readonly string[])] : String(input);
		default:
			return String(input);
	}
}
