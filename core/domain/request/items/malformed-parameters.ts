import type { GatewayError } from '../../../base/errors';
import { requestErrors } from '../request-errors';

/** Error for a parameter of an acceptance. */
export function malformed(field: string, problem: string): GatewayError {
	return requestErrors.create('malformedParameters', {
		message: `'${field}' is not valid: ${problem}.`,
		facts: { field },
	});
}
