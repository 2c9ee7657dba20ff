import { setImmediate } from 'node:timers/promises';
import type { Cancellable } from '../base/abort';
import { codeOf } from '../base/errors';
import type { Condition, Query } from '../store/store';
import type { ListInput } from './lists';

/** Records of a page: few enough for the memory, and enough to make the cost of a page small. */
const recordsPerPage = 500;

const newestFirst = { field: 'inserted', direction: 'desc' } as const;

/** Input of a list in pages, whose place and size are set by the pages. */
type Listed<Field extends string> = Omit<Query<Field>, 'after' | 'limit' | 'offset'>;

/**
 * Reads a list of any length in pages with a transaction each, so that other calls run between
 * them. Records that are inserted or deleted meanwhile may be missing; no record comes twice.
 *
 * @param list returns the matches for a query
 */
export async function* pagesOf<Field extends string, Dto extends { readonly id: string }>(
	list: (query: Query<Field>) => Promise<Dto[]>,
	query: Listed<Field> = {},
): AsyncGenerator<Dto[], void> {
	const ids: string[] = [];
	let page: Dto[] | undefined;
	do {
		// A store in this process answers without letting timers and other connections run.
		if (page !== undefined) await setImmediate();
		page = await pageAfter(ids, (place) => list({ ...query, limit: recordsPerPage, ...place }));
		for (const { id } of page) ids.push(id);
		if (page.length > 0) yield page;
	} while (page.length === recordsPerPage);
}

/** Pages of a list of the facade, for the same input and options. */
export function facadePages<Field extends string, Dto extends { readonly id: string }>(
	lists: { list(input: ListInput<Field>, options: Cancellable): Promise<Dto[]> },
	input: Listed<Field> & Pick<ListInput<Field>, 'query'>,
	options: Cancellable,
): AsyncGenerator<Dto[], void> {
	return pagesOf<Field, Dto>((page) => lists.list({ ...input, ...page }, options));
}

/** Reads a list of any length, newest first, in pages. */
export async function listAll<Field extends string, Dto extends { readonly id: string }>(
	list: (query: Query<Field>) => Promise<Dto[]>,
	where: ReadonlyArray<Condition<Field>>,
): Promise<Dto[]> {
	const all: Dto[] = [];
	for await (const page of pagesOf(list, { where, orderBy: newestFirst })) {
		for (const dto of page) all.push(dto);
	}
	return all;
}

/**
 * Reads the page after the last of the records that still exists, or the first page if none does.
 */
async function pageAfter<Dto>(
	ids: readonly string[],
	read: (place: { readonly after?: string }) => Promise<Dto[]>,
): Promise<Dto[]> {
	for (let back = 1; ; back++) {
		const after = ids.at(-back);
		if (after === undefined) return await read({});
		try {
			return await read({ after });
		} catch (error) {
			if (codeOf(error) !== 'error.gateway.store.unknownCursor') throw error;
		}
	}
}
