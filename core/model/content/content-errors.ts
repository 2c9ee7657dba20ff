import type { z } from 'zod';
import { general } from '../../base/error-definitions';
import { defineErrors, type GatewayError } from '../../base/errors';
import { ownMember } from '../json';
import { referenceErrors } from '../reference-errors';
import { isKeyOf } from '../../base/members';

/** Errors of parsing content (docs/protocol/content.md 3). */
export const contentErrors = defineErrors({
	notReadable: general.unreadableContent,
	unknownType: general.unknownType,
	servalError: general.servalError,
	/** Input on which official software fails with an internal error instead of a refusal. */
	unexpected: general.unknown,
	wrongKind: {
		...general.invalidPropertyValue,
		remedy: 'Use one of the kinds of content that belong here.',
	},
});

/**
 * Error for invalid content. The first violation decides the code and names the member; values are
 * never included.
 */
export function contentError(what: string, content: unknown, error: z.ZodError): GatewayError {
	const issue = error.issues[0];
	const path = issue?.path ?? [];
	const field = path.map(String).join('.');
	const place = field === '' ? '' : ` at '${field}'`;
	const details = {
		message:
			comparedText(content, issue) ??
			`${what} is not valid${place}: ${issue?.message ?? 'unexpected value'}.`,
		facts: { field },
	};
	const failure = failureOf(issue);
	if (failure === 'malformedReference') {
		return referenceErrors.create('invalidTruncatedReference', details);
	}
	return contentErrors.create(failure, details);
}

/** Message that clients of the official gateway compare (docs/protocol/http-api.md 18.2). */
function comparedText(content: unknown, issue: z.core.$ZodIssue | undefined): string | undefined {
	if (issue === undefined) return undefined;
	const isUnknownType = issue.code === 'custom' && issue.params?.['failure'] === 'unknownType';
	if (isUnknownType) return issue.message;
	const member = issue.path.at(-1);
	const type = ownMember(issue.path.slice(0, -1).reduce(ownMember, content), '@type');
	if (typeof member !== 'string' || typeof type !== 'string') return undefined;
	if (issue.message === 'is missing') return `${type}.${member} :: Value is not defined`;
	const isEmptyList = issue.code === 'too_small' && issue.origin === 'array';
	return isEmptyList ? `${type}.${member}:Array :: may not be empty` : undefined;
}

/** Kinds of failure that an issue can name; content-type.ts creates these issues. */
const failures = {
	unknownType: 'unknownType',
	serval: 'servalError',
	unexpected: 'unexpected',
	malformedReference: 'malformedReference',
} as const;
type Failure = (typeof failures)[keyof typeof failures] | 'notReadable';

/**
 * Any invalid element of a list makes the containing object unreadable (docs/protocol/content.md
 * 2.4).
 */
function failureOf(issue: z.core.$ZodIssue | undefined): Failure {
	if (issue?.code !== 'custom') return 'notReadable';
	if (issue.path.some((step) => typeof step === 'number')) return 'notReadable';
	const failure = String(issue.params?.['failure']);
	return isKeyOf(failures, failure) ? failures[failure] : 'notReadable';
}
