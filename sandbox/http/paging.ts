import { cannotParse, invalid, unexpected } from './backbone-error';
import { requireId } from './body';
import type { Answer } from './context';

const defaultSize = 50;
const maxSize = 200;

/** Page of a list (docs/protocol/backbone-api.md 2.9). */
export function paged<Item>(
	items: readonly Item[],
	query: URLSearchParams,
	show: (item: Item) => unknown,
): Answer {
	const pageNumber = Math.max(1, numberOf(query, 'pagenumber') ?? 1);
	const pageSize = numberOf(query, 'pagesize') ?? defaultSize;
	if (pageSize > maxSize) throw unexpected();
	if (pageSize < 1) {
		throw invalid(
			'pagination.invalidPageSize',
			`The page size must be between 1 and ${maxSize}, but is ${pageSize}.`,
		);
	}
	const totalPages = Math.ceil(items.length / pageSize);
	const result = items.slice((pageNumber - 1) * pageSize, pageNumber * pageSize).map(show);
	if (totalPages <= 1) return { status: 200, result };
	return {
		status: 200,
		result,
		pagination: { pageNumber, pageSize, totalPages, totalRecords: items.length },
	};
}

/** Compares by creation; rows of the same millisecond keep the order of the table. */
export function byCreation(a: { createdAt: string }, b: { createdAt: string }): number {
	return a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : 0;
}

/** Reads repeated `ids`; duplicates count once. */
export function idsOf(query: URLSearchParams, prefix: string): string[] {
	return [...new Set(query.getAll('ids'))].map((id) => requireId(prefix, id));
}

/** Reads `name.0.id`, `name.0.password`, `name.1.id`, ... or repeated `ids`; passwords by id. */
export function itemsOf(
	query: URLSearchParams,
	name: string,
	prefix: string,
): Map<string, string | undefined> {
	const items = new Map<string, string | undefined>();
	for (const id of idsOf(query, prefix)) items.set(id, undefined);
	for (let index = 0; query.has(`${name}.${index}.id`); index++) {
		const id = requireId(prefix, query.get(`${name}.${index}.id`));
		items.set(id, query.get(`${name}.${index}.password`) ?? items.get(id));
	}
	return items;
}

export function numberOf(query: URLSearchParams, name: string): number | undefined {
	const text = query.get(name);
	if (text === null || text === '') return undefined;
	if (/^-?\d{1,9}$/.test(text)) return Number(text);
	throw cannotParse(`The parameter '${name}' is not a number.`);
}
