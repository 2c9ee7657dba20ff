import { config, type core } from 'zod';

const typeNames: Readonly<Record<string, string>> = {
	array: 'a list',
	boolean: 'true or false',
	date: 'a date',
	int: 'a whole number',
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

/** Replaces the texts of the schema library, which speak of types of a programming language. */
config({ customError: violationText });
