import { canonicalJson } from '../../base/canonical-json';
import type { JsonObject } from '../../model/json';
import type { AttributeRecord } from '../../model/record/attribute';
import type { AttributeField, FieldCondition, ReadTransaction } from '../../store/store';
import { isIdentityAttribute, type RepositoryAttribute } from './attribute-kinds';
import { trimmedValue } from './attribute-rules';
import { matching } from '../query/conditions';

/* Search for attributes by value; the comparison ignores white space around texts. */

/**
 * Finds the newest version of an own attribute with this value, except shared copies. A part of a
 * composite attribute is returned only if no independent attribute has the value, because a part
 * cannot be succeeded.
 */
export async function findRepositoryAttribute(
	tx: ReadTransaction,
	value: JsonObject,
	ownAddress: string,
): Promise<RepositoryAttribute | undefined> {
	const found = await tx.attributes.list({
		where: [
			...latestWithValue(ownAddress, [trimmedValue(value)], value),
			{ field: 'peer', op: 'missing' },
		],
	});
	const records = found.map(({ record }) => record).filter(isIdentityAttribute);
	return records.find(({ parentId }) => parentId === undefined) ?? records[0];
}

/** Finds the newest version of an attribute with this value that the peer owns and has shared. */
export async function findPeerShared(
	tx: ReadTransaction,
	value: JsonObject,
	peer: string,
): Promise<AttributeRecord | undefined> {
	const found = await tx.attributes.list({
		where: [...latestWithValue(peer, [value, trimmedValue(value)], value), ...matching({ peer })],
	});
	return found.map(({ record }) => record).find(({ deletionInfo }) => deletionInfo === undefined);
}

/**
 * Builds the conditions for the newest version with a value. The kind of attribute needs no
 * condition, because each type of value belongs to one kind.
 */
function latestWithValue(
	owner: string,
	values: readonly JsonObject[],
	{ '@type': valueType }: JsonObject,
): Array<FieldCondition<AttributeField>> {
	return [
		...matching({ valueType: String(valueType), owner, canonicalValue: values.map(canonicalJson) }),
		{ field: 'succeededBy', op: 'missing' },
	];
}
