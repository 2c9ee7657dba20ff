import type { IdentityAttribute, RelationshipAttribute } from '../../model/content/attributes';
import type { AttributeRecord } from '../../model/record/attribute';

/* Kinds of attributes according to docs/protocol/consumption.md 7.2; they overlap. */

type WithContent = Pick<AttributeRecord, 'content'>;

export function isIdentityAttribute<Of extends WithContent>(
	of: Of,
): of is Of & { readonly content: IdentityAttribute } {
	return of.content['@type'] === 'IdentityAttribute';
}

export function isRelationshipAttribute<Of extends WithContent>(
	of: Of,
): of is Of & { readonly content: RelationshipAttribute } {
	return of.content['@type'] === 'RelationshipAttribute';
}

/** Record of an own identity attribute. */
export type RepositoryAttribute = AttributeRecord & { readonly content: IdentityAttribute };

/** Checks for an own identity attribute that is not a shared copy. */
export function isRepositoryAttribute(record: AttributeRecord, ownAddress: string): boolean {
	return (
		record.shareInfo === undefined &&
		isIdentityAttribute(record) &&
		record.content.owner === ownAddress
	);
}

/**
 * Checks for an own attribute that a peer holds as well: a shared copy or a relationship attribute.
 */
export function isOwnShared(record: AttributeRecord, ownAddress: string): boolean {
	return isSharedWhole(record) && record.content.owner === ownAddress;
}

/** Checks for an attribute that a peer owns and has shared itself. */
export function isPeerShared(record: AttributeRecord): boolean {
	return (
		isSharedWhole(record) &&
		record.shareInfo?.sourceAttribute === undefined &&
		record.content.owner === record.shareInfo?.peer
	);
}

/** Checks for an attribute that this account can share: its own, or one of a relationship. */
export function isShareable(record: AttributeRecord, ownAddress: string): boolean {
	const isOfRelationship =
		isRelationshipAttribute(record) && record.shareInfo?.sourceAttribute === undefined;
	return isOfRelationship || isRepositoryAttribute(record, ownAddress);
}

/** Checks for a relationship attribute that was shared outside its own relationship. */
export function isThirdParty(record: AttributeRecord): boolean {
	return isRelationshipAttribute(record) && record.shareInfo?.thirdPartyAddress !== undefined;
}

/** Checks for a relationship attribute of another relationship that this account has forwarded. */
export function isForwarded(record: AttributeRecord): boolean {
	return isThirdParty(record) && record.shareInfo?.sourceAttribute !== undefined;
}

/** Checks for a relationship attribute of another relationship that a peer has forwarded. */
export function isForwardedByPeer(record: AttributeRecord): boolean {
	const { sourceAttribute, sourceIsDeleted } = record.shareInfo ?? {};
	return isThirdParty(record) && sourceAttribute === undefined && sourceIsDeleted !== true;
}

function isSharedWhole({ shareInfo, parentId, isDefault }: AttributeRecord): boolean {
	return shareInfo !== undefined && parentId === undefined && isDefault === undefined;
}
