import type { DraftField, SettingField } from '../../store/store';
import { text, type QueryFields } from '../query/collection-query';

/** Query fields of settings (docs/protocol/consumption.md 12). */
export const settingQueryFields: QueryFields<SettingField> = {
	key: text('key'),
	scope: text('scope'),
	reference: text('reference'),
	createdAt: text('createdAt'),
	succeedsItem: text('succeedsItem'),
	succeedsAt: text('succeedsAt'),
};

/** Query fields of drafts (docs/protocol/consumption.md 12). */
export const draftQueryFields: QueryFields<DraftField> = {
	type: text('type'),
	createdAt: text('createdAt'),
	lastModifiedAt: text('lastModifiedAt'),
};
