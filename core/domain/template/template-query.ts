import type { TemplateDto } from '../../model/record/template';
import type { TemplateField } from '../../store/store';
import { scalar, text, type QueryFields } from '../collection-query';
import { protectionFields } from '../protection-query';

/** docs/protocol/transport.md 17.2 */
export const templateQueryFields: QueryFields<TemplateField, TemplateDto> = {
	isOwn: scalar('isOwn'),
	createdAt: text('createdAt'),
	expiresAt: text('expiresAt'),
	createdBy: text('createdBy'),
	createdByDevice: text('createdByDevice'),
	maxNumberOfAllocations: scalar('maxNumberOfAllocations'),
	forIdentity: text('forIdentity'),
	...protectionFields,
};
