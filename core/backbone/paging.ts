import type { z } from 'zod';
import { readPage, type WirePage } from './answer';
import type { CallOptions, Page, PageRequest } from './backbone';
import type { BackboneCaller, Call } from './backbone-caller';
import { backboneErrors } from './backbone-errors';

const maxPages = 1_000;
const maxItems = 100_000;
const maxBytes = 256 * 1024 * 1024;

/** Request lines stay below 8 KB (`docs/protocol/backbone-api.md` 2.10); the rest is path and host. */
const maxQueryLength = 6_000;

async function onePage<Schema extends z.ZodType>(
	caller: BackboneCaller,
	call: Call,
	itemSchema: Schema,
	paging: ReadonlyArray<readonly [string, string]>,
	options: CallOptions,
): Promise<WirePage<z.output<Schema>> & { readonly bytes: number }> {
	const paged = { ...call, isPagedList: true, query: [...(call.query ?? []), ...paging] };
	const { body, status, bytes } = await caller.json(paged, options);
	return { ...readPage(body, itemSchema, caller.contextOf(paged), status), bytes };
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
	let bytes = 0;
	for (let pageNumber = 1; pageNumber <= totalPages; pageNumber++) {
		const paging = pageNumber === 1 ? [] : ([['pageNumber', String(pageNumber)]] as const);
		const page = await onePage(caller, call, itemSchema, paging, options);
		for (const item of page.items) items.push(item);
		totalPages = page.pagination?.totalPages ?? totalPages;
		bytes += page.bytes;
		requirePage(call, pageNumber, page.pagination?.pageNumber);
		if (totalPages > maxPages || items.length > maxItems || bytes > maxBytes) {
			throw backboneErrors.create('tooManyPages', {
				message: `The list at ${call.path} has ${totalPages} pages, and ${items.length} items in ${bytes} bytes so far; at most ${maxPages} pages, ${maxItems} items and ${maxBytes} bytes are read.`,
				facts: { path: call.path, totalPages, maxPages, maxItems, maxBytes },
			});
		}
	}
	return items;
}

/** A list that goes round in circles has no end, and what is on the other pages is never seen. */
function requirePage(call: Call, asked: number, answered: number | undefined): void {
	if (answered === undefined || answered === asked) return;
	throw backboneErrors.create('unexpectedAnswer', {
		message: `Page ${asked} of the list at ${call.path} was asked for, and page ${answered} answered.`,
		facts: { path: call.path, asked, answered },
	});
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

type Asked = string | { readonly id: string };

/** A list by ids: one call per chunk, all pages of each; what was not asked for is left out. */
export async function readListed<
	Schema extends z.ZodType<{ id?: string | null | undefined }>,
	Item extends Asked,
>(
	caller: BackboneCaller,
	call: Call,
	itemSchema: Schema,
	items: readonly Item[],
	render: (item: Item, index: number) => ReadonlyArray<readonly [string, string]>,
	options: CallOptions = {},
): Promise<Array<z.output<Schema>>> {
	const asked = new Set(items.map((item: Asked) => (typeof item === 'string' ? item : item.id)));
	const found: Array<z.output<Schema>> = [];
	for (const query of chunkQuery(items, render)) {
		const chunk = await readAllPages(caller, { ...call, query }, itemSchema, options);
		for (const item of chunk) if (asked.delete(item.id ?? '')) found.push(item);
	}
	return found;
}
