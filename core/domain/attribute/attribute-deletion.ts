import type { AttributeRecord } from '../../model/record/attribute';
import type { WriteTransaction } from '../../store/store';
import { attributeErrors } from './attribute-errors';
import { publishAttribute } from './attribute-events';
import { predecessorsOf } from './succession/attribute-versions';
import type { AttributeWriter } from './attribute-writer';
import { passOnDefault } from './default-attributes';
import { partsOfAttribute } from './repository-attributes';
import { matching } from '../query/conditions';

/**
 * Deletes an attribute of any kind with its parts and all its predecessors. Publishes an event for
 * each deletion and erases the data of earlier events about the attribute
 * (docs/protocol/consumption.md 8.11). Successors and copies stay, without their links to the
 * deleted attributes.
 *
 * @throws `error.consumption.attributes.successorDoesNotExist` for a damaged chain
 */
export async function deleteAttribute(
	tx: WriteTransaction,
	record: AttributeRecord,
	writer: AttributeWriter,
): Promise<void> {
	const parts = await partsOfAttribute(tx, record);
	for (const part of [record, ...parts]) await cutSuccessorOff(tx, part);
	for (const part of [record, ...parts]) await detachCopies(tx, part);
	for (const version of await predecessorsOf(tx, record)) {
		for (const part of await partsOfAttribute(tx, version)) await remove(tx, part, writer);
		await remove(tx, version, writer);
	}
	for (const part of [...parts, record]) {
		if (writer.setsDefaults) await passOnDefault(tx, part, writer.ownAddress);
	}
	for (const part of [...parts, record]) await remove(tx, part, writer);
}

async function cutSuccessorOff(
	tx: WriteTransaction,
	{ id, succeededBy }: AttributeRecord,
): Promise<void> {
	if (succeededBy === undefined) return;
	const successor = (await tx.attributes.get(succeededBy))?.record;
	if (successor === undefined) {
		throw attributeErrors.create('successorIsMissing', {
			message: `The successor of the attribute '${id}' does not exist.`,
			facts: { attributeId: id },
		});
	}
	const { succeeds: _cut, ...rest } = successor;
	await tx.attributes.update(rest);
}

/** Unlinks the copies of the attribute and of its predecessors from their source. */
async function detachCopies(tx: WriteTransaction, record: AttributeRecord): Promise<void> {
	const versions = [record, ...(await predecessorsOf(tx, record))].map(({ id }) => id);
	const copies = await tx.attributes.list({ where: matching({ sourceAttribute: versions }) });
	for (const { record: copy } of copies) {
		if (copy.shareInfo === undefined) continue;
		const { sourceAttribute: _gone, ...shareInfo } = copy.shareInfo;
		await tx.attributes.update({ ...copy, shareInfo: { ...shareInfo, sourceIsDeleted: true } });
	}
}

async function remove(
	tx: WriteTransaction,
	record: AttributeRecord,
	{ now }: AttributeWriter,
): Promise<void> {
	await tx.attributes.delete(record.id);
	await tx.outbox.erase(record.id);
	await publishAttribute(tx, 'consumption.attributeDeleted', record, now);
}
