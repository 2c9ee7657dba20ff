import { objectMember, textMember } from '../../model/content/members';
import type { JsonObject } from '../../model/json';
import type { AttributeRecord } from '../../model/record/attribute';

/* The kinds of docs/protocol/consumption.md 7.2, which overlap. */

export function isIdentityAttribute({ content }: Pick<AttributeRecord, 'content'>): boolean {
	return content['@type'] === 'IdentityAttribute';
}

export function isRelationshipAttribute({ content }: Pick<AttributeRecord, 'content'>): boolean {
	return content['@type'] === 'RelationshipAttribute';
}

/** An own identity attribute that is not a shared copy. */
export function isRepositoryAttribute(record: AttributeRecord, ownAddress: string): boolean {
	return (
		record.shareInfo === undefined &&
		isIdentityAttribute(record) &&
		ownerOf(record.content) === ownAddress
	);
}

/** Ours, and a peer has it too: a copy, or a relationship attribute. */
export function isOwnShared(record: AttributeRecord, ownAddress: string): boolean {
	return isSharedWhole(record) && ownerOf(record.content) === ownAddress;
}

/** What a peer has shared of its own. */
export function isPeerShared(record: AttributeRecord): boolean {
	return (
		isSharedWhole(record) &&
		record.shareInfo?.sourceAttribute === undefined &&
		ownerOf(record.content) === record.shareInfo?.peer
	);
}

/** A relationship attribute of another relationship than the one it was shared in. */
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
