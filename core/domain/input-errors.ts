import { general } from '../base/error-definitions';
import { defineErrors, type GatewayError } from '../base/errors';

export const inputErrors = defineErrors({ invalidInput: general.invalidPropertyValue });

/** Error about a caller's input, which names the field. */
export function invalidInput(message: string, field: string): GatewayError {
	return inputErrors.create('invalidInput', { message, facts: { field } });
}
