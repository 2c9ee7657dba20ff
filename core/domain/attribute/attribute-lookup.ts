import { canonicalJson } from '../../base/canonical-json';
import type { JsonObject } from '../../model/json';
import type { AttributeRecord } from '../../model/record/attribute';
import type { AttributeField, FieldCondition, ReadTransaction } from '../../store/store';
import { trimmedValue } from './attribute-rules';

/* Finding attributes by their value, which is compared without the white space around its texts. */

/**
 * The newest version of an own attribute that has this value, shared copies aside. Parts of composite
 * attributes count, but one that is no part goes first: it can be succeeded.
 */
export async function findRepositoryAttribute(
	tx: ReadTransaction,
	value: JsonObject,
	ownAddress: string,
): Promise<AttributeRecord | undefined> {
	const found = await tx.attributes.list({
		where: [
			...latestWithValue(ownAddress, [trimmedValue(value)], value),
			{ field: 'peer', op: 'missing' },
		],
	});
	const records = found.map(({ record }) => record);
	return records.find(({ parentId }) => parentId === undefined) ?? records[0];
}

/** The newest version of an attribute with this value that the peer has shared of its own. */
export async function findPeerShared(
	tx: ReadTransaction,
	value: JsonObject,
	peer: string,
): Promise<AttributeRecord | undefined> {
	const found = await tx.attributes.list({
		where: [
			...latestWithValue(peer, [value, trimmedValue(value)], value),
			{ field: 'peer', op: 'eq', value: peer },
		],
	});
	return found.map(({ record }) => record).find(({ deletionInfo }) => deletionInfo === undefined);
}

/** Types of values belong to one kind of attribute, which need not be asked for. */
function latestWithValue(
	owner: string,
	values: readonly JsonObject[],
	{ '@type': valueType }: JsonObject,
): Array<FieldCondition<AttributeField>> {
	return [
		{ field: 'valueType', op: 'eq', value: String(valueType) },
		{ field: 'owner', op: 'eq', value: owner },
		{ field: 'canonicalValue', op: 'in', value: values.map(canonicalJson) },
		{ field: 'succeededBy', op: 'missing' },
	];
}
