import * as z from 'zod';

/**
 * Member of a known type that passes unchecked, because a later reader judges it with error codes
 * of its own. What that reader receives is `unknown`.
 */
export function judgedLater<Input>(): z.ZodType<unknown, Input> {
	return z.custom<Input>();
}

/** List that callers may give as a read-only one. */
export function listInput<Entry, Input>(
	schema: z.ZodType<Entry[], Input[]>,
): z.ZodType<Entry[], readonly Input[]> {
	return schema;
}
