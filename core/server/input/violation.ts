import type * as z from 'zod';
import { safeParse } from '../../base/schema-parse';
import { invalidPart } from '../server-errors';

type Issue = z.core.$ZodIssue;

interface Words {
	/** location of the value within the whole input of the route */
	readonly path?: readonly string[];
	/** replaces the message of any violation */
	readonly inputMessage?: string | undefined;
}

/**
 * Parses the input of a route. Reports only the first violation, in the order and words that
 * clients of the official gateway expect (docs/protocol/http-api.md 5.1).
 *
 * @throws `error.runtime.validation.invalidPropertyValue`
 */
export function parseRouteInput<Output>(
	schema: z.ZodType<Output>,
	input: unknown,
	{ path = [], inputMessage }: Words = {},
): Output {
	const result = safeParse(schema, input, { reportInput: true });
	if (result.success) return result.data;
	const issues = result.error.issues.flatMap(withoutUnions);
	const first = firstIssue(issues) ?? issues[0];
	if (first === undefined) throw new TypeError('A failed check has an issue');
	const issue = { ...first, path: [...path, ...first.path] };
	throw invalidPart('invalidInput', fieldOf(issue), inputMessage ?? textOf(issue));
}

/**
 * Replaces the violation of a union, about which the schema library says nothing, by the violations
 * of the form that the value has.
 */
function withoutUnions(issue: Issue): Issue[] {
	if (issue.code !== 'invalid_union') return [issue];
	const forms: ReadonlyArray<readonly Issue[]> = issue.errors;
	const isOfOtherType = (one: Issue): boolean =>
		one.code === 'invalid_type' && one.path.length === 0;
	const fitting = forms.find((issues) => !issues.some(isOfOtherType));
	if (fitting !== undefined) {
		return fitting.flatMap((one) => withoutUnions({ ...one, path: [...issue.path, ...one.path] }));
	}
	const types = forms.flat().flatMap((one) => (isOfOtherType(one) ? [typeOf(one)] : []));
	return [{ ...issue, message: `must be ${types.join(',')}` }];
}

/**
 * Picks the first issue. Each level is ordered: missing members, unknown members, then members one
 * by one.
 */
function firstIssue(issues: readonly Issue[], level = 0): Issue | undefined {
	const here = issues.filter((issue) => issue.path.length === level && !isUnknownMember(issue));
	const missing = issues.find((issue) => issue.path.length === level + 1 && isMissing(issue));
	const unknown = issues.find((issue) => issue.path.length === level && isUnknownMember(issue));
	const found = here[0] ?? missing ?? unknown;
	if (found !== undefined) return found;
	const next = issues[0]?.path[level];
	const below = issues.filter((issue) => issue.path[level] === next);
	return next === undefined ? issues[0] : firstIssue(below, level + 1);
}

const isUnknownMember = (issue: Issue): boolean => issue.code === 'unrecognized_keys';
const isMissing = (issue: Issue): boolean =>
	issue.input === undefined && issue.path.length > 0 && !isUnknownMember(issue);

function fieldOf(issue: Issue): string {
	return issue.path.map(String).join('/');
}

function textOf(issue: Issue): string {
	if (isMissing(issue)) {
		const parent = issue.path.slice(0, -1).map(String).join('/');
		return prefixed(parent, `must have required property '${String(issue.path.at(-1))}'`);
	}
	// Checks across several members name their member themselves.
	if (issue.code === 'custom' && (issue.message.startsWith("'") || isWholeText(issue))) {
		return issue.message;
	}
	return prefixed(fieldOf(issue), reasonOf(issue));
}

/** Marks a check whose text clients of the official gateway know without a path before it. */
export const wholeText = { isWholeText: true } as const;

const isWholeText = ({ params }: z.core.$ZodIssueCustom): boolean => params?.isWholeText === true;

const prefixed = (path: string, reason: string): string =>
	path === '' ? reason : `${path} ${reason}`;

function reasonOf(issue: Issue): string {
	switch (issue.code) {
		case 'unrecognized_keys':
			return 'must NOT have additional properties';
		case 'invalid_type':
			return `must be ${typeOf(issue)}`;
		case 'invalid_value':
			return issue.values.length === 1
				? 'must be equal to constant'
				: 'must be equal to one of the allowed values';
		case 'too_small':
			return sizeReason(issue.origin, 'fewer', '>=', issue.minimum);
		case 'too_big':
			return sizeReason(issue.origin, 'more', '<=', issue.maximum);
		default:
			return issue.message;
	}
}

function typeOf(issue: Issue): string {
	if (issue.code !== 'invalid_type') return '';
	return issue.expected === 'record' ? 'object' : issue.expected;
}

function sizeReason(origin: string, words: string, sign: string, bound: number | bigint): string {
	if (origin === 'array' || origin === 'set') return `must NOT have ${words} than ${bound} items`;
	if (origin === 'string') return `must NOT have ${words} than ${bound} characters`;
	return `must be ${sign} ${bound}`;
}
