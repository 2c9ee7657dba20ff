import type * as z from 'zod';
import { attributeIdSchema } from '../../model/ids';
import { parseInput } from '../validation';
import { attributeErrors } from './attribute-errors';

/** @throws `error.runtime.validation.invalidPropertyValue` */
export function readInput<Output>(schema: z.ZodType<Output>, input: unknown): Output {
	return parseInput(schema, input, (message, field) =>
		attributeErrors.create('invalidInput', { message, facts: { field } }),
	);
}

/** @throws `error.runtime.validation.invalidPropertyValue` */
export function requireAttributeId(id: string): void {
	parseInput(attributeIdSchema, id, (message) =>
		attributeErrors.create('invalidInput', { message, facts: { field: 'id' } }),
	);
}
