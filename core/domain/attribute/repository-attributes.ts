import type { IdentityAttribute } from '../../model/content/attributes';
import { childValuesOf, type IdentityPart } from '../../model/content/values/identity-values';
import { newId } from '../../model/ids';
import type { AttributeRecord } from '../../model/record/attribute';
import type { ReadTransaction, WriteTransaction } from '../../store/store';
import { attributeErrors } from './attribute-errors';
import { publishCreated } from './attribute-events';
import { trimmedAttribute } from './attribute-rules';
import { predecessorsOf } from './succession/attribute-versions';
import type { AttributeWriter } from './attribute-writer';
import { withDefaultMark } from './default-attributes';
import { linked, storeSuccession, succeed, type Succession } from './succession/succession';
import { matching } from '../query/conditions';

/* Own identity attributes that are not shared copies, with the parts of composite ones. */

/**
 * Stores an own identity attribute with its parts and publishes them, parts first, in steps 4 to 8
 * of docs/protocol/consumption.md 8.1. Does not check for an equal attribute.
 *
 * @param content its texts are trimmed here
 * @throws `error.consumption.attributes.wrongOwnerOfRepositoryAttribute`,
 * `error.runtime.requestDeserialization` for content that is too short once it is trimmed
 */
export async function createRepositoryAttribute(
	tx: WriteTransaction,
	content: IdentityAttribute,
	writer: AttributeWriter,
): Promise<AttributeRecord> {
	if (content.owner !== writer.ownAddress) {
		throw attributeErrors.create('wrongOwner', {
			message: 'An own attribute cannot belong to another identity.',
			facts: { field: 'content.owner' },
		});
	}
	return await storeRepositoryAttribute(tx, trimmedAttribute(content), writer);
}

/** Stores content that `storedAttributeOf` returned, as {@link createRepositoryAttribute} does. */
export async function storeRepositoryAttribute(
	tx: WriteTransaction,
	content: IdentityAttribute,
	writer: AttributeWriter,
): Promise<AttributeRecord> {
	const record = await storeNew(tx, { content }, undefined, writer);
	for (const value of partValuesOf(content, writer)) {
		const child = { content: { ...content, value }, parentId: record.id };
		await publishCreated(tx, await storeNew(tx, child, record, writer), writer);
	}
	await publishCreated(tx, record, writer);
	return record;
}

/**
 * Gives an own attribute and its parts new content (consumption 8.6). No member is inherited from
 * the predecessor: tags that are not given again are lost.
 *
 * @throws `error.consumption.attributes.*` of consumption 8.6
 */
export async function succeedRepositoryAttribute(
	tx: WriteTransaction,
	predecessorId: string,
	content: IdentityAttribute,
	writer: AttributeWriter,
): Promise<Succession> {
	const stored = trimmedAttribute(content);
	const succession = await succeed(tx, 'repository', predecessorId, { content, stored }, writer);
	for (const value of partValuesOf(stored, writer)) {
		await succeedPart(tx, succession.successor, value, writer);
	}
	return succession;
}

const partValuesOf = (
	{ value }: IdentityAttribute,
	{ withoutParts = false }: AttributeWriter,
): IdentityPart[] => (withoutParts ? [] : childValuesOf(value));

/** Returns the parts of a composite attribute; an empty list for other attributes. */
export async function partsOfAttribute(
	tx: ReadTransaction,
	{ id }: AttributeRecord,
): Promise<AttributeRecord[]> {
	const entries = await tx.attributes.list({ where: matching({ parentId: id }) });
	return entries.map(({ record }) => record);
}

/**
 * Stores a part of the successor. No event is published for parts, even if no predecessor has a
 * part of that type.
 */
async function succeedPart(
	tx: WriteTransaction,
	parent: AttributeRecord,
	value: IdentityPart,
	writer: AttributeWriter,
): Promise<void> {
	const content = trimmedAttribute({
		'@type': 'IdentityAttribute',
		owner: writer.ownAddress,
		value,
	});
	const part: AttributeRecord = {
		id: newId('attribute', writer.random),
		createdAt: parent.createdAt,
		content,
		parentId: parent.id,
	};
	const former = await formerPart(tx, parent, value['@type']);
	if (former !== undefined) {
		await storeSuccession(tx, linked(former, part));
		return;
	}
	await tx.attributes.insert(await withDefaultMark(tx, part, parent, writer), undefined);
}

/** Finds the part of that value type in the nearest predecessor that has one. */
async function formerPart(
	tx: ReadTransaction,
	parent: AttributeRecord,
	valueType: string,
): Promise<AttributeRecord | undefined> {
	for (const version of await predecessorsOf(tx, parent)) {
		const found = await tx.attributes.first({
			where: [
				...matching({ parentId: version.id, valueType }),
				{ field: 'succeededBy', op: 'missing' },
			],
		});
		if (found !== undefined) return found.record;
	}
	return undefined;
}

async function storeNew(
	tx: WriteTransaction,
	parts: Pick<AttributeRecord, 'content' | 'parentId'>,
	parent: AttributeRecord | undefined,
	writer: AttributeWriter,
): Promise<AttributeRecord> {
	const { random, now } = writer;
	const fresh = { id: newId('attribute', random), createdAt: now, ...parts };
	const record = await withDefaultMark(tx, fresh, parent, writer);
	await tx.attributes.insert(record, undefined);
	return record;
}
