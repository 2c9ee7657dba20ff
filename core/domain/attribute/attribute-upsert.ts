import type { AttributeContent } from '../../model/input/attribute';
import type { AttributeRecord } from '../../model/record/attribute';
import type { ReadTransaction, WriteTransaction } from '../../store/store';
import type { UpsertOutcome } from '../../facade/attributes';
import { isIdentityAttribute, type RepositoryAttribute } from './attribute-kinds';
import { findRepositoryAttribute } from './attribute-lookup';
import { identityAttributeOf, storedAttributeOf, successorContentOf } from './attribute-rules';
import type { AttributeWriter } from './attribute-writer';
import { storeRepositoryAttribute, succeedRepositoryAttribute } from './repository-attributes';
import { matching } from '../query/conditions';

export interface Upsert {
	readonly outcome: UpsertOutcome;
	readonly attribute: AttributeRecord;
	readonly predecessor?: AttributeRecord;
}

/**
 * Makes a value the newest of its type: an equal own attribute stays as it is, a different one gets
 * a successor, which keeps its tags unless others are given, and without any one is created.
 *
 * @throws `error.runtime.requestDeserialization`, `error.consumption.attributes.*` of consumption
 * 8.6
 */
export async function upsertRepositoryAttribute(
	tx: WriteTransaction,
	content: AttributeContent,
	writer: AttributeWriter,
): Promise<Upsert> {
	const { value } = content;
	const equal = await findRepositoryAttribute(tx, value, writer.ownAddress);
	if (equal !== undefined) return { outcome: 'unchanged', attribute: equal };
	const newest = await newestOfType(tx, value['@type'], writer.ownAddress);
	if (newest === undefined) {
		const attribute = storedAttributeOf(content, writer.ownAddress);
		return {
			outcome: 'created',
			attribute: await storeRepositoryAttribute(tx, attribute, writer),
		};
	}
	const { tags } = newest.content;
	const kept = tags === undefined ? {} : { tags };
	const successorContent = successorContentOf(() =>
		identityAttributeOf({ ...kept, ...content }, writer.ownAddress),
	);
	const { predecessor, successor } = await succeedRepositoryAttribute(
		tx,
		newest.id,
		successorContent,
		writer,
	);
	return { outcome: 'succeeded', attribute: successor, predecessor };
}

/** Finds the newest own attribute of the type; a part of another attribute cannot be succeeded. */
async function newestOfType(
	tx: ReadTransaction,
	valueType: string,
	ownAddress: string,
): Promise<RepositoryAttribute | undefined> {
	const entry = await tx.attributes.first({
		where: [
			...matching({ valueType, owner: ownAddress }),
			{ field: 'peer', op: 'missing' },
			{ field: 'parentId', op: 'missing' },
			{ field: 'succeededBy', op: 'missing' },
		],
		orderBy: { field: 'inserted', direction: 'desc' },
	});
	const record = entry?.record;
	return record !== undefined && isIdentityAttribute(record) ? record : undefined;
}
