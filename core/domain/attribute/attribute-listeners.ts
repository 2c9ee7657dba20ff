import { appendEvent } from '../../events/outbox';
import { newId } from '../../model/ids';
import type { JsonObject } from '../../model/json';
import {
	querySubject,
	type AttributeListenerRecord,
	type AttributeRecord,
} from '../../model/record/attribute';
import type { ReadTransaction, WriteTransaction } from '../../store/store';
import { isIdentityAttribute, valueTypeOf } from './attribute-kinds';
import type { AttributeWriter } from './attribute-writer';

/**
 * Stores a peer's wish to be offered attributes that match a query, as the effect of accepting a
 * RegisterAttributeListenerRequestItem (docs/protocol/consumption.md 6.4).
 *
 * @param listener.query a parsed IdentityAttributeQuery or ThirdPartyRelationshipAttributeQuery
 */
export async function createAttributeListener(
	tx: WriteTransaction,
	{ query, peer }: { readonly query: JsonObject; readonly peer: string },
	{ random, now }: AttributeWriter,
): Promise<AttributeListenerRecord> {
	const listener = { id: newId('attributeListener', random), query, peer };
	await tx.attributeListeners.insert(listener, undefined);
	await appendEvent(tx, {
		name: 'consumption.attributeListenerCreated',
		createdAt: now,
		peer,
		subject: listener.id,
		data: listener,
	});
	return listener;
}

/** Returns the listeners that ask for attributes with the value type or the key of this one. */
export async function listenersFor(
	tx: Pick<ReadTransaction, 'attributeListeners'>,
	attribute: Pick<AttributeRecord, 'content'>,
): Promise<AttributeListenerRecord[]> {
	const { content } = attribute;
	const query = isIdentityAttribute(attribute)
		? { '@type': 'IdentityAttributeQuery', valueType: valueTypeOf(content) }
		: { '@type': 'ThirdPartyRelationshipAttributeQuery', key: content['key'] ?? '' };
	const entries = await tx.attributeListeners.list({
		where: [{ field: 'asked', op: 'eq', value: querySubject(query) }],
	});
	return entries.map(({ record }) => record);
}
