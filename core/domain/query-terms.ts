import type { ColumnValue, Condition, FieldCondition } from '../store/store';

/** What a caller gives for one field: one value, or several. */
export type QueryValue = string | readonly string[];

/** One value of a query, taken apart. */
export interface Term {
	readonly op: TermOperator;
	/** what stands after the operator */
	readonly text: string;
	/** the same as a truth value or a number, where it looks like one */
	readonly value: ColumnValue;
}

type TextSearch = 'startsWith' | 'endsWith' | 'contains';
export type TermOperator =
	'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte' | 'exists' | 'missing' | TextSearch;

/** By the signs that they are written with. */
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

/** docs/protocol/transport.md 17.1 */
export function readTerm(given: string): Term {
	const [, sign = '', text = ''] = termForm.exec(given) ?? [];
	const op = operators[sign] ?? 'eq';
	if (text === '' && op === 'eq') return { op: 'exists', text, value: text };
	if (text === '' && op === 'ne') return { op: 'missing', text, value: text };
	return { op, text, value: convert(text) };
}

/** `10`, `1.5`, `-3`, ` 5`, `007`, `1e3` are numbers, `.5` is none, and `0x10` is 0. */
function convert(text: string): ColumnValue {
	const lower = text.toLowerCase();
	if (lower === 'true' || lower === 'false') return lower === 'true';
	const number = Number.parseFloat(text);
	const isNumber = /^\s*[+-]?\d/.test(text) && !Number.isNaN(Number(text));
	return isNumber && Number.isFinite(number) ? number : text;
}

/** `scalar`: numbers or truth values */
export type ComparedAs = 'text' | 'scalar';

/**
 * The conditions on one column: plain values of a list are alternatives, those with `!` are all
 * excluded, and the others have to hold besides. An empty list asks for nothing.
 *
 * Text is compared with what was written, so that a title `1234` is found by `1234`; and a text
 * search looks for exactly that text, because a pattern of a stranger could keep this process busy
 * for ever (ours, docs/protocol/transport.md 17.1).
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
			// A number or a truth value is no text to be searched.
			return type === 'text' ? { field, op, value: text } : { field, op: 'in', value: [] };
		default:
			return { field, op, value: type === 'text' ? text : value };
	}
}
