import type * as z from 'zod';
import { addressPatternSchema } from '../../model/address';
import type { contactFindInputSchema, contactListInputSchema } from '../../model/input/contact';
import { parseInput } from '../validation';
import { contactErrors } from './contact-errors';

export interface Page {
	readonly limit?: number | undefined;
	readonly offset: number;
}

export type ContactListInput = z.output<typeof contactListInputSchema>;
export type ContactFindInput = z.output<typeof contactFindInputSchema>;

/** @throws `error.runtime.validation.invalidPropertyValue` */
export function readInput<Output>(schema: z.ZodType<Output>, input: unknown): Output {
	return parseInput(schema, input, (message, field) =>
		contactErrors.create('invalidInput', { message, facts: { field } }),
	);
}

/** @throws `error.runtime.validation.invalidPropertyValue` */
export function requireAddress(address: unknown): void {
	parseInput(addressPatternSchema, address, (message) =>
		contactErrors.create('invalidInput', { message, facts: { field: 'address' } }),
	);
}
