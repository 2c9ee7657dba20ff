import { appendEvent, type EventNameOf } from '../../events/outbox';
import type { AttributeDto, AttributeRecord, SuccessionDto } from '../../model/record/attribute';
import type { WriteTransaction } from '../../store/store';
import { toAttributeDto } from './attribute-dto';
import type { AttributeWriter } from './attribute-writer';

export type AttributeEvent = EventNameOf<AttributeDto>;
export type SuccessionEvent = EventNameOf<SuccessionDto>;

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
		data: toAttributeDto(record),
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
		data: { predecessor: toAttributeDto(predecessor), successor: toAttributeDto(successor) },
	});
}
