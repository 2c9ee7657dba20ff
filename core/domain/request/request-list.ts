import type { Cancellable } from '../../base/abort';
import type { ListInput } from '../../facade/lists';
import type { RequestDto } from '../../model/record/request';
import type { RequestField } from '../../store/store';
import type { Needs } from '../needs';
import type { QueryFields } from '../query/collection-query';
import { matching } from '../query/conditions';
import { listWithQuery, withKnownFields } from '../query/list-with-query';
import { toRequestDto } from './request-dto';
import { noticeExpired } from './request-expiry';

/** Use case that lists own requests, or requests of peers; ignores fields that it does not know. */
export function requestListOf(
	dependencies: () => Needs<'store' | 'clock'>,
	isOwn: boolean,
	fields: QueryFields<RequestField>,
) {
	return async (
		input: ListInput<RequestField> = {},
		options: Cancellable = {},
	): Promise<RequestDto[]> =>
		await listWithQuery(withKnownFields(input, fields), fields, async (query) => {
			await noticeExpired(dependencies(), options);
			const where = [...matching({ isOwn }), ...(query.where ?? [])];
			const entries = await dependencies().store.read(
				(tx) => tx.requests.list({ ...query, where }),
				options,
			);
			return entries.map(({ record }) => toRequestDto(record));
		});
}
