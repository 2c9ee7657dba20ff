import type { Attribute } from '../../../model/content/attributes';
import type {
	AttributeQuery,
	IdentityAttributeQuery,
	IqlQuery,
	RelationshipAttributeQuery,
	ThirdPartyRelationshipAttributeQuery,
} from '../../../model/content/requests/queries';

export interface QueryParties {
	/** sender of the request with the query */
	readonly sender: string;
	/** recipient of the request; '' while the request names no peer */
	readonly recipient: string;
}

/**
 * Explains why the attribute does not match the query; returns undefined if it does. The checks
 * follow the order of docs/protocol/content.md 8.6. As in official software, the text of an IQL
 * query is not evaluated.
 */
export function mismatchOf(
	query: AttributeQuery,
	attribute: Attribute,
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
			query satisfies never;
			return 'the query is of an unknown kind';
	}
}

function ownerMismatch(attribute: Attribute, { recipient }: QueryParties): string | undefined {
	if (attribute['@type'] !== 'IdentityAttribute') return 'it is not an IdentityAttribute';
	return attribute.owner === recipient
		? undefined
		: 'it does not belong to the recipient of the request';
}

function identityMismatch(
	query: IdentityAttributeQuery,
	attribute: Attribute,
	parties: QueryParties,
): string | undefined {
	const notOwned = ownerMismatch(attribute, parties);
	if (notOwned !== undefined) return notOwned;
	if (attribute.value['@type'] !== query.valueType) return 'it has another value type';
	const { tags: asked = [] } = query;
	if (asked.length === 0) return undefined;
	const tags = (attribute['@type'] === 'IdentityAttribute' ? attribute.tags : undefined) ?? [];
	return asked.some((tag) => tags.includes(tag)) ? undefined : 'it has none of the tags';
}

function relationshipMismatch(
	query: RelationshipAttributeQuery,
	attribute: Attribute,
	{ recipient }: QueryParties,
): string | undefined {
	if (attribute['@type'] !== 'RelationshipAttribute') return 'it is not a RelationshipAttribute';
	const { owner } = query;
	if (attribute.owner !== (owner === '' ? recipient : owner)) return 'it has another owner';
	if (attribute.key !== query.key) return 'it has another key';
	const { value, confidentiality } = attribute;
	const { attributeCreationHints: hints } = query;
	if (confidentiality !== hints.confidentiality) {
		return 'it has another confidentiality';
	}
	if (value['@type'] !== hints.valueType) return 'it has another value type';
	if (value['@type'] === 'Consent') return undefined;
	const isDescribedAlike = value.title === hints.title && value.description === hints.description;
	return isDescribedAlike ? undefined : 'it has another title or description';
}

function thirdPartyMismatch(
	query: ThirdPartyRelationshipAttributeQuery,
	attribute: Attribute,
	{ sender, recipient }: QueryParties,
): string | undefined {
	if (attribute['@type'] !== 'RelationshipAttribute') return 'it is not a RelationshipAttribute';
	const { owner } = attribute;
	if (owner === sender) return 'it belongs to the sender of the request';
	const { thirdParty: thirdParties } = query;
	const isThirdParty =
		thirdParties.includes(owner) || (thirdParties.includes('') && owner !== recipient);
	const isRecipient = owner === recipient;
	const isAllowed =
		query.owner === 'recipient'
			? isRecipient
			: query.owner === 'thirdParty'
				? isThirdParty
				: isRecipient || isThirdParty;
	if (!isAllowed) return 'the query does not ask for attributes of its owner';
	return attribute.key === query.key ? undefined : 'it has another key';
}

function validityMismatch(
	{ validFrom: askedFrom, validTo: askedTo }: Exclude<AttributeQuery, IqlQuery>,
	{ validFrom: from, validTo: to }: Attribute,
): string | undefined {
	if (from && (!askedFrom || Date.parse(askedFrom) < Date.parse(from))) {
		return 'its validity begins later than the query asks for';
	}
	if (to && (!askedTo || Date.parse(askedTo) > Date.parse(to))) {
		return 'its validity ends earlier than the query asks for';
	}
	return undefined;
}
