import { codeOf } from '../../base/errors';
import type { Condition, Query } from '../../store/store';

/** Records of a page: few enough for the memory, and enough to make the cost of a page small. */
const recordsPerPage = 500;

const newestFirst = { field: 'inserted', direction: 'desc' } as const;

/**
 * Reads a list of any length, newest first, in pages with a transaction each, so that other calls
 * run between them. Records that are inserted or deleted meanwhile may be missing; no record comes twice.
 *
 * @param list returns the matches for a query
 */
export async function listAll<Field extends string, Dto extends { readonly id: string }>(
	list: (query: Query<Field>) => Promise<Dto[]>,
	where: ReadonlyArray<Condition<Field>>,
): Promise<Dto[]> {
	const all: Dto[] = [];
	let page: Dto[];
	do {
		page = await pageAfter(all, (place) =>
			list({ where, orderBy: newestFirst, limit: recordsPerPage, ...place }),
		);
		for (const dto of page) all.push(dto);
	} while (page.length === recordsPerPage);
	return all;
}

/** Reads the page after the last of the records that still exists, or the first page if none does. */
async function pageAfter<Dto extends { readonly id: string }>(
	records: readonly Dto[],
	read: (place: { readonly after?: string }) => Promise<Dto[]>,
): Promise<Dto[]> {
	for (let back = 1; ; back++) {
		const record = records.at(-back);
		if (record === undefined) return await read({});
		try {
			return await read({ after: record.id });
		} catch (error) {
			if (codeOf(error) !== 'error.gateway.store.unknownCursor') throw error;
		}
	}
}
