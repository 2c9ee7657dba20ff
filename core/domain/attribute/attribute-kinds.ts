import { objectMember, textMember } from '../../model/content/members';
import type { JsonObject } from '../../model/json';
import type { AttributeRecord } from '../../model/record/attribute';

/* Kinds of attributes according to docs/protocol/consumption.md 7.2; they overlap. */

export function isIdentityAttribute({ content }: Pick<AttributeRecord, 'content'>): boolean {
	return content['@type'] === 'IdentityAttribute';
}

export function isRelationshipAttribute({ content }: Pick<AttributeRecord, 'content'>): boolean {
	return content['@type'] === 'RelationshipAttribute';
}

/** Checks for an own identity attribute that is not a shared copy. */
export function isRepositoryAttribute(record: AttributeRecord, ownAddress: string): boolean {
	return (
		record.shareInfo === undefined &&
		isIdentityAttribute(record) &&
		ownerOf(record.content) === ownAddress
	);
}

/**
 * Checks for an own attribute that a peer holds as well: a shared copy or a relationship attribute.
 */
export function isOwnShared(record: AttributeRecord, ownAddress: string): boolean {
	return isSharedWhole(record) && ownerOf(record.content) === ownAddress;
}

/** Checks for an attribute that a peer owns and has shared itself. */
export function isPeerShared(record: AttributeRecord): boolean {
	return (
		isSharedWhole(record) &&
		record.shareInfo?.sourceAttribute === undefined &&
		ownerOf(record.content) === record.shareInfo?.peer
	);
}

/** Checks for a relationship attribute that was shared outside its own relationship. */
export function isThirdParty(record: AttributeRecord): boolean {
	return isRelationshipAttribute(record) && record.shareInfo?.thirdPartyAddress !== undefined;
}

function isSharedWhole({ shareInfo, parentId, isDefault }: AttributeRecord): boolean {
	return shareInfo !== undefined && parentId === undefined && isDefault === undefined;
}

export function ownerOf(content: JsonObject): string {
	return textMember(content, 'owner');
}

export function valueTypeOf(content: JsonObject): string {
	return textMember(objectMember(content, 'value'), '@type');
}
