import type { Cancellable } from '../../base/abort';
import { pagesOf } from '../../facade/list-pages';
import type { ListInput } from '../../facade/lists';
import type { Query } from '../../store/store';
import { onlyKnown, readQuery, type QueryFields } from './collection-query';

/**
 * Applies a caller's query to a list. Tests of individual records run after the conditions, and
 * before offset and limit.
 *
 * @param list returns the matches for the conditions of a translated query
 * @throws `error.runtime.validation.invalidPropertyValue`, `error.gateway.store.queryTooLarge`
 */
export async function listWithQuery<Field extends string, Dto extends { readonly id: string }>(
	{ query, ...rest }: ListInput<Field>,
	fields: QueryFields<Field, Dto>,
	list: (query: Query<Field>) => Promise<Dto[]>,
): Promise<Dto[]> {
	if (query === undefined) return await list(rest);
	const { where: asked, tests } = readQuery(query, fields);
	const given = rest.where ?? [];
	// A list that the caller restricts to own objects, or to objects of peers, ignores `isOwn` in the
	// query.
	const isDecided = given.some((condition) => 'field' in condition && condition.field === 'isOwn');
	const where = [
		...given,
		...asked.filter((one) => !isDecided || !('field' in one) || one.field !== 'isOwn'),
	];
	if (tests.length === 0) return await list({ ...rest, where });
	const { offset = 0, limit = Number.POSITIVE_INFINITY, ...unpaged } = rest;
	const found: Dto[] = [];
	for await (const page of pagesOf(list, { ...unpaged, where })) {
		found.push(...page.filter((dto) => tests.every((test) => test(dto))));
		if (found.length >= offset + limit) break;
	}
	return found.slice(offset, offset + limit);
}

/** Use case that lists what `list` returns for the conditions of a caller's query. */
export function listOf<Field extends string, Dto extends { readonly id: string }>(
	fields: QueryFields<Field, Dto>,
	list: (query: Query<Field>, options: Cancellable) => Promise<Dto[]>,
) {
	return async (input: ListInput<Field> = {}, options: Cancellable = {}): Promise<Dto[]> =>
		await listWithQuery(input, fields, (query) => list(query, options));
}

/** Removes unsupported fields from the query in a caller's input. */
export function withKnownFields<Field extends string>(
	{ query, ...rest }: ListInput<Field>,
	fields: QueryFields<Field>,
): ListInput<Field> {
	return query === undefined ? rest : { ...rest, query: onlyKnown(query, fields) };
}
