import type { JsonObject } from '../json';
import { isJsonObject, ownMember, ownText } from '../json';
import type { AttributeRecord } from '../record/attribute';

/*
 * Texts by which a contact is found: what a person shared about itself, and the relationship
 * attributes of its relationship. Only attributes without successor that neither side deleted have
 * such texts.
 */

/** Types that make up the name of a person. */
export const nameTypes = ['DisplayName', 'GivenName', 'Surname'] as const;

/** Compared form of a text: upper and lower case, and white space around it, make no difference. */
export function comparableText(text: string): string {
	return text.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase();
}

/** Searched text for the value of an identity attribute of the type. */
export function identityValueText(type: string, value: string): string {
	return JSON.stringify(['type', type, comparableText(value)]);
}

/** Searched text for the value of a relationship attribute with the key. */
export function relationshipValueText(key: string, value: string): string {
	return JSON.stringify(['key', key, comparableText(value)]);
}

/**
 * Searched texts of an attribute; of a value with several parts, each part has one. A credential,
 * which can be very long, has none.
 */
export function contactValues(record: AttributeRecord): string[] {
	const { content } = record;
	const value = ownMember(content, 'value');
	if (!isJsonObject(value)) return [];
	if (isAboutPerson(record)) {
		const type = ownText(value, '@type') ?? '';
		if (type === 'VerifiableCredential') return [];
		return partsOf(value).map((part) => identityValueText(type, part));
	}
	if (!isOfRelationship(record)) return [];
	const key = ownText(content, 'key') ?? '';
	const { value: entered = null } = value;
	return partsOf({ value: entered }).map((part) => relationshipValueText(key, part));
}

/** Searched names of the person; an attribute of another type has none. */
export function contactNames(record: AttributeRecord): string[] {
	if (!isAboutPerson(record)) return [];
	const value = ownMember(record.content, 'value');
	const type = ownText(value, '@type');
	const name = ownText(value, 'value');
	const isName = nameTypes.some((known) => known === type);
	return isName && name !== undefined ? [comparableText(name)] : [];
}

/** Checks for a current attribute that its owner, a peer, has shared about itself. */
export function isAboutPerson(record: AttributeRecord): boolean {
	const { content, shareInfo } = record;
	return (
		isCurrent(record) &&
		content['@type'] === 'IdentityAttribute' &&
		ownText(content, 'owner') === shareInfo?.peer
	);
}

/** Checks for a current relationship attribute of the relationship with its peer itself. */
export function isOfRelationship(record: AttributeRecord): boolean {
	const { content, shareInfo } = record;
	return (
		isCurrent(record) &&
		content['@type'] === 'RelationshipAttribute' &&
		shareInfo?.sourceAttribute === undefined &&
		shareInfo?.thirdPartyAddress === undefined
	);
}

/** Checks for a shared attribute in its newest version, which neither side deleted. */
export function isCurrent({ shareInfo, succeededBy, deletionInfo }: AttributeRecord): boolean {
	const status = deletionInfo?.deletionStatus;
	const isDeleted = status === 'DeletedByOwner' || status === 'DeletedByPeer';
	return shareInfo !== undefined && succeededBy === undefined && !isDeleted;
}

function partsOf(value: JsonObject): string[] {
	return Object.entries(value).flatMap(([name, part]) => {
		const isScalar = ['string', 'number', 'boolean'].includes(typeof part);
		return name.startsWith('@') || !isScalar ? [] : [String(part)];
	});
}
