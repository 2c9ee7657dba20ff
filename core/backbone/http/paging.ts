import type { z } from 'zod';
import type { GatewayError } from '../../base/errors';
import type { WirePage } from './answer';
import type { ListOptions, Page, PageRequest } from '../port/backbone';
import type { BackboneCaller, Call } from './backbone-caller';
import { backboneErrors } from '../backbone-errors';
import type { Pagination } from '../dto/envelope';

/** How much of a list is read. */
export interface ListLimits {
	readonly maxPages: number;
	readonly maxItems: number;
	readonly maxBytes: number;
}

const wholeListLimits: ListLimits = {
	maxPages: 1_000,
	maxItems: 100_000,
	maxBytes: 256 * 1024 * 1024,
};

/**
 * Keeps request lines below 8 KB (`docs/protocol/backbone-api.md` 2.10), including path and host.
 */
const maxQueryLength = 6_000;

async function onePage<Schema extends z.ZodType>(
	caller: BackboneCaller,
	call: Call,
	itemSchema: Schema,
	paging: ReadonlyArray<readonly [string, string]>,
	options: ListOptions,
): Promise<WirePage<z.output<Schema>> & { readonly bytes: number }> {
	const paged = { ...call, isPagedList: true, query: [...(call.query ?? []), ...paging] };
	return await caller.page(paged, itemSchema, options);
}

/**
 * Reads the requested page with the totals. A missing `pagination` member means that there is one
 * page.
 * @throws `error.gateway.backbone.unexpectedAnswer` also if the total is missing,
 * because callers page by it
 */
export async function readSinglePage<Schema extends z.ZodType>(
	caller: BackboneCaller,
	call: Call,
	itemSchema: Schema,
	{ pageNumber, pageSize }: PageRequest,
	options: ListOptions = {},
): Promise<Page<z.output<Schema>>> {
	const paging = [
		['pageNumber', String(pageNumber)],
		['pageSize', String(pageSize)],
	] as const;
	const page = await onePage(caller, call, itemSchema, paging, options);
	const { items, unreadable, pagination } = page;
	for (const item of unreadable) options.onUnreadable?.(item);
	if (pagination === undefined) {
		const totalRecords = items.length + unreadable.length;
		return { items, pageNumber, totalPages: 1, totalRecords };
	}
	const { totalRecords } = pagination;
	if (totalRecords == null) throw unknownEnd(call, pageNumber);
	const totalPages = pagination.totalPages ?? Math.ceil(totalRecords / pageSize);
	return { items, pageNumber: pagination.pageNumber ?? pageNumber, totalPages, totalRecords };
}

/** Reads a list without pages. */
export async function readWholeList<Schema extends z.ZodType>(
	caller: BackboneCaller,
	call: Call,
	itemSchema: Schema,
	options: ListOptions = {},
): Promise<Array<z.output<Schema>>> {
	const { items, unreadable } = await caller.page(call, itemSchema, options);
	for (const item of unreadable) options.onUnreadable?.(item);
	return items;
}

/**
 * Reads all pages of a list into memory.
 *
 * @throws `error.gateway.backbone.tooManyPages`
 */
export async function readAllPages<Schema extends z.ZodType>(
	caller: BackboneCaller,
	call: Call,
	itemSchema: Schema,
	options: ListOptions = {},
): Promise<Array<z.output<Schema>>> {
	const items: Array<z.output<Schema>> = [];
	for await (const page of readPages(caller, call, itemSchema, options)) {
		for (const item of page) items.push(item);
	}
	return items;
}

/**
 * Reads the pages of a list, in order (`docs/protocol/backbone-api.md` 2.9). If a page does not
 * state the number of pages, or the Backbone returns another page than the requested one, the
 * list ends there and `onUnreadable` is called.
 *
 * @throws `error.gateway.backbone.tooManyPages` after the last page within the limits
 */
export async function* readPages<Schema extends z.ZodType>(
	caller: BackboneCaller,
	call: Call,
	itemSchema: Schema,
	options: ListOptions = {},
	{ maxPages, maxItems, maxBytes } = wholeListLimits,
): AsyncGenerator<Array<z.output<Schema>>, void> {
	let totalPages = 1;
	let bytes = 0;
	let count = 0;
	for (let pageNumber = 1; pageNumber <= totalPages; pageNumber++) {
		const paging = pageNumber === 1 ? [] : ([['pageNumber', String(pageNumber)]] as const);
		const page = await onePage(caller, call, itemSchema, paging, options);
		const end = endOf(call, pageNumber, page.pagination);
		if (end !== undefined) {
			caller.logger.warn('a list could not be read to its end', { path: call.path, pageNumber });
			options.onUnreadable?.({ problem: end });
			totalPages = pageNumber;
		}
		if (pageNumber > 1 && isAnotherPage(pageNumber, page.pagination)) break;
		for (const item of page.unreadable) options.onUnreadable?.(item);
		yield page.items;
		count += page.items.length;
		totalPages = end === undefined ? (page.pagination?.totalPages ?? totalPages) : totalPages;
		bytes += page.bytes;
		if (totalPages > maxPages || count > maxItems || bytes > maxBytes) {
			throw backboneErrors.create('tooManyPages', {
				message: `The list at ${call.path} has ${totalPages} pages, and ${count} items in ${bytes} bytes so far; at most ${maxPages} pages, ${maxItems} items and ${maxBytes} bytes are read.`,
				facts: { path: call.path, totalPages, maxPages, maxItems, maxBytes },
			});
		}
	}
}

/**
 * Error that explains why later pages are not read, although there may be some;
 * undefined if there is none.
 */
function endOf(
	call: Call,
	asked: number,
	pagination: Pagination | undefined,
): GatewayError | undefined {
	if (pagination === undefined) return undefined;
	if (!isAnotherPage(asked, pagination)) {
		return pagination.totalPages == null ? unknownEnd(call, asked) : undefined;
	}
	const answered = pagination.pageNumber ?? 0;
	return backboneErrors.create('unexpectedAnswer', {
		message: `Page ${asked} of the list at ${call.path} was requested, and page ${answered} answered.`,
		facts: { path: call.path, asked, answered },
	});
}

/** True for a page other than the requested one: a list whose pages repeat would never end. */
function isAnotherPage(asked: number, pagination: Pagination | undefined): boolean {
	return pagination?.pageNumber != null && pagination.pageNumber !== asked;
}

function unknownEnd(call: Call, pageNumber: number): GatewayError {
	return backboneErrors.create('unexpectedAnswer', {
		message: `Page ${pageNumber} of the list at ${call.path} does not say how long the list is.`,
		facts: { path: call.path, pageNumber },
	});
}

/** Splits query parameters into chunks, so that no request line becomes too long. */
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

/**
 * Reads a list by ids: one call per chunk, all pages of each. Drops items that were not requested.
 */
export async function readListed<
	Schema extends z.ZodType<{ id?: string | null | undefined }>,
	Item extends Asked,
>(
	caller: BackboneCaller,
	call: Call,
	itemSchema: Schema,
	items: readonly Item[],
	render: (item: Item, index: number) => ReadonlyArray<readonly [string, string]>,
	options: ListOptions = {},
): Promise<Array<z.output<Schema>>> {
	const asked = new Set(items.map((item: Asked) => (typeof item === 'string' ? item : item.id)));
	const found: Array<z.output<Schema>> = [];
	for (const query of chunkQuery(items, render)) {
		const chunk = await readAllPages(caller, { ...call, query }, itemSchema, options);
		for (const item of chunk) if (asked.delete(item.id ?? '')) found.push(item);
	}
	return found;
}
