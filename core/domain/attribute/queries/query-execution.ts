import { canonicalJson } from '../../../base/canonical-json';
import { parseIql, type IqlQuery } from '../../../model/content/requests/iql';
import { matchIql } from '../../../model/content/requests/iql-match';
import { textMember } from '../../../model/content/members';
import type { JsonObject } from '../../../model/json';
import type { AttributeRecord } from '../../../model/record/attribute';
import type { AttributeField, Condition, ReadTransaction } from '../../../store/store';

/*
 * Search of this account's attributes with a query, including old versions and parts
 * (docs/protocol/consumption.md 8.5). It only finds candidates: `query-match` decides whether an
 * attribute may answer a query.
 */

type Conditions = Array<Condition<AttributeField>>;

/** @param query a parsed IdentityAttributeQuery */
export async function executeIdentityQuery(
	tx: ReadTransaction,
	query: JsonObject,
	ownAddress: string,
): Promise<AttributeRecord[]> {
	return await find(tx, identityConditions(query, ownAddress));
}

/** @param query a parsed IQLQuery */
export async function executeIqlQuery(
	tx: ReadTransaction,
	query: JsonObject,
	ownAddress: string,
): Promise<AttributeRecord[]> {
	const parsed = parseIql(textMember(query, 'queryString'));
	if (!parsed.isValid) return [];
	const types = typesOf(parsed.query);
	const candidates = await find(tx, [
		...repository(ownAddress),
		...(types === undefined ? [] : [{ field: 'valueType', op: 'in', value: [...types] } as const]),
	]);
	const found = matchIql(
		parsed.query,
		candidates.map(({ content }) => content),
	);
	return found.map((index) => candidates[index]).filter((record) => record !== undefined);
}

/**
 * Returns the match that was stored first.
 *
 * @param query a parsed RelationshipAttributeQuery
 */
export async function executeRelationshipQuery(
	tx: ReadTransaction,
	query: JsonObject,
	ownAddress: string,
): Promise<AttributeRecord | undefined> {
	const owner = textMember(query, 'owner');
	const where: Conditions = [
		...relationshipConditions(query),
		{ field: 'owner', op: 'eq', value: owner === '' ? ownAddress : owner },
	];
	return (await tx.attributes.first({ where }))?.record;
}

/** @param query a parsed ThirdPartyRelationshipAttributeQuery */
export async function executeThirdPartyQuery(
	tx: ReadTransaction,
	query: JsonObject,
	ownAddress: string,
): Promise<AttributeRecord[]> {
	return await find(tx, thirdPartyConditions(query, ownAddress));
}

/** Checks whether the query of an attribute listener matches this attribute. */
export async function isFoundBy(
	tx: ReadTransaction,
	query: JsonObject,
	{ id, content }: AttributeRecord,
	ownAddress: string,
): Promise<boolean> {
	const isForIdentity = query['@type'] === 'IdentityAttributeQuery';
	const conditions = isForIdentity ? identityConditions : thirdPartyConditions;
	// Only the few attributes with the same value are compared.
	const found = await find(tx, [
		{ field: 'canonicalValue', op: 'eq', value: canonicalJson(content['value'] ?? null) },
		...conditions(query, ownAddress),
	]);
	return found.some((record) => record.id === id);
}

function identityConditions(query: JsonObject, ownAddress: string): Conditions {
	const tags = textsOf(query['tags']);
	return [
		{ field: 'valueType', op: 'eq', value: textMember(query, 'valueType') },
		...repository(ownAddress),
		// An empty list of tags sets no condition.
		...(tags.length === 0 ? [] : [{ field: 'tag', op: 'in', value: tags } as const]),
		...validity(query),
	];
}

function thirdPartyConditions(query: JsonObject, ownAddress: string): Conditions {
	const thirdParties = textsOf(query['thirdParty']);
	const isAnybody = thirdParties.includes('');
	return [
		...relationshipConditions(query),
		isAnybody ? { field: 'peer', op: 'exists' } : { field: 'peer', op: 'in', value: thirdParties },
		...thirdPartyOwner(textMember(query, 'owner'), thirdParties, ownAddress),
	];
}

function thirdPartyOwner(
	owner: string,
	thirdParties: readonly string[],
	ownAddress: string,
): Conditions {
	const isAnybody = thirdParties.includes('');
	switch (owner) {
		case 'recipient':
			return [{ field: 'owner', op: 'eq', value: ownAddress }];
		case 'thirdParty':
			return isAnybody
				? [{ field: 'owner', op: 'ne', value: ownAddress }]
				: [{ field: 'owner', op: 'in', value: thirdParties }];
		default:
			return isAnybody ? [] : [{ field: 'owner', op: 'in', value: [ownAddress, ...thirdParties] }];
	}
}

function relationshipConditions(query: JsonObject): Conditions {
	return [
		{ field: 'key', op: 'eq', value: textMember(query, 'key') },
		{ field: 'contentType', op: 'eq', value: 'RelationshipAttribute' },
		{ field: 'confidentiality', op: 'ne', value: 'private' },
		...validity(query),
	];
}

function repository(ownAddress: string): Conditions {
	return [
		{ field: 'owner', op: 'eq', value: ownAddress },
		{ field: 'peer', op: 'missing' },
		{ field: 'contentType', op: 'eq', value: 'IdentityAttribute' },
	];
}

function validity(query: JsonObject): Conditions {
	const [from, to] = [textMember(query, 'validFrom'), textMember(query, 'validTo')];
	return [
		...(from === '' ? [] : [{ field: 'validFrom', op: 'gte', value: from } as const]),
		...(to === '' ? [] : [{ field: 'validTo', op: 'lte', value: to } as const]),
	];
}

async function find(tx: ReadTransaction, where: Conditions): Promise<AttributeRecord[]> {
	return (await tx.attributes.list({ where })).map(({ record }) => record);
}

/** Returns the value types that can match at all; undefined if the query does not restrict them. */
function typesOf(query: IqlQuery): ReadonlySet<string> | undefined {
	switch (query.kind) {
		case 'value':
			return new Set([query.type]);
		case 'and':
			return query.of.map(typesOf).find((types) => types !== undefined);
		case 'or': {
			const each = query.of.map(typesOf);
			if (each.some((types) => types === undefined)) return undefined;
			return new Set(each.flatMap((types) => [...(types ?? [])]));
		}
		default:
			return undefined;
	}
}

function textsOf(value: unknown): string[] {
	return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];
}
