import * as z from 'zod';

/** Whole number in a query, from 1 to a greatest one. */
export const countQuery = (most: number) =>
	z
		.string()
		.regex(/^\d{1,9}$/, 'must be a whole number')
		.transform(Number)
		.pipe(z.number().min(1).max(most));

/** Several texts as repeated names in a query. */
export const textsQuery = <Text extends string>(text: z.ZodType<Text, string>): z.ZodType<Text[]> =>
	z.union([text.transform((one) => [one]), z.array(text).max(100)]);
