import { parseInstant } from '../../instant';
import type { JsonObject } from '../../json';
import type { FormFieldSettings, FormFieldSettingsOf } from './form-field-settings';

/*
 * Rules for form field settings and their answers beyond their structure (docs/protocol/content.md
 * 5.5). A bound of 0 counts as no bound, as in official software.
 */

/** Reason for which a request with these parsed settings cannot be created. */
export function formFieldSettingsProblem(settings: FormFieldSettings): string | undefined {
	const { min, max } = boundsOf(settings);
	if (min !== undefined && max !== undefined && max < min) return 'max is smaller than min';
	if (settings['@type'] !== 'SelectionFormFieldSettings') return undefined;
	const { options } = settings;
	if (options.length === 0) return 'there are no options to choose from';
	return new Set(options).size === options.length ? undefined : 'options must differ';
}

/**
 * Reason for which an answer is refused; the failures match the codes of checking accept
 * parameters.
 */
export interface FormFieldAnswerProblem {
	/**
	 * `serval`: not an answer to any form field; `unexpected`: official software fails with an
	 * internal error
	 */
	readonly failure: 'mismatch' | 'serval' | 'unexpected';
	readonly reason: string;
}

/**
 * Checks an answer against the parsed settings. Empty and over-long texts are left to the response
 * item, as in official software.
 */
export function formFieldAnswerProblem(
	settings: FormFieldSettings,
	answer: unknown,
): FormFieldAnswerProblem | undefined {
	if (!isAnswer(answer)) {
		return { failure: 'serval', reason: 'expected text, a number, true or false or texts' };
	}
	if (settings['@type'] === 'DateFormFieldSettings' && answer === '') {
		return { failure: 'unexpected', reason: 'expected a date, not an empty text' };
	}
	const reason = mismatchOf(settings, answer);
	return reason === undefined ? undefined : { failure: 'mismatch', reason };
}

interface Bounds {
	readonly min?: number;
	readonly max?: number;
}

type Answer = string | number | boolean | string[];

function isAnswer(answer: unknown): answer is Answer {
	if (Array.isArray(answer)) return answer.every((entry) => typeof entry === 'string');
	return ['string', 'number', 'boolean'].includes(typeof answer);
}

function mismatchOf(settings: FormFieldSettings, answer: Answer): string | undefined {
	switch (settings['@type']) {
		case 'StringFormFieldSettings':
			if (typeof answer !== 'string') return 'expected text';
			return outOfBounds(answer.length, settings, 'a length');
		case 'IntegerFormFieldSettings':
			if (!Number.isInteger(answer)) return 'expected an integer';
			return outOfBounds(Number(answer), settings, 'a number');
		case 'DoubleFormFieldSettings':
			if (typeof answer !== 'number') return 'expected a number';
			return outOfBounds(answer, settings, 'a number');
		case 'BooleanFormFieldSettings':
			return typeof answer === 'boolean' ? undefined : 'expected true or false';
		case 'DateFormFieldSettings':
			return isDate(answer) ? undefined : 'expected a date in ISO 8601 form';
		case 'RatingFormFieldSettings':
			return ratingProblem(answer, settings.maxRating);
		case 'SelectionFormFieldSettings':
			return selectionProblem(answer, settings);
	}
}

function isDate(answer: Answer): boolean {
	return typeof answer === 'string' && parseInstant(answer) !== undefined;
}

function ratingProblem(answer: Answer, maxRating: number): string | undefined {
	const isRating = Number.isInteger(answer) && Number(answer) >= 1 && Number(answer) <= maxRating;
	return isRating ? undefined : `expected an integer from 1 to ${maxRating}`;
}

function selectionProblem(
	answer: Answer,
	{ options, allowMultipleSelection }: FormFieldSettingsOf<'SelectionFormFieldSettings'>,
): string | undefined {
	if (allowMultipleSelection !== true) {
		const isOption = typeof answer === 'string' && options.includes(answer);
		return isOption ? undefined : 'expected one of the options';
	}
	const isChoice =
		Array.isArray(answer) &&
		answer.length > 0 &&
		new Set(answer).size === answer.length &&
		answer.every((entry) => options.includes(entry));
	return isChoice ? undefined : 'expected each option at most once';
}

function outOfBounds(value: number, settings: FormFieldSettings, what: string): string | undefined {
	const { min = -Infinity, max = Infinity } = boundsOf(settings);
	return value < min || value > max ? `expected ${what} from ${min} to ${max}` : undefined;
}

function boundsOf(settings: FormFieldSettings): Bounds {
	const { min, max }: JsonObject = settings;
	return {
		...(typeof min === 'number' && min !== 0 ? { min } : {}),
		...(typeof max === 'number' && max !== 0 ? { max } : {}),
	};
}
