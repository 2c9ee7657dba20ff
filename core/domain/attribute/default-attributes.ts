import type { AttributeRecord } from '../../model/record/attribute';
import type { ReadTransaction, WriteTransaction } from '../../store/store';
import type { AttributeWriter } from './attribute-writer';
import { matching } from '../query/conditions';

/* Default attribute of each value type, if the gateway sets defaults (consumption 8.3). */

/** Finds the default attribute of a value type. */
export async function defaultOf(
	tx: ReadTransaction,
	valueType: string,
): Promise<AttributeRecord | undefined> {
	const found = await tx.attributes.first({ where: matching({ isDefault: true, valueType }) });
	return found?.record;
}

/**
 * Prepares a new attribute for storage: the first of its value type becomes the default, and a part
 * of a default attribute takes the mark from the previous default.
 */
export async function withDefaultMark(
	tx: WriteTransaction,
	record: AttributeRecord,
	parent: AttributeRecord | undefined,
	{ setsDefaults }: AttributeWriter,
): Promise<AttributeRecord> {
	if (!setsDefaults) return record;
	const former = await defaultOf(tx, record.content.value['@type']);
	if (former === undefined) return { ...record, isDefault: true };
	if (parent?.isDefault === undefined) return record;
	await tx.attributes.update(withoutMark(former));
	return { ...record, isDefault: true };
}

/** Makes this attribute the default of its value type. */
export async function makeDefault(
	tx: WriteTransaction,
	record: AttributeRecord,
): Promise<AttributeRecord> {
	if (record.isDefault === true) return record;
	const former = await defaultOf(tx, record.content.value['@type']);
	if (former !== undefined) await tx.attributes.update(withoutMark(former));
	const marked: AttributeRecord = { ...record, isDefault: true };
	await tx.attributes.update(marked);
	return marked;
}

/** Marks the newest other attribute of the value type when the default attribute is deleted. */
export async function passOnDefault(
	tx: WriteTransaction,
	record: AttributeRecord,
	ownAddress: string,
): Promise<void> {
	if (record.isDefault === undefined) return;
	const next = await tx.attributes.list({
		where: [
			...matching({
				valueType: record.content.value['@type'],
				owner: ownAddress,
				contentType: 'IdentityAttribute',
			}),
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
