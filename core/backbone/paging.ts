import type { z } from 'zod';
import { readPage, type WirePage } from './answer';
import type { CallOptions, Page, PageRequest } from './backbone';
import type { BackboneCaller, Call } from './backbone-caller';
import { backboneErrors } from './backbone-errors';

const maxPages = 1_000;
const maxItems = 100_000;

/** Request lines stay below 8 KB (`docs/protocol/backbone-api.md` 2.10); the rest is path and host. */
const maxQueryLength = 6_000;

async function onePage<Schema extends z.ZodType>(
	caller: BackboneCaller,
	call: Call,
	itemSchema: Schema,
	paging: ReadonlyArray<readonly [string, string]>,
	options: CallOptions,
): Promise<WirePage<z.output<Schema>>> {
	const paged = { ...call, isPagedList: true, query: [...(call.query ?? []), ...paging] };
	const { body, status } = await caller.json(paged, options);
	return readPage(body, itemSchema, caller.contextOf(paged), status);
}

/** The asked page with the totals; a missing `pagination` member means one page. */
export async function readSinglePage<Schema extends z.ZodType>(
	caller: BackboneCaller,
	call: Call,
	itemSchema: Schema,
	{ pageNumber, pageSize }: PageRequest,
	options: CallOptions = {},
): Promise<Page<z.output<Schema>>> {
	const paging = [
		['pageNumber', String(pageNumber)],
		['pageSize', String(pageSize)],
	] as const;
	const { items, pagination } = await onePage(caller, call, itemSchema, paging, options);
	return {
		items,
		pageNumber: pagination?.pageNumber ?? pageNumber,
		totalPages: pagination?.totalPages ?? 1,
		totalRecords: pagination?.totalRecords ?? items.length,
	};
}

/**
 * All pages of a list, in order (`docs/protocol/backbone-api.md` 2.9).
 * @throws `error.gateway.backbone.tooManyPages`
 */
export async function readAllPages<Schema extends z.ZodType>(
	caller: BackboneCaller,
	call: Call,
	itemSchema: Schema,
	options: CallOptions = {},
): Promise<Array<z.output<Schema>>> {
	const items: Array<z.output<Schema>> = [];
	let totalPages = 1;
	for (let pageNumber = 1; pageNumber <= totalPages; pageNumber++) {
		const paging = pageNumber === 1 ? [] : ([['pageNumber', String(pageNumber)]] as const);
		const page = await onePage(caller, call, itemSchema, paging, options);
		for (const item of page.items) items.push(item);
		totalPages = page.pagination?.totalPages ?? totalPages;
		if (totalPages > maxPages || items.length > maxItems) {
			throw backboneErrors.create('tooManyPages', {
				message: `The list at ${call.path} has ${totalPages} pages and more than ${items.length} items; at most ${maxPages} pages and ${maxItems} items are read.`,
				facts: { path: call.path, totalPages, maxPages, maxItems },
			});
		}
	}
	return items;
}

/** Splits what goes into queries, so that no request line gets too long. */
export function chunkQuery<Item>(
	items: readonly Item[],
	render: (item: Item, index: number) => ReadonlyArray<readonly [string, string]>,
): Array<Array<readonly [string, string]>> {
	const chunks: Array<Array<readonly [string, string]>> = [];
	let chunk: Array<readonly [string, string]> = [];
	let length = 0;
	let index = 0;
	for (const item of items) {
		const size = (pairs: ReadonlyArray<readonly [string, string]>): number =>
			pairs.reduce(
				(sum, [name, value]) => sum + name.length + encodeURIComponent(value).length + 2,
				0,
			);
		if (chunk.length > 0 && length + size(render(item, index)) > maxQueryLength) {
			chunks.push(chunk);
			chunk = [];
			length = 0;
			index = 0;
		}
		const pairs = render(item, index++);
		chunk.push(...pairs);
		length += size(pairs);
	}
	if (chunk.length > 0) chunks.push(chunk);
	return chunks;
}

/** A list by ids: one call per chunk, all pages of each. */
export async function readListed<Schema extends z.ZodType, Item>(
	caller: BackboneCaller,
	call: Call,
	itemSchema: Schema,
	items: readonly Item[],
	render: (item: Item, index: number) => ReadonlyArray<readonly [string, string]>,
	options: CallOptions = {},
): Promise<Array<z.output<Schema>>> {
	const found: Array<z.output<Schema>> = [];
	for (const query of chunkQuery(items, render)) {
		const chunk = await readAllPages(caller, { ...call, query }, itemSchema, options);
		for (const item of chunk) found.push(item);
	}
	return found;
}
