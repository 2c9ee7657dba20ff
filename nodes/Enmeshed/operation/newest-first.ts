import type { Condition, Query } from '../../../core';
import { loadCore } from '../gateway/core';

/** Objects of 'Get Many' that match the filters, newest first; with 'Return All' read in pages. */
export async function listNewestFirst<Field extends string, Dto extends { readonly id: string }>(
	list: (query: Query<Field>) => Promise<Dto[]>,
	where: ReadonlyArray<Condition<Field>>,
	{ returnAll, limit }: { readonly returnAll: boolean; readonly limit: number },
): Promise<Dto[]> {
	if (!returnAll) {
		return await list({ where, orderBy: { field: 'inserted', direction: 'desc' }, limit });
	}
	const { listAll } = await loadCore();
	return await listAll(list, where);
}
