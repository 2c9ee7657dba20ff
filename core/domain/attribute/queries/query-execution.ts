import { canonicalJson } from '../../../base/canonical-json';
import { parseIql, type IqlQuery as IqlTerms } from '../../../model/content/requests/iql';
import { matchIql } from '../../../model/content/requests/iql-match';
import type {
	AttributeQuery,
	IdentityAttributeQuery,
	IqlQuery,
	RelationshipAttributeQuery,
	ThirdPartyRelationshipAttributeQuery,
} from '../../../model/content/requests/queries';
import type { AttributeRecord, ListenerQuery } from '../../../model/record/attribute';
import type { AttributeField, Condition, ReadTransaction } from '../../../store/store';

/*
 * Search of this account's attributes with a query, including old versions and parts
 * (docs/protocol/consumption.md 8.5). It only finds candidates: `query-match` decides whether an
 * attribute may answer a query.
 */

type Conditions = Array<Condition<AttributeField>>;

export async function executeIdentityQuery(
	tx: ReadTransaction,
	query: IdentityAttributeQuery,
	ownAddress: string,
): Promise<AttributeRecord[]> {
	return await find(tx, identityConditions(query, ownAddress));
}

export async function executeIqlQuery(
	tx: ReadTransaction,
	query: IqlQuery,
	ownAddress: string,
): Promise<AttributeRecord[]> {
	const parsed = parseIql(query.queryString);
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

/** Returns the match that was stored first. */
export async function executeRelationshipQuery(
	tx: ReadTransaction,
	query: RelationshipAttributeQuery,
	ownAddress: string,
): Promise<AttributeRecord | undefined> {
	const { owner } = query;
	const where: Conditions = [
		...relationshipConditions(query),
		{ field: 'owner', op: 'eq', value: owner === '' ? ownAddress : owner },
	];
	return (await tx.attributes.first({ where }))?.record;
}

export async function executeThirdPartyQuery(
	tx: ReadTransaction,
	query: ThirdPartyRelationshipAttributeQuery,
	ownAddress: string,
): Promise<AttributeRecord[]> {
	return await find(tx, thirdPartyConditions(query, ownAddress));
}

/** Checks whether the query of an attribute listener matches this attribute. */
export async function isFoundBy(
	tx: ReadTransaction,
	query: ListenerQuery,
	{ id, content }: AttributeRecord,
	ownAddress: string,
): Promise<boolean> {
	const conditions =
		query['@type'] === 'IdentityAttributeQuery'
			? identityConditions(query, ownAddress)
			: thirdPartyConditions(query, ownAddress);
	// Only the few attributes with the same value are compared.
	const found = await find(tx, [
		{ field: 'canonicalValue', op: 'eq', value: canonicalJson(content.value) },
		...conditions,
	]);
	return found.some((record) => record.id === id);
}

function identityConditions(query: IdentityAttributeQuery, ownAddress: string): Conditions {
	const { tags = [] } = query;
	return [
		{ field: 'valueType', op: 'eq', value: query.valueType },
		...repository(ownAddress),
		// An empty list of tags sets no condition.
		...(tags.length === 0 ? [] : [{ field: 'tag', op: 'in', value: tags } as const]),
		...validity(query),
	];
}

function thirdPartyConditions(
	query: ThirdPartyRelationshipAttributeQuery,
	ownAddress: string,
): Conditions {
	const { thirdParty: thirdParties } = query;
	const isAnybody = thirdParties.includes('');
	return [
		...relationshipConditions(query),
		isAnybody ? { field: 'peer', op: 'exists' } : { field: 'peer', op: 'in', value: thirdParties },
		...thirdPartyOwner(query.owner, thirdParties, ownAddress),
	];
}

function thirdPartyOwner(
	owner: ThirdPartyRelationshipAttributeQuery['owner'],
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
		case '':
			return isAnybody ? [] : [{ field: 'owner', op: 'in', value: [ownAddress, ...thirdParties] }];
	}
}

function relationshipConditions(
	query: RelationshipAttributeQuery | ThirdPartyRelationshipAttributeQuery,
): Conditions {
	return [
		{ field: 'key', op: 'eq', value: query.key },
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

function validity({ validFrom, validTo }: Exclude<AttributeQuery, IqlQuery>): Conditions {
	return [
		...(validFrom ? [{ field: 'validFrom', op: 'gte', value: validFrom } as const] : []),
		...(validTo ? [{ field: 'validTo', op: 'lte', value: validTo } as const] : []),
	];
}

async function find(tx: ReadTransaction, where: Conditions): Promise<AttributeRecord[]> {
	return (await tx.attributes.list({ where })).map(({ record }) => record);
}

/** Returns the value types that can match at all; undefined if the query does not restrict them. */
function typesOf(query: IqlTerms): ReadonlySet<string> | undefined {
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
