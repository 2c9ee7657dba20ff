import { instantSchema } from '../../model/instant';
import type { AttributeField, Condition, FieldCondition } from '../../store/store';
import { literal, scalar, text, type QueryField, type QueryFields } from '../collection-query';
import { readTerm } from '../query-terms';
import { kindConditions } from './attribute-kind-query';
import { deletionStatuses } from './deletion-info';

/*
 * SQLite walks through all attributes in their order rather than use an index for what is there at all,
 * or is open on one side. Conditions with both ends, or with all the values that there can be, are
 * looked up instead; and rows without the column are not in its index.
 */

type Field = QueryField<AttributeField>;
type Conditions = ReadonlyArray<FieldCondition<AttributeField>>;

/** Before and after every date: ISO 8601 begins with a digit or a sign. */
const beforeDates = '';
const afterDates = ':';

const bounds = {
	gte: (field: AttributeField, date: string): Conditions => [
		{ field, op: 'gte', value: date },
		{ field, op: 'lt', value: afterDates },
	],
	lte: (field: AttributeField, date: string): Conditions => [
		{ field, op: 'gt', value: beforeDates },
		{ field, op: 'lte', value: date },
	],
} as const;

/** Valid from then on, or later: one date, no operators (docs/protocol/http-api.md 6.2). */
const bound =
	(field: 'validFrom' | 'validTo', op: keyof typeof bounds): Field =>
	(given) => {
		const date = typeof given === 'string' ? given : (given[0] ?? '');
		if (date === '') return [];
		const parsed = instantSchema.safeParse(date);
		return parsed.success ? bounds[op](field, parsed.data) : [{ field, op: 'in', value: [] }];
	};

/** Whether there is such a part; its value cannot be asked for as a whole. */
const presence =
	(field: AttributeField, isThere: Conditions): Field =>
	(given) => {
		const terms = (typeof given === 'string' ? [given] : given).map(readTerm);
		return terms.flatMap(({ op }): ReadonlyArray<Condition<AttributeField>> => {
			if (op === 'exists') return isThere;
			return op === 'missing' ? [{ field, op }] : [{ field, op: 'in', value: [] }];
		});
	};

/** Every address begins with `did:`. */
const hasPeer: Conditions = [
	{ field: 'peer', op: 'gte', value: 'did:' },
	{ field: 'peer', op: 'lt', value: 'did;' },
];
const isMarked: Conditions = [{ field: 'deletionStatus', op: 'in', value: deletionStatuses }];

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
	shareInfo: presence('peer', hasPeer),
	'shareInfo.requestReference': text('requestReference'),
	'shareInfo.notificationReference': text('notificationReference'),
	'shareInfo.thirdPartyAddress': text('thirdPartyAddress'),
	deletionInfo: presence('deletionStatus', isMarked),
	'deletionInfo.deletionStatus': text('deletionStatus'),
	'deletionInfo.deletionDate': text('deletionDate'),
} as const satisfies QueryFields<AttributeField>;

const ownSharedFields = {
	...peerSharedFields,
	'shareInfo.sourceAttribute': text('sourceAttribute'),
} as const satisfies QueryFields<AttributeField>;

/** The fields that each list of attributes can be asked for (docs/protocol/consumption.md 15). */
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
