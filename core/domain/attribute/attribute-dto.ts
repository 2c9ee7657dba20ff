import type { AttributeDto, AttributeRecord } from '../../model/record/attribute';

/**
 * Converts a record to the form of docs/protocol/consumption.md 7.1; the interface summary adds
 * `owner`.
 */
export function toAttributeDto(record: AttributeRecord): AttributeDto {
	return { ...record, owner: record.content.owner };
}
