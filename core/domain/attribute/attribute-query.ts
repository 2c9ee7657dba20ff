import { safeParse } from '../../base/schema-parse';
import { instantSchema } from '../../model/instant';
import type { AttributeField, Condition } from '../../store/store';
import {
	literal,
	scalar,
	text,
	type QueryField,
	type QueryFields,
} from '../query/collection-query';
import { readTerm } from '../query/query-terms';
import { kindConditions } from './attribute-kind-query';

type Field = QueryField<AttributeField>;

/**
 * Condition on a bound of the validity period: a single date, without operators
 * (docs/protocol/http-api.md 6.2).
 */
const bound =
	(field: 'validFrom' | 'validTo', op: 'gte' | 'lte'): Field =>
	(given) => {
		const date = typeof given === 'string' ? given : (given[0] ?? '');
		if (date === '') return [];
		const parsed = safeParse(instantSchema, date);
		return [parsed.success ? { field, op, value: parsed.data } : { field, op: 'in', value: [] }];
	};

/** Condition on the presence of a member whose value as a whole cannot be queried. */
export const presence =
	(field: AttributeField): Field =>
	(given) => {
		const terms = (typeof given === 'string' ? [given] : given).map(readTerm);
		return terms.map(({ op }): Condition<AttributeField> =>
			op === 'exists' || op === 'missing' ? { field, op } : { field, op: 'in', value: [] },
		);
	};

const repositoryFields = {
	createdAt: text('createdAt'),
	isDefault: scalar('isDefault'),
	wasViewedAt: text('wasViewedAt'),
	'content.tags': literal('tag'),
	'content.validFrom': bound('validFrom', 'gte'),
	'content.validTo': bound('validTo', 'lte'),
	'content.value.@type': text('valueType'),
} as const satisfies QueryFields<AttributeField>;

const { isDefault: _isDefault, ...commonFields } = repositoryFields;

const peerSharedFields = {
	...commonFields,
	'content.@type': kindConditions,
	'content.key': text('key'),
	'content.isTechnical': scalar('isTechnical'),
	'content.confidentiality': text('confidentiality'),
	shareInfo: presence('peer'),
	'shareInfo.requestReference': text('requestReference'),
	'shareInfo.notificationReference': text('notificationReference'),
	'shareInfo.thirdPartyAddress': text('thirdPartyAddress'),
	deletionInfo: presence('deletionStatus'),
	'deletionInfo.deletionStatus': text('deletionStatus'),
	'deletionInfo.deletionDate': text('deletionDate'),
} as const satisfies QueryFields<AttributeField>;

const ownSharedFields = {
	...peerSharedFields,
	'shareInfo.sourceAttribute': text('sourceAttribute'),
} as const satisfies QueryFields<AttributeField>;

/** Query fields of each list of attributes (docs/protocol/consumption.md 15). */
export const attributeQueryFields = {
	all: {
		...ownSharedFields,
		isDefault: repositoryFields.isDefault,
		parentId: text('parentId'),
		succeeds: text('succeeds'),
		succeededBy: text('succeededBy'),
		'content.owner': text('owner'),
		'shareInfo.peer': text('peer'),
	},
	repository: repositoryFields,
	ownShared: ownSharedFields,
	peerShared: peerSharedFields,
} as const satisfies Readonly<Record<string, QueryFields<AttributeField>>>;
