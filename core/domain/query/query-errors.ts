import { general } from '../../base/error-definitions';
import { defineErrors } from '../../base/errors';

/** Coded errors of queries on lists (docs/protocol/transport.md 17). */
export const queryErrors = defineErrors({
	invalidQuery: {
		...general.invalidPropertyValue,
		remedy: 'Use the fields and values that the protocol defines for queries on this list.',
	},
});

const longestShownName = 100;

/** @param name field name as the caller wrote it; never the value, which may be personal data */
export function invalidQuery(name: string, expected: string): Error {
	const field = name.slice(0, longestShownName);
	return queryErrors.create('invalidQuery', {
		message: `The query '${field}' is not valid: ${expected}.`,
		facts: { field },
	});
}
