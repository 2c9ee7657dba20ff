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
import { matching } from '../../query/conditions';

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
		...(types === undefined ? [] : matching({ valueType: [...types] })),
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
): Promise<AttributeRecord[]> {
	const { owner } = query;
	const where: Conditions = [
		...relationshipConditions(query),
		...matching({ owner: owner === '' ? ownAddress : owner }),
	];
	return (await tx.attributes.list({ where, limit: 1 })).map(({ record }) => record);
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
		...matching({ canonicalValue: canonicalJson(content.value) }),
		...conditions,
	]);
	return found.some((record) => record.id === id);
}

function identityConditions(query: IdentityAttributeQuery, ownAddress: string): Conditions {
	const { tags = [] } = query;
	return [
		...matching({ valueType: query.valueType }),
		...repository(ownAddress),
		// An empty list of tags sets no condition.
		...(tags.length === 0 ? [] : matching({ tag: tags })),
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
			return matching({ owner: ownAddress });
		case 'thirdParty':
			return isAnybody
				? [{ field: 'owner', op: 'ne', value: ownAddress }]
				: matching({ owner: thirdParties });
		case '':
			return isAnybody ? [] : matching({ owner: [ownAddress, ...thirdParties] });
	}
}

function relationshipConditions(
	query: RelationshipAttributeQuery | ThirdPartyRelationshipAttributeQuery,
): Conditions {
	return [
		...matching({ key: query.key, contentType: 'RelationshipAttribute' }),
		{ field: 'confidentiality', op: 'ne', value: 'private' },
		...validity(query),
	];
}

function repository(ownAddress: string): Conditions {
	return [
		...matching({ owner: ownAddress }),
		{ field: 'peer', op: 'missing' },
		...matching({ contentType: 'IdentityAttribute' }),
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
