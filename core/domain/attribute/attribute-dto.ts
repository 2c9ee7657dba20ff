import { appendEvent } from '../../events/outbox';
import type { AttributeDto, AttributeRecord } from '../../model/record/attribute';
import type { WriteTransaction } from '../../store/store';

/** docs/protocol/consumption.md 7.1; the interface summary adds `owner`. */
export function toAttributeDto(record: AttributeRecord): AttributeDto {
	const owner = record.content['owner'];
	return { ...record, owner: typeof owner === 'string' ? owner : '' };
}

/** Publishes the attribute as it is now, with the commit of the transaction. */
export async function appendAttributeEvent(
	tx: WriteTransaction,
	name: 'consumption.attributeCreated',
	record: AttributeRecord,
	createdAt: string,
): Promise<void> {
	await appendEvent(tx, {
		name,
		createdAt,
		peer: record.shareInfo?.peer,
		subject: record.id,
		data: toAttributeDto(record),
	});
}
