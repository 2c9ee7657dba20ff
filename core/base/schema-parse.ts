import type { core, output, ZodSafeParseResult, ZodType } from 'zod';
import { en } from 'zod/locales';

const { localeError: englishText } = en();

const typeNames: Readonly<Record<string, string>> = {
	array: 'a list',
	boolean: 'true or false',
	date: 'a date',
	int: 'a whole number',
	nonoptional: 'a value',
	number: 'a number',
	object: 'an object',
	record: 'an object',
	string: 'text',
};

/** Texts of violations for people, who read them behind the name of a field. */
function violationText(issue: core.$ZodRawIssue): string | undefined {
	switch (issue.code) {
		case 'invalid_type':
			return `expected ${typeNames[issue.expected] ?? issue.expected}`;
		case 'invalid_value': {
			const values = issue.values.map((value) => `'${String(value)}'`);
			return `expected ${values.length === 1 ? '' : 'one of '}${values.join(', ')}`;
		}
		case 'too_small':
			return `expected ${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}${unitOf(issue.origin)}`;
		case 'too_big':
			return `expected ${issue.inclusive === false ? 'less than' : 'at most'} ${issue.maximum}${unitOf(issue.origin)}`;
		case 'unrecognized_keys':
			return `there is no member ${issue.keys.map((key) => `'${key}'`).join(' or ')}`;
		default:
			return undefined;
	}
}

function unitOf(origin: string): string {
	if (origin === 'string') return ' characters';
	return origin === 'array' ? ' entries' : '';
}

/**
 * The texts are given with each call. The settings of the schema library lie on `globalThis`:
 * there, every package of the process would share its texts with the others.
 */
const error: core.$ZodErrorMap = (issue) => violationText(issue) ?? englishText(issue);

/** Checks a value; the texts of violations come from this package, in every process. */
export function safeParse<Schema extends ZodType>(
	schema: Schema,
	value: unknown,
	options: { readonly reportInput?: boolean } = {},
): ZodSafeParseResult<output<Schema>> {
	return schema.safeParse(value, { ...options, error });
}

/** @throws ZodError with the texts of this package */
export function parse<Schema extends ZodType>(schema: Schema, value: unknown): output<Schema> {
	return schema.parse(value, { error });
}
