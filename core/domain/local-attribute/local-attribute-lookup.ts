import type { AttributeRecord } from '../../model/record/attribute';
import type { ReadTransaction } from '../../store/store';
import { localAttributeErrors } from './local-attribute-errors';
import { kindOf, shownIdOf } from './local-attribute-kinds';
import { matching } from '../query/conditions';

/** Finds the attribute that callers see under an id. */
export async function findShown(
	tx: ReadTransaction,
	id: string,
	ownAddress: string,
): Promise<AttributeRecord | undefined> {
	const isShown = (record: AttributeRecord): boolean =>
		kindOf(record, ownAddress) !== undefined && shownIdOf(record, ownAddress) === id;
	const same = (await tx.attributes.get(id))?.record;
	if (same !== undefined && isShown(same)) return same;
	const others = await tx.attributes.list({
		where: [
			...matching({ sharedId: id }),
			{ field: 'owner', op: 'ne', value: ownAddress },
			{ field: 'sourceAttribute', op: 'missing' },
		],
	});
	return others.map(({ record }) => record).find(isShown);
}

/** @throws `error.runtime.recordNotFound` */
export async function requireShown(
	tx: ReadTransaction,
	id: string,
	ownAddress: string,
): Promise<AttributeRecord> {
	const record = await findShown(tx, id, ownAddress);
	if (record !== undefined) return record;
	throw localAttributeErrors.create('notFound', {
		message: `There is no attribute with the ID '${id}' in this account.`,
		facts: { attributeId: id },
	});
}

/** @throws `error.runtime.attributes.isNotOwnIdentityAttribute` */
export function requireOwnIdentity(record: AttributeRecord, ownAddress: string): void {
	if (kindOf(record, ownAddress) === 'OwnIdentityAttribute') return;
	throw localAttributeErrors.create('isNotOwnIdentity', {
		message: `The Attribute '${shownIdOf(record, ownAddress)}' is not an OwnIdentityAttribute.`,
		facts: { attributeId: record.id },
	});
}
