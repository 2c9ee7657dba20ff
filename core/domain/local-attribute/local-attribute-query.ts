import {
	emittedDeletionStatuses,
	localAttributeTypes,
	receivedDeletionStatuses,
	type EmittedDeletionStatus,
	type LocalAttributeType,
	type ReceivedDeletionStatus,
} from '../../model/record/local-attribute';
import type { AttributeField, Condition } from '../../store/store';
import { kindConditions } from '../attribute/attribute-kind-query';
import { presence } from '../attribute/attribute-query';
import {
	literal,
	scalar,
	text,
	type QueryField,
	type QueryFields,
} from '../query/collection-query';
import { columnConditions, readTerm, type QueryValue, type Term } from '../query/query-terms';
import { emittedStatuses } from './local-attribute-dto';
import { matching } from '../query/conditions';

/* Query fields of version 7 (docs/protocol/connector-7.md 4.1). */

type Conditions = ReadonlyArray<Condition<AttributeField>>;
type Field = QueryField<AttributeField>;

/** Kinds that the values of `@type` in a query select. */
export function kindsAsked(given: QueryValue): LocalAttributeType[] {
	return selected(given, localAttributeTypes).values;
}

/** Reference of a sharing, which is in one of two columns. */
const sourceReference: Field = (given) => {
	const [requests, notifications] = [
		columnConditions<AttributeField>('requestReference', 'text', given),
		columnConditions<AttributeField>('notificationReference', 'text', given),
	];
	// Both columns have the same conditions in the same order.
	return requests.flatMap((one, index) => {
		const other = notifications[index];
		if (other === undefined) return [one];
		const isNegative = one.op === 'notIn' || one.op === 'missing';
		return isNegative ? [one, other] : [{ op: 'anyOf', groups: [[one], [other]] } as const];
	});
};

/** Status of version 7, which is stored under another name. */
const statusField =
	<Status extends string>(
		statuses: readonly Status[],
		conditionsOf: (status: Status) => Conditions,
	): Field =>
	(given) => {
		const { values, includesMissing } = selected(given, statuses);
		const groups = values.map(conditionsOf);
		const missing: Conditions = [{ field: 'deletionStatus', op: 'missing' }];
		return [{ op: 'anyOf', groups: includesMissing ? [...groups, missing] : groups }];
	};

const emittedCondition = (status: EmittedDeletionStatus): Conditions => {
	const stored = Object.entries(emittedStatuses).filter(([, shown]) => shown === status);
	return matching({ deletionStatus: stored.map(([name]) => name) });
};

/** A third party's copy that was deleted has the stored status of an own attribute, too. */
const anyStatusCondition =
	(ownAddress: string) =>
	(status: EmittedDeletionStatus | ReceivedDeletionStatus): Conditions => {
		const deletedBy = (name: string) =>
			({ field: 'deletionStatus', op: 'eq', value: name }) as const;
		switch (status) {
			case 'DeletedByRecipient':
				return [deletedBy('DeletedByPeer'), ...matching({ owner: ownAddress })];
			case 'DeletedByEmitter': {
				const byPeer = [
					deletedBy('DeletedByPeer'),
					{ field: 'owner', op: 'ne', value: ownAddress },
				] as const;
				return [{ op: 'anyOf', groups: [[deletedBy('DeletedByOwner')], byPeer] }];
			}
			case 'ToBeDeleted':
				return [deletedBy(status)];
			default:
				return emittedCondition(status);
		}
	};

/** Query fields of each list of attributes, except `@type`, see {@link kindsAsked}. */
export function localAttributeFields(ownAddress: string) {
	const ownIdentity = {
		createdAt: text('createdAt'),
		wasViewedAt: text('wasViewedAt'),
		isDefault: scalar('isDefault'),
		'content.tags': literal('tag'),
		'content.value.@type': text('valueType'),
	} as const satisfies QueryFields<AttributeField>;
	const ownShared = {
		...ownIdentity,
		'content.@type': kindConditions,
		'content.key': text('key'),
		'content.isTechnical': scalar('isTechnical'),
		'content.confidentiality': text('confidentiality'),
		sourceReference,
		deletionInfo: presence('deletionStatus'),
		'deletionInfo.deletionStatus': statusField(
			[...emittedDeletionStatuses, ...receivedDeletionStatuses],
			anyStatusCondition(ownAddress),
		),
		'deletionInfo.deletionDate': text('deletionDate'),
	} as const satisfies QueryFields<AttributeField>;
	const { isDefault: _own, ...shared } = ownShared;
	const peer = { ...shared, initialAttributePeer: text('thirdPartyAddress') } as const;
	const all = {
		...ownShared,
		...peer,
		succeeds: text('succeeds'),
		succeededBy: text('succeededBy'),
		'content.owner': text('owner'),
		peer: text('peer'),
	} as const;
	return { all, ownIdentity, ownShared, peer } satisfies Record<
		string,
		QueryFields<AttributeField>
	>;
}

/** Query fields of forwarding details. */
export const forwardingDetailsFields = {
	peer: text('peer'),
	sourceReference,
	sharedAt: text('createdAt'),
	deletionInfo: presence('deletionStatus'),
	'deletionInfo.deletionStatus': statusField(emittedDeletionStatuses, emittedCondition),
	'deletionInfo.deletionDate': text('deletionDate'),
} as const satisfies QueryFields<AttributeField>;

/**
 * Selects from a few known values those that fit a query, for fields that no column has as callers
 * see them; `includesMissing`: a record without a value fits, too.
 */
function selected<Value extends string>(given: QueryValue, values: readonly Value[]) {
	const terms = (typeof given === 'string' ? [given] : given).map(readTerm);
	const wanted = terms.filter(({ op }) => op === 'eq');
	const others = terms.filter(({ op }) => op !== 'eq');
	const fits = (value: Value): boolean =>
		(wanted.length === 0 || wanted.some((term) => fitsTerm(value, term))) &&
		others.every((term) => fitsTerm(value, term));
	return {
		values: values.filter(fits),
		includesMissing:
			wanted.length === 0 && others.every(({ op }) => op === 'ne' || op === 'missing'),
	};
}

function fitsTerm(value: string, { op, text: asked }: Term): boolean {
	const [folded, part] = [value.toLowerCase(), asked.toLowerCase()];
	switch (op) {
		case 'eq':
			return value === asked;
		case 'ne':
			return value !== asked;
		case 'gt':
			return value > asked;
		case 'gte':
			return value >= asked;
		case 'lt':
			return value < asked;
		case 'lte':
			return value <= asked;
		case 'exists':
			return true;
		case 'missing':
			return false;
		case 'startsWith':
			return folded.startsWith(part);
		case 'endsWith':
			return folded.endsWith(part);
		case 'contains':
			return folded.includes(part);
	}
}
