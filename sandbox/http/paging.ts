import { invalid } from './backbone-error';
import type { Answer } from './context';

/** One page of the list (docs/protocol/backbone-api.md 2.9). */
export function paged<Item>(
	items: readonly Item[],
	query: URLSearchParams,
	show: (item: Item) => unknown,
): Answer {
	const pageNumber = Math.max(1, numberOf(query, 'pagenumber') ?? 1);
	const pageSize = numberOf(query, 'pagesize') ?? 50;
	if (pageSize < 1 || pageSize > 200) {
		throw invalid('pagination.invalidPageSize', 'The page size must be between 1 and 200.');
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

/** Repeated `ids`, or `name.0.id`, `name.1.id`, ...; duplicates count once. */
export function idsOf(query: URLSearchParams, name?: string): string[] {
	const ids = new Set(query.getAll('ids'));
	if (name !== undefined) {
		for (let index = 0; query.has(`${name}.${index}.id`); index++) {
			ids.add(query.get(`${name}.${index}.id`) ?? '');
		}
	}
	return [...ids];
}

function numberOf(query: URLSearchParams, name: string): number | undefined {
	const text = query.get(name);
	const value = Number(text);
	return text === null || !Number.isInteger(value) ? undefined : value;
}
