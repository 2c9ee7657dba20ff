import type * as z from 'zod';
import { addressPatternSchema } from '../../model/address';
import type { contactFindInputSchema, contactListInputSchema } from '../../model/input/contact';
import { parseInput } from '../validation';
import { invalidInput } from '../input-errors';

export interface Page {
	readonly limit?: number | undefined;
	readonly offset: number;
}

export type ContactListInput = z.output<typeof contactListInputSchema>;
export type ContactFindInput = z.output<typeof contactFindInputSchema>;

/** @throws `error.runtime.validation.invalidPropertyValue` */
export function requireAddress(address: unknown): void {
	parseInput(addressPatternSchema, address, (message) => invalidInput(message, 'address'));
}
