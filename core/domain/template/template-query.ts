import type { TemplateDto } from '../../model/record/template';
import type { TemplateField } from '../../store/store';
import { scalar, text, type QueryFields } from '../query/collection-query';
import { protectionFields } from '../query/protection-query';

/** Query parameters of template lists (docs/protocol/transport.md 17.2). */
export const templateQueryFields: QueryFields<TemplateField, TemplateDto> = {
	isOwn: scalar('isOwn'),
	createdAt: text('createdAt'),
	expiresAt: text('expiresAt'),
	createdBy: text('createdBy'),
	createdByDevice: text('createdByDevice'),
	maxNumberOfAllocations: scalar('maxNumberOfAllocations'),
	forIdentity: text('forIdentity'),
	purpose: text('purpose'),
	...protectionFields,
};
