import type { ListQueryInput } from '../model/input/list-query';
import type { Query } from '../store/store';

/** Filter and order of a list; an empty input lists everything. */
export interface ListInput<Field extends string> extends Query<Field> {
	/**
	 * Filter in the form of the HTTP interface, by its names of fields. A condition on `isOwn` in
	 * `where` takes precedence over one in this query.
	 */
	readonly query?: ListQueryInput;
}

export type { ListQueryInput };
