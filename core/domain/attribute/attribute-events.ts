import { appendEvent, type EventNameOf } from '../../events/outbox';
import type { AttributeRecord, SuccessionRecords } from '../../model/record/attribute';
import type { WriteTransaction } from '../../store/store';
import type { AttributeWriter } from './attribute-writer';

export type AttributeEvent = Extract<EventNameOf<AttributeRecord>, `consumption.${string}`>;
export type SuccessionEvent = EventNameOf<SuccessionRecords>;

/** Publishes the attribute as it is now, with the commit of the transaction. */
export function publishAttribute(
	tx: WriteTransaction,
	name: AttributeEvent,
	record: AttributeRecord,
	createdAt: string,
): Promise<void> {
	return appendEvent(tx, {
		name,
		createdAt,
		peer: record.shareInfo?.peer,
		subject: record.id,
		data: record,
	});
}

/** Announces a new attribute, to the outside and to whoever waits for one that fits a query. */
export async function publishCreated(
	tx: WriteTransaction,
	record: AttributeRecord,
	{ now, onCreated }: AttributeWriter,
): Promise<void> {
	await publishAttribute(tx, 'consumption.attributeCreated', record, now);
	await onCreated(tx, record);
}

/** Erased with the predecessor, which never outlives its successor. */
export async function publishSuccession(
	tx: WriteTransaction,
	name: SuccessionEvent,
	{ predecessor, successor }: { predecessor: AttributeRecord; successor: AttributeRecord },
	createdAt: string,
): Promise<void> {
	await appendEvent(tx, {
		name,
		createdAt,
		peer: successor.shareInfo?.peer,
		subject: predecessor.id,
		data: { predecessor, successor },
	});
}
