import { publicMembers } from '../../model/json';
import {
	attributeWithoutOwnerDtoSchema,
	shareInfoSchema,
	type AttributeDto,
	type AttributeRecord,
	type AttributeWithoutOwnerDto,
} from '../../model/record/attribute';

/**
 * Converts a record to the form of docs/protocol/consumption.md 7.1; the interface summary adds
 * `owner`.
 */
export function toAttributeDto(record: AttributeRecord): AttributeDto {
	return { ...toAttributeWithoutOwnerDto(record), owner: record.content.owner };
}

/** Converts a record to the form in events. */
export function toAttributeWithoutOwnerDto(record: AttributeRecord): AttributeWithoutOwnerDto {
	const { shareInfo } = record;
	return publicMembers(attributeWithoutOwnerDtoSchema, {
		...record,
		shareInfo: shareInfo && publicMembers(shareInfoSchema, shareInfo),
	});
}
