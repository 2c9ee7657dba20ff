import { appendEvent } from '../../events/outbox';
import { newId } from '../../model/ids';
import type { JsonObject } from '../../model/json';
import type { AttributeListenerRecord } from '../../model/record/attribute';
import type { WriteTransaction } from '../../store/store';
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
