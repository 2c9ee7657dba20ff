import type { Condition, Query } from '../../../core';

/** What 'Get Many' asks a list for: what fits the filters, the newest first. */
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
