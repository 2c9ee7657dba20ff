import type { TokenDto } from '../../model/record/token';
import type { TokenField } from '../../store/store';
import { scalar, text, type QueryFields } from '../query/collection-query';
import { protectionFields } from '../query/protection-query';

/** Query fields of tokens (docs/protocol/transport.md 17.2). */
export const tokenQueryFields: QueryFields<TokenField, TokenDto> = {
	isOwn: scalar('isOwn'),
	createdAt: text('createdAt'),
	createdBy: text('createdBy'),
	createdByDevice: text('createdByDevice'),
	expiresAt: text('expiresAt'),
	forIdentity: text('forIdentity'),
	...protectionFields,
};
