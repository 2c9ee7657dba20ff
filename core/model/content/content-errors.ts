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

/** The first violation decides the code and names the member. */
export function contentError(what: string, error: z.ZodError): GatewayError {
	const issue = error.issues[0];
	const field = issue?.path.map(String).join('.') ?? '';
	const message = `${what} is not valid at '${field === '' ? '@type' : field}': ${issue?.message ?? 'unexpected value'}.`;
	const isUnknown =
		issue?.code === 'custom' &&
		issue.params?.['unknownType'] === true &&
		!issue.path.some((step) => typeof step === 'number');
	return contentErrors.create(isUnknown ? 'unknownType' : 'notReadable', {
		message,
		facts: { field },
	});
}
