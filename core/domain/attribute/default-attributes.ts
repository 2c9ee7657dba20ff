import type { AttributeRecord } from '../../model/record/attribute';
import type { ReadTransaction, WriteTransaction } from '../../store/store';
import { valueTypeOf } from './attribute-kinds';
import type { AttributeWriter } from './attribute-writer';

/* The default attribute of each type of value, where the gateway has them (consumption 8.3). */

/** The attribute that holds the mark of its type of value. */
export async function defaultOf(
	tx: ReadTransaction,
	valueType: string,
): Promise<AttributeRecord | undefined> {
	const found = await tx.attributes.first({
		where: [
			{ field: 'isDefault', op: 'eq', value: true },
			{ field: 'valueType', op: 'eq', value: valueType },
		],
	});
	return found?.record;
}

/**
 * A new attribute as it is to be stored: the first of its type is the default one, and a part of a
 * default attribute takes the mark from whatever had it.
 */
export async function withDefaultMark(
	tx: WriteTransaction,
	record: AttributeRecord,
	parent: AttributeRecord | undefined,
	{ setsDefaults }: AttributeWriter,
): Promise<AttributeRecord> {
	if (!setsDefaults) return record;
	const former = await defaultOf(tx, valueTypeOf(record.content));
	if (former === undefined) return { ...record, isDefault: true };
	if (parent?.isDefault === undefined) return record;
	await tx.attributes.update(withoutMark(former));
	return { ...record, isDefault: true };
}

/** Moves the mark of its type of value to this attribute. */
export async function makeDefault(
	tx: WriteTransaction,
	record: AttributeRecord,
): Promise<AttributeRecord> {
	if (record.isDefault === true) return record;
	const former = await defaultOf(tx, valueTypeOf(record.content));
	if (former !== undefined) await tx.attributes.update(withoutMark(former));
	const marked: AttributeRecord = { ...record, isDefault: true };
	await tx.attributes.update(marked);
	return marked;
}

/** When the default attribute is deleted, the newest other one of its type takes its place. */
export async function passOnDefault(
	tx: WriteTransaction,
	record: AttributeRecord,
	ownAddress: string,
): Promise<void> {
	if (record.isDefault === undefined) return;
	const next = await tx.attributes.list({
		where: [
			{ field: 'valueType', op: 'eq', value: valueTypeOf(record.content) },
			{ field: 'owner', op: 'eq', value: ownAddress },
			{ field: 'contentType', op: 'eq', value: 'IdentityAttribute' },
			{ field: 'peer', op: 'missing' },
			{ field: 'succeededBy', op: 'missing' },
		],
		orderBy: { field: 'inserted', direction: 'desc' },
		limit: 2,
	});
	const other = next.find(({ record: candidate }) => candidate.id !== record.id);
	if (other !== undefined) await tx.attributes.update({ ...other.record, isDefault: true });
}

function withoutMark({ isDefault: _isDefault, ...rest }: AttributeRecord): AttributeRecord {
	return rest;
}
