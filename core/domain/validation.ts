import type { z } from 'zod';
import { safeParse } from '../base/schema-parse';
import type { GatewayError } from '../base/errors';
import { invalidInput } from './input-errors';

/**
 * Parses a caller's input; the first violation becomes a coded error that names the field. The
 * message never contains the input itself, which may hold personal data.
 */
export function parseInput<Output>(
	schema: z.ZodType<Output>,
	input: unknown,
	toError: (message: string, field: string) => GatewayError = invalidInput,
): Output {
	const result = safeParse(schema, input);
	if (result.success) return result.data;
	const issue = result.error.issues[0];
	const field = issue?.path.map(String).join('.') ?? '';
	const shown = field === '' ? 'The input' : `'${field}'`;
	throw toError(`${shown} is not valid: ${issue?.message ?? 'unexpected value'}.`, field);
}
