import type { AttributeRecord } from '../../model/record/attribute';
import { localAttributeTypes, type LocalAttributeType } from '../../model/record/local-attribute';
import type { AttributeField, Condition, FieldCondition } from '../../store/store';
import { idAtPeer } from '../attribute/attribute-ids';
import { isIdentityAttribute } from '../attribute/attribute-kinds';

type Conditions = ReadonlyArray<Condition<AttributeField>>;
type FieldConditions = ReadonlyArray<FieldCondition<AttributeField>>;

/**
 * Kind in which version 7 shows a record (docs/protocol/connector-7.md 3). Undefined for records
 * that it does not show: parts of composite attributes, copies of own attributes and of those that
 * this account has forwarded.
 */
export function kindOf(
	record: AttributeRecord,
	ownAddress: string,
): LocalAttributeType | undefined {
	const { shareInfo, parentId, content } = record;
	if (parentId !== undefined || shareInfo?.sourceAttribute !== undefined) return undefined;
	const isOwn = content.owner === ownAddress;
	if (isIdentityAttribute(record)) {
		if (isOwn) return shareInfo === undefined ? 'OwnIdentityAttribute' : undefined;
		return shareInfo === undefined ? undefined : 'PeerIdentityAttribute';
	}
	if (shareInfo === undefined) return undefined;
	if (shareInfo.thirdPartyAddress === undefined) {
		return isOwn ? 'OwnRelationshipAttribute' : 'PeerRelationshipAttribute';
	}
	const isForwardedByUs = isOwn || shareInfo.sourceIsDeleted === true;
	return isForwardedByUs ? undefined : 'ThirdPartyRelationshipAttribute';
}

/** Kinds that this account may give to further peers. */
export const forwardableTypes: readonly LocalAttributeType[] = [
	'OwnIdentityAttribute',
	'OwnRelationshipAttribute',
	'PeerRelationshipAttribute',
];

/** Id that callers see: an attribute of another owner has the id that the peer has chosen. */
export function shownIdOf(record: AttributeRecord, ownAddress: string): string {
	return record.content.owner === ownAddress ? record.id : idAtPeer(record);
}

/** Conditions that hold for the records of these kinds, as {@link kindOf} tells them. */
export function kindsConditions(
	types: readonly LocalAttributeType[],
	ownAddress: string,
): Conditions {
	const groups = types.map((type) => conditionsOfKind(type, ownAddress));
	const [only] = groups;
	if (only !== undefined && groups.length === 1) return [...neitherCopyNorPart, ...only];
	if (types.length === localAttributeTypes.length) {
		return [...neitherCopyNorPart, { op: 'anyOf', groups: allKinds(ownAddress) }];
	}
	return [...neitherCopyNorPart, { op: 'anyOf', groups }];
}

const neitherCopyNorPart: FieldConditions = [
	{ field: 'sourceAttribute', op: 'missing' },
	{ field: 'parentId', op: 'missing' },
];

/** Simpler groups for all kinds together. */
function allKinds(ownAddress: string): FieldConditions[] {
	const own = { field: 'owner', op: 'eq', value: ownAddress } as const;
	const isRelationship = {
		field: 'contentType',
		op: 'eq',
		value: 'RelationshipAttribute',
	} as const;
	return [
		[own, { field: 'peer', op: 'missing' }],
		[own, isRelationship, { field: 'thirdPartyAddress', op: 'missing' }],
		[
			{ field: 'owner', op: 'ne', value: ownAddress },
			{ field: 'peer', op: 'exists' },
			{ field: 'sourceIsDeleted', op: 'missing' },
		],
	];
}

function conditionsOfKind(type: LocalAttributeType, ownAddress: string): FieldConditions {
	const own = { field: 'owner', op: 'eq', value: ownAddress } as const;
	const foreign = { field: 'owner', op: 'ne', value: ownAddress } as const;
	const shared = { field: 'peer', op: 'exists' } as const;
	const identity = { field: 'contentType', op: 'eq', value: 'IdentityAttribute' } as const;
	const relationship = { field: 'contentType', op: 'eq', value: 'RelationshipAttribute' } as const;
	const ofRelationship = { field: 'thirdPartyAddress', op: 'missing' } as const;
	switch (type) {
		case 'OwnIdentityAttribute':
			return [own, { field: 'peer', op: 'missing' }, identity];
		case 'PeerIdentityAttribute':
			return [foreign, shared, identity];
		case 'OwnRelationshipAttribute':
			return [own, shared, relationship, ofRelationship];
		case 'PeerRelationshipAttribute':
			return [foreign, shared, relationship, ofRelationship];
		case 'ThirdPartyRelationshipAttribute':
			return [
				foreign,
				relationship,
				{ field: 'thirdPartyAddress', op: 'exists' },
				{ field: 'sourceIsDeleted', op: 'missing' },
			];
	}
}
