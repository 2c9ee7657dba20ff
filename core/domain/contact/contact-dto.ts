import {
	comparableText,
	isAboutPerson,
	isCurrent,
	isOfRelationship,
} from '../../model/content/contact-search';
import { isJsonObject, ownMember, ownText, type Json, type JsonObject } from '../../model/json';
import type { AttributeRecord } from '../../model/record/attribute';
import type { ContactDto } from '../../model/record/relationship';
import type { RelationshipRecord } from '../../model/record/relationship';
import { isIdentityAttribute } from '../attribute/attribute-kinds';
import { versionIn } from '../peer-version';
import { namesOf, toProfile, valuesByType } from '../attribute/peer-profile';

/**
 * Builds the contact with whom this account has the relationship.
 *
 * @param attributes valid attributes that this account and the peer share, newest first
 */
export function toContact(
	relationship: RelationshipRecord,
	attributes: readonly AttributeRecord[],
	ownAddress: string,
): ContactDto {
	const { name, sharedAttributes } = toProfile(attributes.filter(isAboutPerson));
	const { purpose, content } = relationship.template;
	const templateTitle = ownText(content, 'title');
	const walletVersion = versionIn(relationship);
	const isOwnShared = (record: AttributeRecord): boolean =>
		isCurrent(record) && isIdentityAttribute(record) && record.content.owner === ownAddress;
	return {
		address: relationship.peer,
		...(name === undefined ? {} : { name }),
		status: relationship.status,
		since: sinceOf(relationship),
		...(walletVersion === undefined ? {} : { walletVersion }),
		relationshipId: relationship.id,
		templateId: relationship.templateId,
		...(templateTitle === undefined ? {} : { templateTitle }),
		...(purpose === undefined ? {} : { purpose }),
		attributes: sharedAttributes,
		relationshipAttributes: valuesByKey(attributes.filter(isOfRelationship)),
		sharedAttributes: valuesByType(attributes.filter(isOwnShared)),
	};
}

/** Returns values by key without the titles that both sides show for them. */
function valuesByKey(attributes: readonly AttributeRecord[]): JsonObject {
	const values = Object.entries(valuesByType(attributes));
	const plain = (value: Json): Json =>
		isJsonObject(value) ? (ownMember(value, 'value') ?? value) : value;
	return Object.fromEntries(values.map(([key, value]) => [key, plain(value)]));
}

/** Checks whether the display name, or given name and surname, contain the text. */
export function hasName({ attributes }: ContactDto, part: string): boolean {
	return Object.values(namesOf(attributes)).some(
		(name) => name !== undefined && comparableText(name).includes(part),
	);
}

/**
 * Returns the relationship that was connected first; a relationship that is not accepted yet comes
 * last.
 */
export function firstConnected(people: readonly RelationshipRecord[]): RelationshipRecord {
	const rank = (person: RelationshipRecord): string =>
		`${person.status === 'Pending' ? '1' : '0'} ${sinceOf(person)}`;
	return people.reduce((first, person) => (rank(person) < rank(first) ? person : first));
}

function sinceOf({ auditLog, createdAt }: RelationshipRecord): string {
	const acceptance = auditLog.find(({ reason }) => reason === 'AcceptanceOfCreation');
	return acceptance?.createdAt ?? createdAt;
}
