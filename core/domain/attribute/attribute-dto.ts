import type { AttributeDto, AttributeRecord } from '../../model/record/attribute';
import { ownerOf } from './attribute-kinds';

/**
 * Converts a record to the form of docs/protocol/consumption.md 7.1; the interface summary adds
 * `owner`.
 */
export function toAttributeDto(record: AttributeRecord): AttributeDto {
	return { ...record, owner: ownerOf(record.content) };
}
