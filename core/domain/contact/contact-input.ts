import * as z from 'zod';
import { addressPatternSchema } from '../../model/address';
import { parseInput } from '../validation';
import { contactErrors } from './contact-errors';

const searchedText = z
	.string()
	.max(5_000)
	.refine((text) => text.trim() !== '', 'expected a text that is not empty');

const pageShape = {
	limit: z.int().min(1).optional(),
	offset: z.int().min(0).default(0),
};
export interface Page {
	readonly limit?: number | undefined;
	readonly offset: number;
}

export const listInputSchema = z.strictObject({
	statuses: z.array(z.string()).max(100).default([]),
	templateId: z.string().optional(),
	...pageShape,
});
export type ContactListInput = z.infer<typeof listInputSchema>;

const criteria = {
	emailAddress: searchedText.optional(),
	attribute: z.strictObject({ type: searchedText, value: searchedText }).optional(),
	relationshipAttribute: z.strictObject({ key: searchedText, value: searchedText }).optional(),
	name: searchedText.optional(),
};

export const findInputSchema = z
	.strictObject({ ...criteria, ...pageShape })
	.refine(
		(input) =>
			Object.keys(criteria).filter((name) => input[name as keyof typeof criteria] !== undefined)
				.length === 1,
		'expected exactly one of emailAddress, attribute, relationshipAttribute and name',
	);
export type ContactFindInput = z.infer<typeof findInputSchema>;

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
