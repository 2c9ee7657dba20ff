import type { GatewayError } from '../../../base/errors';
import { requestErrors } from '../request-errors';

/** What is wrong with the parameters of an acceptance. */
export function malformed(field: string, problem: string): GatewayError {
	return requestErrors.create('malformedParameters', {
		message: `'${field}' is not valid: ${problem}.`,
		facts: { field },
	});
}
