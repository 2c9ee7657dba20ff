import { appendEvent, type EventNameOf, type NewEventOfVersion7 } from '../../events/outbox';
import type {
	AttributeRecord,
	AttributeWithoutOwnerDto,
	SuccessionWithoutOwnerDto,
} from '../../model/record/attribute';
import type { WriteTransaction } from '../../store/store';
import { toAttributeWithoutOwnerDto } from './attribute-dto';
import type { AttributeWriter } from './attribute-writer';

export type AttributeEvent = Extract<
	EventNameOf<AttributeWithoutOwnerDto>,
	`consumption.${string}`
>;
export type SuccessionEvent = EventNameOf<SuccessionWithoutOwnerDto>;

/** Publishes the current state of the attribute when the transaction commits. */
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
		data: toAttributeWithoutOwnerDto(record),
	});
}

/**
 * Publishes a new attribute as an event and notifies the observers, which offer it to peers with a
 * matching listener.
 */
export async function publishCreated(
	tx: WriteTransaction,
	record: AttributeRecord,
	{ now, observers }: AttributeWriter,
): Promise<void> {
	await publishAttribute(tx, 'consumption.attributeCreated', record, now);
	await observers.notify('attributeCreated', tx, record);
}

/**
 * Publishes a succession. The event data is erased with the predecessor, which is deleted at the
 * latest with its successor.
 */
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
		data: {
			predecessor: toAttributeWithoutOwnerDto(predecessor),
			successor: toAttributeWithoutOwnerDto(successor),
		},
	});
}

/**
 * Publishes for version 7 what has happened to a copy as an event about its source; nothing if the
 * source was deleted (docs/protocol/connector-7.md 9).
 *
 * @param known the source, if the caller has it
 */
export async function publishSourceOf(
	tx: WriteTransaction,
	name: NewEventOfVersion7['name'],
	{ shareInfo }: AttributeRecord,
	createdAt: string,
	known?: AttributeRecord,
): Promise<void> {
	const { sourceAttribute, peer } = shareInfo ?? {};
	if (sourceAttribute === undefined) return;
	const source = known ?? (await tx.attributes.get(sourceAttribute))?.record;
	if (source === undefined) return;
	const data = toAttributeWithoutOwnerDto(source);
	await appendEvent(tx, { name, createdAt, peer, subject: source.id, data });
}
