import { appendEvent } from '../../events/outbox';
import type { Attribute } from '../../model/content/attributes';
import { newId } from '../../model/ids';
import {
	querySubject,
	type AttributeListenerRecord,
	type ListenerQuery,
} from '../../model/record/attribute';
import type { ReadTransaction, WriteTransaction } from '../../store/store';
import type { AttributeWriter } from './attribute-writer';
import { matching } from '../query/conditions';

/**
 * Stores a peer's wish to be offered attributes that match a query, as the effect of accepting a
 * RegisterAttributeListenerRequestItem (docs/protocol/consumption.md 6.4).
 */
export async function createAttributeListener(
	tx: WriteTransaction,
	{ query, peer }: { readonly query: ListenerQuery; readonly peer: string },
	{ random, now }: AttributeWriter,
): Promise<AttributeListenerRecord> {
	const listener = { id: newId('attributeListener', random), query, peer };
	await tx.attributeListeners.insertIfNew(listener, undefined);
	await appendEvent(tx, {
		name: 'consumption.attributeListenerCreated',
		createdAt: now,
		peer,
		subject: listener.id,
		data: listener,
	});
	return listener;
}

/** Subject of the listeners that ask for attributes with the value type or the key of this one. */
export function subjectOf(content: Attribute): string {
	return content['@type'] === 'IdentityAttribute'
		? querySubject('IdentityAttributeQuery', content.value['@type'])
		: querySubject('ThirdPartyRelationshipAttributeQuery', content.key);
}

/** Returns the listeners that ask for attributes with this subject. */
export async function listenersFor(
	tx: Pick<ReadTransaction, 'attributeListeners'>,
	subject: string,
): Promise<AttributeListenerRecord[]> {
	const entries = await tx.attributeListeners.list({ where: matching({ asked: subject }) });
	return entries.map(({ record }) => record);
}
