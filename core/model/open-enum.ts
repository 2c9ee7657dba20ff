import * as z from 'zod';

/** Extensible enumeration: a known value, or an unknown one of a newer Backbone. */
export type OpenEnum<Known extends string> = Known | (string & {});

/** Accepts unknown values unchanged, with a limited length. */
export function openEnumSchema<const Known extends string>(
	values: readonly Known[],
): z.ZodType<OpenEnum<Known>, string> {
	return z.union([z.enum(values), z.string().min(1).max(200)]);
}
