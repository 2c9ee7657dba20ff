import type { JsonObject } from '../../../model/json';
import { objectMember, textMember } from '../../../model/content/members';

export interface QueryParties {
	/** sender of the request with the query */
	readonly sender: string;
	/** recipient of the request; '' while the request names no peer */
	readonly recipient: string;
}

/**
 * Explains why the attribute does not match the query; returns undefined if it does. The checks
 * follow the order of docs/protocol/content.md 8.6. As in official software, the text of an IQL query
 * is not evaluated.
 */
export function mismatchOf(
	query: JsonObject,
	attribute: JsonObject,
	parties: QueryParties,
): string | undefined {
	switch (query['@type']) {
		case 'IdentityAttributeQuery':
			return identityMismatch(query, attribute, parties) ?? validityMismatch(query, attribute);
		case 'IQLQuery':
			return ownerMismatch(attribute, parties);
		case 'RelationshipAttributeQuery':
			return relationshipMismatch(query, attribute, parties) ?? validityMismatch(query, attribute);
		case 'ThirdPartyRelationshipAttributeQuery':
			return thirdPartyMismatch(query, attribute, parties) ?? validityMismatch(query, attribute);
		default:
			return 'the query is of an unknown kind';
	}
}

function ownerMismatch(attribute: JsonObject, { recipient }: QueryParties): string | undefined {
	if (attribute['@type'] !== 'IdentityAttribute') return 'it is not an IdentityAttribute';
	return attribute['owner'] === recipient
		? undefined
		: 'it does not belong to the recipient of the request';
}

function identityMismatch(
	query: JsonObject,
	attribute: JsonObject,
	parties: QueryParties,
): string | undefined {
	const notOwned = ownerMismatch(attribute, parties);
	if (notOwned !== undefined) return notOwned;
	if (valueTypeOf(attribute) !== query['valueType']) return 'it has another value type';
	const asked = query['tags'];
	if (!Array.isArray(asked) || asked.length === 0) return undefined;
	const tags = Array.isArray(attribute['tags']) ? attribute['tags'] : [];
	return asked.some((tag) => tags.includes(tag)) ? undefined : 'it has none of the tags';
}

function relationshipMismatch(
	query: JsonObject,
	attribute: JsonObject,
	{ recipient }: QueryParties,
): string | undefined {
	if (attribute['@type'] !== 'RelationshipAttribute') return 'it is not a RelationshipAttribute';
	const owner = textMember(query, 'owner');
	if (attribute['owner'] !== (owner === '' ? recipient : owner)) return 'it has another owner';
	if (attribute['key'] !== query['key']) return 'it has another key';
	const hints = objectMember(query, 'attributeCreationHints');
	if (attribute['confidentiality'] !== hints['confidentiality']) {
		return 'it has another confidentiality';
	}
	if (valueTypeOf(attribute) !== hints['valueType']) return 'it has another value type';
	if (hints['valueType'] === 'Consent') return undefined;
	const value = objectMember(attribute, 'value');
	const isDescribedAlike =
		value['title'] === hints['title'] && value['description'] === hints['description'];
	return isDescribedAlike ? undefined : 'it has another title or description';
}

function thirdPartyMismatch(
	query: JsonObject,
	attribute: JsonObject,
	{ sender, recipient }: QueryParties,
): string | undefined {
	if (attribute['@type'] !== 'RelationshipAttribute') return 'it is not a RelationshipAttribute';
	const owner = textMember(attribute, 'owner');
	if (owner === sender) return 'it belongs to the sender of the request';
	const thirdParties = Array.isArray(query['thirdParty']) ? query['thirdParty'] : [];
	const isThirdParty =
		thirdParties.includes(owner) || (thirdParties.includes('') && owner !== recipient);
	const isRecipient = owner === recipient;
	const isAllowed =
		query['owner'] === 'recipient'
			? isRecipient
			: query['owner'] === 'thirdParty'
				? isThirdParty
				: isRecipient || isThirdParty;
	if (!isAllowed) return 'the query does not ask for attributes of its owner';
	return attribute['key'] === query['key'] ? undefined : 'it has another key';
}

function validityMismatch(query: JsonObject, attribute: JsonObject): string | undefined {
	const from = textMember(attribute, 'validFrom');
	const askedFrom = textMember(query, 'validFrom');
	if (from !== '' && (askedFrom === '' || Date.parse(askedFrom) < Date.parse(from))) {
		return 'its validity begins later than the query asks for';
	}
	const to = textMember(attribute, 'validTo');
	const askedTo = textMember(query, 'validTo');
	if (to !== '' && (askedTo === '' || Date.parse(askedTo) > Date.parse(to))) {
		return 'its validity ends earlier than the query asks for';
	}
	return undefined;
}

function valueTypeOf(attribute: JsonObject): string {
	return textMember(objectMember(attribute, 'value'), '@type');
}
