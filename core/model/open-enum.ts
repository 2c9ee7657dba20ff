import * as z from 'zod';

/** A value of a list that may grow: one of the known ones, or what a newer Backbone says instead. */
export type OpenEnum<Known extends string> = Known | (string & {});

/** Unknown members are kept as they came, bounded in length. */
export function openEnumSchema<const Known extends string>(
	values: readonly Known[],
): z.ZodType<OpenEnum<Known>, string> {
	return z.union([z.enum(values), z.string().min(1).max(200)]);
}
