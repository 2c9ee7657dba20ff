import type { Cancellable } from './base/abort';
import { readQuery, type QueryFields } from './domain/collection-query';
import type { ListInput } from './facade';
import type { Query } from './store/store';

/**
 * A list that understands queries of callers. What only a look at each record can tell is looked at
 * after the conditions, and before offset and limit.
 *
 * @throws `error.runtime.validation.invalidPropertyValue`, `error.gateway.store.queryTooLarge`
 */
export function listWithQuery<Field extends string, Dto>(
	list: (query: Query<Field>, options?: Cancellable) => Promise<Dto[]>,
	fields: QueryFields<Field, Dto>,
): (input?: ListInput<Field>, options?: Cancellable) => Promise<Dto[]> {
	return async ({ query, ...rest } = {}, options) => {
		if (query === undefined) return await list(rest, options);
		const { where: asked, tests } = readQuery(query, fields);
		const given = rest.where ?? [];
		// Whoever asks for own objects, or for those of peers, gets no others.
		const isDecided = given.some(
			(condition) => 'field' in condition && condition.field === 'isOwn',
		);
		const where = [
			...given,
			...asked.filter((one) => !isDecided || !('field' in one) || one.field !== 'isOwn'),
		];
		if (tests.length === 0) return await list({ ...rest, where }, options);
		const { offset = 0, limit = Number.POSITIVE_INFINITY, ...unpaged } = rest;
		const candidates = await list({ ...unpaged, where }, options);
		return candidates
			.filter((dto) => tests.every((test) => test(dto)))
			.slice(offset, offset + limit);
	};
}
