import type { Query } from './store/store';

/** What a list shows, and in which order; without anything, all of it. */
export interface ListInput<Field extends string> extends Query<Field> {
	/**
	 * Of a caller: names of fields, each with one text or several, in the syntax of transport 17. A
	 * condition on `isOwn` in `where` wins over the one in here.
	 */
	readonly query?: unknown;
}
