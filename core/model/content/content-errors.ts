import type { z } from 'zod';
import { defineErrors, type GatewayError } from '../../base/errors';

/** Failures of reading content (docs/protocol/content.md 3). */
export const contentErrors = defineErrors({
	notReadable: {
		code: 'error.runtime.requestDeserialization',
		kind: 'invalid',
		remedy: 'Correct the named member of the content.',
	},
	unknownType: {
		code: 'error.runtime.unknownType',
		kind: 'invalid',
		remedy: "Check the spelling of '@type'; types are case sensitive.",
	},
	servalError: {
		code: 'error.runtime.servalError',
		kind: 'invalid',
		remedy: "Give a list where one is expected, and '@type' and '@version' as text.",
	},
	wrongKind: {
		code: 'error.runtime.validation.invalidPropertyValue',
		kind: 'invalid',
		remedy: 'Use one of the kinds of content that belong here.',
	},
	notSupportedYet: {
		code: 'error.gateway.notSupportedYet',
		kind: 'invalid',
		remedy: 'Use another kind of content until a later version of this package supports it.',
	},
});

/** The first violation decides the code and names the member; values are never part of it. */
export function contentError(what: string, error: z.ZodError): GatewayError {
	const issue = error.issues[0];
	const path = issue?.path ?? [];
	const field = path.map(String).join('.');
	const place = field === '' ? '' : ` at '${field}'`;
	return contentErrors.create(failureOf(issue), {
		message: `${what} is not valid${place}: ${issue?.message ?? 'unexpected value'}.`,
		facts: { field },
	});
}

/** Whatever is wrong inside a list makes its owner unreadable (content.md 2.4). */
function failureOf(
	issue: z.core.$ZodIssue | undefined,
): 'unknownType' | 'servalError' | 'notReadable' {
	if (issue?.code !== 'custom') return 'notReadable';
	if (issue.path.some((step) => typeof step === 'number')) return 'notReadable';
	switch (issue.params?.['failure']) {
		case 'unknownType':
			return 'unknownType';
		case 'serval':
			return 'servalError';
		default:
			return 'notReadable';
	}
}
