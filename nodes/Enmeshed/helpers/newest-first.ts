import type { Condition, Query } from '../../../core';

/** Query of 'Get Many': objects that match the filters, newest first. */
export function newestFirst<Field extends string>(
	where: ReadonlyArray<Condition<Field>>,
	{ returnAll, limit }: { readonly returnAll: boolean; readonly limit: number },
): Query<Field> {
	return {
		where,
		orderBy: { field: 'inserted', direction: 'desc' },
		...(returnAll ? {} : { limit }),
	};
}
