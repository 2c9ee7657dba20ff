/**
 * Filter of a list by names of fields, each with one text or several in the syntax of transport 17.
 */
export type ListQueryInput = Readonly<Record<string, string | readonly string[] | undefined>>;
