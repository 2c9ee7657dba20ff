import type { ColumnValue, Condition, FieldCondition } from '../../store/store';

/** Values that a caller gives for one field: a single text or several. */
export type QueryValue = string | readonly string[];

/** Parsed value of a query. */
export interface Term {
	readonly op: TermOperator;
	/** text after the operator */
	readonly text: string;
	/** same text as a boolean or a number, if it looks like one */
	readonly value: ColumnValue;
}

type TextSearch = 'startsWith' | 'endsWith' | 'contains';
export type TermOperator =
	'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte' | 'exists' | 'missing' | TextSearch;

/** Operators by their notation. */
export const operators: Readonly<Record<string, TermOperator>> = {
	'': 'eq',
	'!': 'ne',
	'!=': 'ne',
	'>': 'gt',
	'>=': 'gte',
	'<': 'lt',
	'<=': 'lte',
	'^': 'startsWith',
	'^=': 'startsWith',
	$: 'endsWith',
	'$=': 'endsWith',
	'~': 'contains',
	'~=': 'contains',
};
const termForm = /^((?:[!><^$~]=?)?)(.*)$/s;

/** Parses one value of a query (docs/protocol/transport.md 17.1). */
export function readTerm(given: string): Term {
	const [, sign = '', text = ''] = termForm.exec(given) ?? [];
	const op = operators[sign] ?? 'eq';
	if (text === '' && op === 'eq') return { op: 'exists', text, value: text };
	if (text === '' && op === 'ne') return { op: 'missing', text, value: text };
	return { op, text, value: convert(text) };
}

/**
 * Converts text to a boolean or a number: `10`, `1.5`, `-3`, ` 5`, `007`, `1e3` are numbers, `.5`
 * is not, and `0x10` is 0.
 */
function convert(text: string): ColumnValue {
	const lower = text.toLowerCase();
	if (lower === 'true' || lower === 'false') return lower === 'true';
	const number = Number.parseFloat(text);
	const isNumber = /^\s*[+-]?\d/.test(text) && !Number.isNaN(Number(text));
	return isNumber && Number.isFinite(number) ? number : text;
}

/** `scalar`: numbers or booleans */
export type ComparedAs = 'text' | 'scalar';

/**
 * Builds the conditions on one column: plain values in a list are alternatives, values with `!` are
 * all excluded, and all other terms have to hold as well. An empty list sets no condition.
 *
 * Text is compared as written, so that `1234` finds the title `1234`. A text search looks for
 * exactly the given text, because a pattern from a stranger could block this process indefinitely
 * (own decision, docs/protocol/transport.md 17.1).
 */
export function columnConditions<Field extends string>(
	field: Field,
	type: ComparedAs,
	given: QueryValue,
): Array<Condition<Field>> {
	const terms = (typeof given === 'string' ? [given] : given).map(readTerm);
	const valuesWith = (op: TermOperator): ColumnValue[] =>
		terms
			.filter((term) => term.op === op)
			.map((term) => (type === 'text' ? term.text : term.value));
	const wanted = valuesWith('eq');
	const unwanted = valuesWith('ne');
	return [
		...(wanted.length === 0 ? [] : [{ field, op: 'in', value: wanted } as const]),
		...(unwanted.length === 0 ? [] : [{ field, op: 'notIn', value: unwanted } as const]),
		...terms.flatMap((term) => otherCondition(field, type, term) ?? []),
	];
}

function otherCondition<Field extends string>(
	field: Field,
	type: ComparedAs,
	{ op, text, value }: Term,
): FieldCondition<Field> | undefined {
	switch (op) {
		case 'eq':
		case 'ne':
			return undefined;
		case 'exists':
		case 'missing':
			return { field, op };
		case 'startsWith':
		case 'endsWith':
		case 'contains':
			// Numbers and booleans cannot be searched as text.
			return type === 'text' ? { field, op, value: text } : { field, op: 'in', value: [] };
		default:
			return { field, op, value: type === 'text' ? text : value };
	}
}
