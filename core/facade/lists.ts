import type { Query } from '../store/store';

/** Filter and order of a list; an empty input lists everything. */
export interface ListInput<Field extends string> extends Query<Field> {
	/**
	 * Filter of an external caller: names of fields, each with one or more texts, in the syntax of
	 * transport 17. A condition on `isOwn` in `where` takes precedence over one in this query.
	 */
	readonly query?: unknown;
}
